/// A node in the list of a ``Multicast``: one subscription.
///
/// `@unchecked Sendable`: all properties but the following are `let`s of `Sendable` types. The lock of the multicast
/// guards `membership` and `waiting`; `number` is set under that lock before the node is listed, and is constant
/// afterwards.
@usableFromInline
class AnyNode: DisposeBase, @unchecked Sendable {
    private let resource = Resources.Counted()
    enum Membership {
        case unlisted, joining, listed, removed
    }

    @usableFromInline let chain: Chain
    @usableFromInline let multicast: Multicast
    /// The shared subscription that has this subscription as an observer.
    @usableFromInline let shared: SharedSubscription?
    @exclusivity(unchecked) var membership = Membership.unlisted
    @exclusivity(unchecked) var number: UInt64 = 0
    /// The work that was enqueued for the node while it was joining.
    @exclusivity(unchecked) var waiting: [Multicast.Work] = []

    @inlinable
    init(_ chain: Chain, in multicast: Multicast, of shared: SharedSubscription?) {
        self.chain = chain
        self.multicast = multicast
        self.shared = shared
    }

    @usableFromInline
    final func dispose() {
        multicast.remove(self)
        shared?.dispose()
    }

    /// Runs the work that was enqueued while the node was joining.
    func run(_ work: [Multicast.Work]) {
        for item in work where chain.isLive { item.run(item.number) }
    }
}

/// A node with a known element type.
@usableFromInline
final class Node<Element>: AnyNode, @unchecked Sendable {
    // `@unchecked Sendable`: `next` belongs to a sink, and one thread at a time calls it: the thread that joins the
    // node, or the delivering one. The lock of the multicast orders the change from one to the other.

    @usableFromInline let next: (Element) -> Void

    @inlinable
    init(_ sink: Sink<Element>, in multicast: Multicast, of shared: SharedSubscription? = nil) {
        next = sink.next
        super.init(sink.chain, in: multicast, of: shared)
    }
}
