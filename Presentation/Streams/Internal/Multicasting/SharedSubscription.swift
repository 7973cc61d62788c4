/// The state of a shared stream: its current subscription to the source, if it has observers.
@usableFromInline
final class ShareState: Sendable {
    private let current = Mutex<SharedSubscription?>(nil)

    @usableFromInline
    init() {}

    /// Counts an observer.
    ///
    /// - Returns: The shared subscription and, for the first observer, the chain for the source.
    @usableFromInline
    func addObserver(makeStore: () -> (any AnyObject & Sendable)?) -> (SharedSubscription, source: Chain?) {
        current.withLock { current in
            if let current {
                current.count += 1
                return (current, nil)
            }
            let shared = SharedSubscription(by: self, makeStore())
            let source = SourceChain(of: shared)
            shared.source = source
            current = shared
            return (shared, source)
        }
    }

    /// Detaches the source after its termination, before the observers receive the terminal event.
    fileprivate func detachSource(_ shared: SharedSubscription) -> Chain? {
        current.withLock { current in
            if current === shared { current = nil }
            return shared.source.take()
        }
    }

    /// Removes an observer; disposes the source after the last one.
    fileprivate func removeObserver(_ shared: SharedSubscription) {
        let source = current.withLock { current -> Chain? in
            shared.count -= 1
            if shared.count > 0 { return nil }
            if current === shared { current = nil }
            return shared.source.take()
        }
        source?.dispose()
    }
}

/// One subscription to the source of a shared stream, and its observers. Each observer disposes this object once, when
/// it unsubscribes.
///
/// `@unchecked Sendable`: the lock of the share state guards `count` and `source`.
@usableFromInline
final class SharedSubscription: SourceOwner, @unchecked Sendable {
    private let resource = Resources.Counted()
    @usableFromInline let multicast = Multicast()
    /// The type-erased ``ElementStore``, if elements are replayed.
    @usableFromInline let store: (any AnyObject & Sendable)?
    private let share: ShareState
    fileprivate var count = 1
    fileprivate var source: SourceChain?

    fileprivate init(by share: ShareState, _ store: (any AnyObject & Sendable)?) {
        self.share = share
        self.store = store
    }

    @usableFromInline
    func sourceEnded(_ error: (any Error)?) {
        share.detachSource(self)?.dispose()
        multicast.finish(error)
    }

    /// Removes an observer.
    @usableFromInline
    func dispose() {
        share.removeObserver(self)
    }
}
