/// The subscription that a shared stream has at the moment, if it has observers.
@usableFromInline
final class Share: Sendable {
    private let current = Mutex<Shared?>(nil)

    @usableFromInline
    init() {}

    /// Counts an observer; the first is given the chain to connect the source with.
    @usableFromInline
    func join(makeStore: () -> (any AnyObject & Sendable)?) -> (Shared, source: Chain?) {
        current.withLock { current in
            if let current {
                current.count += 1
                return (current, nil)
            }
            let shared = Shared(by: self, makeStore())
            let source = SourceChain(of: shared)
            shared.source = source
            current = shared
            return (shared, source)
        }
    }

    /// The source has ended: it is let go, before the observers receive the end.
    fileprivate func end(_ shared: Shared) -> Chain? {
        current.withLock { current in
            if current === shared { current = nil }
            return shared.source.take()
        }
    }

    /// An observer leaves; after the last, the source is disposed.
    fileprivate func leave(_ shared: Shared) {
        let source = current.withLock { current -> Chain? in
            shared.count -= 1
            if shared.count > 0 { return nil }
            if current === shared { current = nil }
            return shared.source.take()
        }
        source?.dispose()
    }
}

/// One subscription to the source of a shared stream, and its observers. Each observer disposes it once, when it leaves.
///
/// `@unchecked Sendable`: `count` and `source` are behind the lock of the share.
@usableFromInline
final class Shared: SourceOwner, @unchecked Sendable {
    @usableFromInline let multicast = Multicast()
    /// The ``ElementStore``, if elements are replayed, without the type of its elements.
    @usableFromInline let store: (any AnyObject & Sendable)?
    private let share: Share
    fileprivate var count = 1
    fileprivate var source: SourceChain?

    fileprivate init(by share: Share, _ store: (any AnyObject & Sendable)?) {
        self.share = share
        self.store = store
    }

    override func sourceEnded(_ error: (any Error)?) {
        share.end(self)?.dispose()
        multicast.finish(error)
    }

    /// An observer leaves.
    @usableFromInline
    override func dispose() {
        share.leave(self)
    }
}
