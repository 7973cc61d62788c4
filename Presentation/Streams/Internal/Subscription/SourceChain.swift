/// An object that holds an operator's state in one subscription: it handles the termination of the sources, and is
/// disposed with the downstream.
///
/// On disposal it releases its sources; until then it and their ``SourceChain``s retain each other.
@usableFromInline
protocol SourceOwner: DisposeBase {
    /// Handles the termination of a source: with an error, or with `nil` on completion.
    func sourceEnded(_ error: (any Error)?)
}

/// The chain of a source that reports its termination to an owner. This saves the allocation of a closure.
@usableFromInline
class SourceChain: Chain, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    private final let owner: any SourceOwner

    @usableFromInline
    init(of owner: any SourceOwner) {
        self.owner = owner
        super.init()
    }

    final override func ended(_ error: (any Error)?) { owner.sourceEnded(error) }
}
