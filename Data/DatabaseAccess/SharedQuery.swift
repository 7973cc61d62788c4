/// A query that is fetched once for all of its observers.
///
/// It has neither a thread nor a task: one waiting observer fetches for all, or a thread of the database does on their
/// behalf. Therefore nothing is fetched without a waiting observer, a commit only marks the query as stale and wakes
/// one observer or a thread, and a slow observer receives only the newest value.
final class SharedQuery: Sendable {
    /// The next step of an observer.
    enum Step {
        case deliver(ErasedValue)
        case fail(any Error)
        /// Fetch for all observers after this time.
        case fetch(after: Duration)
        case wait
    }

    /// What an observer has received, and what it may receive first.
    struct Progress {
        fileprivate(set) var version: UInt64 = 0
        /// The first value is that of this fetch or of a later one; `nil` until a value is requested.
        fileprivate var firstFetch: UInt64?
    }

    private let state: Mutex<State>
    private let interval: Duration
    private let isUnchanged: @Sendable (ErasedValue, ErasedValue) -> Bool
    /// Whether the fetch is known to be short: then the observer that a commit wakes fetches, without a thread.
    private let isFetchShort: @Sendable () -> Bool
    /// Starts a fetch on a thread, and returns a function that cancels it; nil if observers fetch themselves.
    private let startFetch: StartFetch?
    typealias StartFetch = @Sendable (SharedQuery) -> @Sendable () -> Void

    private struct State {
        var observerCount = 0
        var latest: ErasedValue?
        /// The number of different values so far.
        var version: UInt64 = 0
        var isStale = true
        /// Whether a commit has made the query stale, and no observer is woken for it yet.
        var isMarked = false
        var isFetching = false
        /// The number of fetches that have begun, and whether the last one is reading.
        var fetchCount: UInt64 = 0
        var isReading = false
        /// The last fetch that has succeeded.
        var lastFetched: UInt64 = 0
        var cancelFetch: (@Sendable () -> Void)?
        var region = Region.everything
        var changedDuringFetch = Region()
        var failure: (any Error)?
        var retryCount = 0
        var lastFetch: Duration?
        /// Each is removed under the lock before it is resumed: exactly once.
        var waiters: [UInt64: UnsafeContinuation<Void, Never>] = [:]
        var lastWaiter: UInt64 = 0

        mutating func endFetch() {
            (isFetching, isReading, cancelFetch) = (false, false, nil)
        }

        /// Returns the fetch whose value contains all commits so far; 0 if the latest value does, or must do.
        func currentFetch(interval: Duration) -> UInt64 {
            guard isFetching else { return 0 }
            if isReading { return changedDuringFetch.isEmpty ? fetchCount : fetchCount + 1 }
            // A delayed fetch is not waited for.
            return interval == .zero && retryCount == 0 ? fetchCount + 1 : 0
        }

        /// Whether there is a value that the observer has not received.
        func hasValue(for progress: Progress) -> Bool {
            guard version > progress.version else { return false }
            // No fetch follows one during which only other data changed.
            return lastFetched >= progress.firstFetch ?? 0 || !isStale && !isFetching
        }

        /// Returns how long a fetch must be delayed: for the interval, or for a growing time after failures.
        func delay(now: Duration, interval: Duration) -> Duration {
            guard let lastFetch else { return .zero }
            let pause = retryCount == 0 ? .zero : min(.milliseconds(20) * (1 << min(retryCount, 6)), .seconds(1))
            return lastFetch + max(interval, pause) - now
        }
    }

    init(
        interval: Duration, isUnchanged: @escaping @Sendable (ErasedValue, ErasedValue) -> Bool,
        isFetchShort: @escaping @Sendable () -> Bool, startFetch: StartFetch?
    ) {
        self.interval = interval
        self.isUnchanged = isUnchanged
        self.isFetchShort = isFetchShort
        self.startFetch = startFetch
        state = Mutex(State())
    }

    /// Whether its observers get an error. Called under the hub's lock.
    var hasFailed: Bool { state.withLock { $0.failure != nil } }

    /// Adds an observer. Called under the hub's lock.
    func retain() {
        state.withLock { $0.observerCount += 1 }
    }

    /// Removes an observer, and returns whether it was the last. Called under the hub's lock.
    func release() -> Bool {
        state.withLock { state in
            state.observerCount -= 1
            return state.observerCount == 0
        }
    }

    /// Called after the removal of an observer, which may have been woken to fetch.
    func observerRemoved() {
        let (waiter, cancelFetch) = state.withLock { state in
            (
                state.isStale && !state.isFetching ? state.waiters.popFirst()?.value : nil,
                state.observerCount == 0 ? state.cancelFetch : nil
            )
        }
        waiter?.resume()
        cancelFetch?()
    }

    /// Marks the query as stale if it read `region`, and returns whether `wakeObserver` must be called.
    func mark(_ region: Region) -> Bool {
        state.withLock { state in
            if state.isFetching {
                state.changedDuringFetch.formUnion(region)
                return false
            }
            guard !state.isStale, region.overlaps(state.region) else { return false }
            (state.isStale, state.isMarked) = (true, true)
            return true
        }
    }

