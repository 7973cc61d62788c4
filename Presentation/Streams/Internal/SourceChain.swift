/// The part of an operator that is an object of its own in each subscription: it receives how its sources end, and is
/// disposed with the stream below.
///
/// It lets the sources go when it is disposed: it and the ``SourceChain``s of its sources hold each other until then.
@usableFromInline
class SourceOwner: DisposeBase, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; a subclass answers for what it adds.

    /// A source has ended, with an error or, for `nil`, by completion.
    func sourceEnded(_ error: (any Error)?) {}
}

/// The chain of a source, whose end its owner receives: without a closure, which would be one allocation more.
@usableFromInline
class SourceChain: Chain, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    private final let owner: SourceOwner

    @usableFromInline
    init(of owner: SourceOwner) {
        self.owner = owner
        super.init()
    }

    final override func ended(_ error: (any Error)?) { owner.sourceEnded(error) }
}
