/// The base class of operators with an outer stream and inner streams: ``MergeCoordinator`` and ``SwitchCoordinator``.
/// Their source is the outer stream.
///
/// `@unchecked Sendable`: only the outer stream accesses `hasOnlyOuter`; the rest is constant.
@usableFromInline
class InnerStreamCoordinator: SourceOwner, @unchecked Sendable {
    private let resource = Resources.Counted()
    /// Serialises the events of the inner streams.
    @usableFromInline final let downstream: SerializedSink
    /// Whether no inner stream was ever subscribed. Then the outer stream, which is serial, needs no gate.
    @exclusivity(unchecked) @usableFromInline final var hasOnlyOuter = true

    @usableFromInline
    init(into downstream: SerializedSink) {
        self.downstream = downstream
    }

    @usableFromInline
    func sourceEnded(_ error: (any Error)?) {}

    /// Handles the termination of an inner stream.
    func ended(_ inner: InnerChain, _ error: (any Error)?) {}

    @usableFromInline
    func dispose() {}
}

/// The chain of an inner stream, and a node in the list of subscribed inner streams.
///
/// `@unchecked Sendable`: the lock of the owner guards the links; the rest is constant.
@usableFromInline
final class InnerChain: Chain, @unchecked Sendable {
    let owner: InnerStreamCoordinator
    /// The number of the inner stream within its operator.
    @usableFromInline let number: Int
    fileprivate var next: InnerChain?
    fileprivate var previous: Unmanaged<InnerChain>?
    fileprivate var isListed = false

    init(of owner: InnerStreamCoordinator, number: Int = 0) {
        self.owner = owner
        self.number = number
        super.init()
    }

    override func ended(_ error: (any Error)?) { owner.ended(self, error) }
}

/// A doubly linked list of the subscribed inner streams: constant-time operations, and no allocation for each entry.
struct InnerChainList {
    private var first: InnerChain?
    private(set) var count = 0

    mutating func insert(_ chain: InnerChain) {
        chain.next = first
        first?.previous = .passUnretained(chain)
        first = chain
        chain.isListed = true
        count += 1
    }

    mutating func remove(_ chain: InnerChain) {
        guard chain.isListed else { return }
        chain.isListed = false
        count -= 1
        let next = chain.next.take()
        next?.previous = chain.previous
        if let previous = chain.previous {
            previous.takeUnretainedValue().next = next
        } else {
            first = next
        }
        chain.previous = nil
    }

    /// Removes and returns all chains, oldest first. Iterative, because releasing a long list recursively would exhaust
    /// the stack.
    mutating func removeAll() -> [InnerChain] {
        var chains: [InnerChain] = []
        while let chain = first {
            chains.append(chain)
            remove(chain)
        }
        return chains.reversed()
    }
}