    /// If the query is marked, wakes an observer, which fetches for all, or begins the fetch.
    func wakeObserver() {
        let startFetch = isFetchShort() ? nil : startFetch
        let (waiter, fetch) = state.withLock { state -> (UnsafeContinuation<Void, Never>?, StartFetch?) in
            guard state.isMarked else { return (nil, nil) }
            state.isMarked = false
            // An observer may have found the query stale in the meantime.
            guard state.isStale, !state.isFetching else { return (nil, nil) }
            // A delayed fetch is left to an observer, which can wait.
            if let startFetch, !state.waiters.isEmpty, interval == .zero, state.retryCount == 0 {
                state.isFetching = true
                return (nil, startFetch)
            }
            return (state.waiters.popFirst()?.value, nil)
        }
        waiter?.resume()
        guard let cancelFetch = fetch?(self) else { return }
        // The fetch may have ended.
        state.withLock { state in if state.isFetching { state.cancelFetch = cancelFetch } }
    }

    var isStale: Bool {
        state.withLock { $0.isStale }
    }

    /// Returns the next step of an observer. An observer that has waited receives the available value; otherwise a stale
    /// value is fetched again first, and the first value is not one that a fetch under way is about to replace.
    func nextStep(_ progress: inout Progress, hasWaited: Bool, now: Duration) -> Step {
        state.withLock { state in
            if let failure = state.failure { return .fail(failure) }
            if progress.firstFetch == nil { progress.firstFetch = state.currentFetch(interval: interval) }
            let canFetch = state.isStale && !state.isFetching
            let delay = canFetch ? state.delay(now: now, interval: interval) : .zero
            let isFetchDue = canFetch && delay <= .zero
            if let latest = state.latest, state.hasValue(for: progress), hasWaited || !isFetchDue {
                progress.version = state.version
                return .deliver(latest)
            }
            guard canFetch else { return .wait }
            state.isFetching = true
            return .fetch(after: delay)
        }
    }

    /// Called directly before the fetch.
    func fetchBegins(now: Duration) {
        state.withLock { state in
            state.lastFetch = now
            state.fetchCount += 1
            state.isReading = true
            state.changedDuringFetch = Region()
        }
    }

    func fetched(_ value: ErasedValue, region: Region) {
        // Only the current fetch changes the value, and `==` must not run under the lock.
        let earlier = state.withLock { $0.latest }
        let isNew = earlier.map { !isUnchanged($0, value) } ?? true
        wakeAll { state in
            state.endFetch()
            state.lastFetched = state.fetchCount
            state.region = region
            state.isStale = state.changedDuringFetch.overlaps(region)
            state.retryCount = 0
            if isNew {
                state.latest = value
                state.version += 1
            }
        }
        // Keeps the earlier value alive until here, so that it is not released under the lock.
        withExtendedLifetime(earlier) {}
    }

    /// The fetching task was cancelled; another observer takes over.
    func fetchCancelled() {
        let waiter = state.withLock { state in
            state.endFetch()
            return state.waiters.popFirst()?.value
        }
        waiter?.resume()
    }

    /// The fetch threw `error`; it is retried, or the query has failed.
    func fetchFailed(_ error: any Error, isRetried: Bool) {
        wakeAll { state in
            state.endFetch()
            if isRetried { state.retryCount += 1 } else { state.failure = error }
        }
    }

    /// Fails the query without a fetch: its observers throw `error`.
    func fail(_ error: any Error) {
        wakeAll { state in if state.failure == nil { state.failure = error } }
    }

    /// Waits until there may be a value for the observer, or until the task is cancelled.
    func wait(_ progress: Progress, isolation: isolated (any Actor)?) async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            _ = isolation
            await withUnsafeContinuation { continuation in
                let mayWait = state.withLock { state in
                    let canFetch = state.isStale && !state.isFetching
                    guard !Task.isCancelled, !canFetch, state.failure == nil, !state.hasValue(for: progress) else {
                        return false
                    }
                    state.waiters[id] = continuation
                    return true
                }
                if !mayWait { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.resume()
        }
    }

    private func wakeAll(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// A value of an observed query without its type, an `ObservedValue`.
///
/// Nothing between a commit and the end of an observer's `next` is generic: other modules run generic code of this one
/// unspecialized, which delays every value.
typealias ErasedValue = any AnyObject & Sendable

final class ObservedValue<Value: Sendable>: Sendable {
    private let value: Value

    init(_ value: Value) {
        self.value = value
    }

    /// Returns the value of an object whose type the caller knows, by the type of its observation.
    static func value(of erased: ErasedValue) -> Value {
        unsafeDowncast(erased, to: Self.self).value
    }
}

/// A type-erased clock whose time 0 is that of its initialization.
package struct AnyClock: Sendable {
    package let now: @Sendable () -> Duration
    package let sleep: @Sendable (Duration) async throws -> Void

    package init(_ clock: some Clock<Duration>) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { duration in try await clock.sleep(until: clock.now.advanced(by: duration), tolerance: nil) }
    }
}
