/// What the operators with an outer stream and inner streams have in common: ``Merging`` and ``Switching``. Their source
/// is the outer stream.
///
/// `@unchecked Sendable`: `isAlone` is touched by the outer stream only; the rest is constant.
@usableFromInline
class InnerStreams: SourceOwner, @unchecked Sendable {
    /// Where elements of several inner streams meet on their way down.
    @usableFromInline final let downstream: Confluence
    /// Whether no inner stream was ever subscribed: then the outer stream, which is serial, meets no other in the gate.
    @exclusivity(unchecked) @usableFromInline final var isAlone = true

    @usableFromInline
    init(into downstream: Confluence) {
        self.downstream = downstream
    }

    /// An inner stream has ended.
    func ended(_ inner: InnerChain, _ error: (any Error)?) {}
}

/// The chain of an inner stream, which is part of a list of those that its operator listens to.
///
/// `@unchecked Sendable`: the links are guarded by the lock of the owner; the rest is constant.
@usableFromInline
final class InnerChain: Chain, @unchecked Sendable {
    @usableFromInline let owner: InnerStreams
    /// Numbers the inner streams of an operator.
    @usableFromInline let number: Int
    fileprivate var next: InnerChain?
    fileprivate var previous: Unmanaged<InnerChain>?
    fileprivate var isListed = false

    init(of owner: InnerStreams, number: Int = 0) {
        self.owner = owner
        self.number = number
        super.init()
    }

    override func ended(_ error: (any Error)?) { owner.ended(self, error) }
}

/// The inner streams that an operator listens to, in constant time and without an allocation for each.
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

    /// Takes out all chains, oldest first. A loop, since the end of a long list would need much stack.
    mutating func removeAll() -> [InnerChain] {
        var chains: [InnerChain] = []
        while let chain = first {
            chains.append(chain)
            remove(chain)
        }
        return chains.reversed()
    }
}
