/// A node in the list of a ``Multicast``: one subscription.
///
/// `@unchecked Sendable`: all properties but the following are `let`s of `Sendable` types. The lock of the multicast
/// guards `membership`, `followers` and `waiting`; `number` and `thread` are set under that lock before the node is
/// listed, and are constant afterwards. `isJoining` is set then too; the delivering thread reads it without the lock,
/// and it is reset only while that thread is not delivering an element that was sent after the node was listed.
@usableFromInline
class AnyNode: DisposeBase, @unchecked Sendable {
    private let resource = Resources.Counted()
    enum Membership {
        /// `joining` and `listed` nodes are in the list.
        case unlisted, joining, listed, removed
    }

    @usableFromInline let chain: Chain
    @usableFromInline let multicast: Multicast
    /// The shared subscription that has this subscription as an observer.
    @usableFromInline let shared: SharedSubscription?
    @exclusivity(unchecked) var membership = Membership.unlisted
    @exclusivity(unchecked) var number: UInt64 = 0
    /// Whether deliveries skip the node, because the elements are replayed to it.
    @exclusivity(unchecked) @usableFromInline final var isJoining = false
    /// The thread that replays the elements.
    @exclusivity(unchecked) final var thread: UInt = 0
    /// The nodes that the same thread has joined while it was replaying to this one.
    @exclusivity(unchecked) final var followers: [AnyNode] = []
    /// The work that was enqueued for this node and its followers while they were joining.
    @exclusivity(unchecked) final var waiting: [Multicast.JoiningWork] = []

    /// Whether this node or one of its followers is joining.
    final var isGroupJoining: Bool {
        membership == .joining || followers.contains { $0.membership == .joining }
    }

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

    /// Runs the work that was enqueued while this node and its followers were joining: each item for all of them, in the
    /// order of subscription, as a delivery does.
    final func run(_ work: [Multicast.JoiningWork]) {
        for item in work {
            if chain.isLive { item.run(self) }
            // A node that is joined by this work has a higher number; it is not concerned.
            for follower in followers where follower.number < item.number && follower.chain.isLive {
                item.run(follower)
            }
        }
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
