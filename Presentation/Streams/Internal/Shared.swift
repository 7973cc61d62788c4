/// The subscription that a shared stream has at the moment, if anyone listens.
@usableFromInline
final class Share: Sendable {
    private let current = Mutex<Shared?>(nil)

    @usableFromInline
    init() {}

    /// Joins those who listen; the first is given the chain to connect the source with.
    @usableFromInline
    func join(makeBuffer: () -> any AnyObject & Sendable) -> (Shared, source: Chain?) {
        current.withLock { current in
            if let current {
                current.count += 1
                return (current, nil)
            }
            let shared = Shared(by: self, makeBuffer())
            let source = Chain { [self] error in
                end(shared)?.dispose()
                shared.multicast.finish(error)
            }
            shared.source = source
            current = shared
            return (shared, source)
        }
    }

    /// The source has ended: it is let go, before those who listen hear of it.
    private func end(_ shared: Shared) -> Chain? {
        current.withLock { current in
            if current === shared { current = nil }
            return shared.source.take()
        }
    }

    /// One less listens; after the last, the source is disposed.
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

/// One subscription to the source of a shared stream, and those who listen to it.
///
/// `@unchecked Sendable`: `count` and `source` are behind the lock of the share.
@usableFromInline
final class Shared: @unchecked Sendable {
    @usableFromInline let multicast = Multicast()
    /// The ``ReplayBuffer``, without the type of its elements.
    @usableFromInline let buffer: any AnyObject & Sendable
    fileprivate let share: Share
    fileprivate var count = 1
    fileprivate var source: Chain?

    fileprivate init(by share: Share, _ buffer: any AnyObject & Sendable) {
        self.share = share
        self.buffer = buffer
    }
}

/// One who listens to a shared stream; disposed by its node, once.
@usableFromInline
final class Lease: DisposeBase, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; it holds one immutable reference, of which the lock of its share
    // guards what changes.

    private let shared: Shared

    @usableFromInline
    init(of shared: Shared) {
        self.shared = shared
    }

    @usableFromInline
    override func dispose() {
        shared.share.leave(shared)
    }
}
