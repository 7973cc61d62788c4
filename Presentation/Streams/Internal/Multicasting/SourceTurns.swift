import Synchronization

/// Prevents a shared stream from having two connections to its source at once: the base class of its state.
///
/// A thread that connects to the source or disposes a connection is *at the source*. Both can call user code, so no lock is
/// held meanwhile, and no thread waits. A connection that is requested while another thread is at the source waits instead:
/// the thread that leaves the source last makes it. A thread that requests it from inside, in a function that the source
/// calls, connects immediately, as without other threads.
///
/// A thread that finds nobody at the source, which is nearly always so, enters and leaves without a lock.
///
/// `@unchecked Sendable`: its own properties are `let`s of `Sendable` types; subclasses guard theirs.
@usableFromInline
class SourceTurns: @unchecked Sendable {
    /// How a thread that is about to connect finds the source.
    @usableFromInline
    enum Turn: Sendable {
        /// Nobody was there. The thread calls ``leave()`` afterwards.
        case entered
        /// This thread is there already: a function further up its stack calls ``leave()``.
        case nested
        /// Other threads are there. The thread calls ``wait(_:_:)``.
        case waiting
    }

    private struct Request: Sendable {
        let connection: ObjectIdentifier
        let connect: @Sendable () -> Void
    }

    private struct Guarded {
        /// The threads at the source, while `thread` is `several`.
        var threads: [UInt] = []
        /// The connections to make when the last of these threads leaves: one, and perhaps abandoned ones.
        var waiting: [Request] = []
    }

    private static let none: UInt = 0
    /// Several threads are or were at the source, or connections wait: see `guarded`. No thread has this number.
    private static let several: UInt = 1

    /// The thread at the source.
    private let thread = Atomic(SourceTurns.none)
    private let guarded = Mutex(Guarded())
    /// Whether connections are made on the main queue only.
    private let isOnMainQueue: Bool

    init(onMainQueue: Bool = false) { isOnMainQueue = onMainQueue }

    /// Enters to dispose a connection, beside other threads.
    ///
    /// - Returns: Whether the caller must call ``leave()``.
    final func enter() -> Bool {
        enter(Thread.current) { guarded, thread in
            guarded.threads.append(thread)
            return .entered
        } == .entered
    }

    /// Enters to connect, if no other thread is at the source.
    final func enterAlone() -> Turn { enter(Thread.current, Self.enterAlone) }

    private static func enterAlone(_ guarded: inout Guarded, _ thread: UInt) -> Turn {
        guard guarded.threads.isEmpty else { return .waiting }
        guarded.threads.append(thread)
        return .entered
    }

    private func enter(_ this: UInt, _ enterWithOthers: (inout Guarded, _ thread: UInt) -> Turn) -> Turn {
        let found = thread.compareExchange(
            expected: Self.none, desired: this, successOrdering: .acquiring, failureOrdering: .relaxed)
        if found.exchanged { return .entered }
        if found.original == this { return .nested }
        return guarded.withLock { guarded in enter(this, &guarded, enterWithOthers) }
    }

    private func enter(
        _ this: UInt, _ guarded: inout Guarded, _ enterWithOthers: (inout Guarded, _ thread: UInt) -> Turn
    ) -> Turn {
        let other = thread.exchange(Self.several, ordering: .acquiringAndReleasing)
        if other != Self.none, other != Self.several { guarded.threads.append(other) }
        return guarded.threads.contains(this) ? .nested : enterWithOthers(&guarded, this)
    }

    /// Calls `connect` when no other thread is at the source: immediately, or on the thread that leaves last.
    ///
    /// - Parameter connection: Identifies the request, for ``cancel(_:)``.
    final func connect(_ connection: AnyObject, _ connect: @escaping @Sendable () -> Void) {
        switch enterAlone() {
        case .entered:
            connect()
            leave()
        case .nested: connect()
        case .waiting: wait(connection, connect)
        }
    }

    /// Does what ``connect(_:_:)`` does, after ``enterAlone()`` has found other threads.
    final func wait(_ connection: AnyObject, _ connect: @escaping @Sendable () -> Void) {
        let request = Request(connection: ObjectIdentifier(connection), connect: connect)
        let turn = guarded.withLock { guarded in
            let turn = enter(Thread.current, &guarded, Self.enterAlone)
            if turn == .waiting { guarded.waiting.append(request) }
            return turn
        }
        if turn == .waiting { return }
        connect()
        if turn == .entered { leave() }
    }

    /// Drops the request of an abandoned connection, unless it has been granted.
    final func cancel(_ connection: AnyObject) {
        if thread.load(ordering: .relaxed) != Self.several { return }
        let dropped = guarded.withLock { guarded in
            let dropped = guarded.waiting.filter { $0.connection == ObjectIdentifier(connection) }
            if !dropped.isEmpty { guarded.waiting.removeAll { $0.connection == ObjectIdentifier(connection) } }
            return dropped
        }
        withExtendedLifetime(dropped) {}  // released after the lock
    }

    /// Leaves the source. The last thread that leaves makes the waiting connection.
    final func leave() {
        let this = Thread.current
        let isAlone = thread.compareExchange(
            expected: this, desired: Self.none, successOrdering: .releasing, failureOrdering: .relaxed)
        if !isAlone.exchanged { leaveToOthers(this) }
    }

    private func leaveToOthers(_ this: UInt) {
        while true {
            let isOnWrongQueue = isOnMainQueue && !MainScheduler.isOnMainQueue
            let granted = guarded.withLock { guarded -> [Request] in
                guarded.threads.removeAll { $0 == this }
                if !guarded.threads.isEmpty { return [] }
                if isOnWrongQueue || guarded.waiting.isEmpty {
                    defer { guarded.waiting = [] }
                    thread.store(Self.none, ordering: .releasing)
                    return guarded.waiting
                }
                guarded.threads.append(this)
                return [guarded.waiting.removeFirst()]
            }
            if granted.isEmpty { return }
            if isOnWrongQueue { return connectOnMainQueue(granted) }
            for request in granted { request.connect() }
        }
    }

    private func connectOnMainQueue(_ requests: [Request]) {
        // Nothing may cancel this work, so its handle is dropped: an abandoned connection is not made.
        _ = MainScheduler.asyncInstance.schedule(()) { [self] in
            MainActorCheck.passed { for request in requests { connect(self, request.connect) } }
            return NopDisposable.shared
        }
    }
}
