/// One query, fetched once for all who observe it.
///
/// It owns no thread and no task: fetches are made by those who wait for a value, one of them for all, or, where there
/// are threads for it, in their name. So nobody fetches what nobody waits for, a commit does no more than mark the query
/// as stale and wake one observer or a thread, and an observer that is slow gets the newest value and none of those in
/// between.
final class SharedQuery<Value: Sendable>: ObservedQuery {
    /// What an observer is to do next.
    enum Step {
        case deliver(Value, version: UInt64)
        case fail(any Error)
        /// Fetch, for all, once this much time has passed.
        case fetch(after: Duration)
        case wait
    }

    private let state: Mutex<State>
    private let interval: Duration
    private let isUnchanged: @Sendable (Value, Value) -> Bool
    /// Has a thread fetch, and returns what cancels that; nil where observers fetch for themselves.
    private let startFetch: StartFetch?
    typealias StartFetch = @Sendable (SharedQuery) -> @Sendable () -> Void

    private struct State {
        var observerCount = 0
        var latest: Value?
        /// How many different values there were; 0 before the first.
        var version: UInt64 = 0
        var isStale = true
        var isFetching = false
        /// Cancels the fetch that a thread makes.
        var cancelFetch: (@Sendable () -> Void)?
        /// What the last fetch read.
        var region = Region.everything
        /// What was changed while a fetch was under way.
        var changedMeanwhile = Region()
        var failure: (any Error)?
        var retryCount = 0
        var lastFetch: Duration?
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter: UInt64 = 0

        mutating func endFetch() {
            (isFetching, cancelFetch) = (false, nil)
        }

        /// How long a fetch has to wait: for the interval, and longer and longer after failures.
        func delay(now: Duration, interval: Duration) -> Duration {
            guard let lastFetch else { return .zero }
            let pause = retryCount == 0 ? .zero : min(.milliseconds(20) * (1 << min(retryCount, 6)), .seconds(1))
            return lastFetch + max(interval, pause) - now
        }
    }

    init(interval: Duration, isUnchanged: @escaping @Sendable (Value, Value) -> Bool, startFetch: StartFetch?) {
        self.interval = interval
        self.isUnchanged = isUnchanged
        self.startFetch = startFetch
        state = Mutex(State())
    }

    func retain() {
        state.withLock { $0.observerCount += 1 }
    }

    func release() -> Bool {
        state.withLock { state in
            state.observerCount -= 1
            return state.observerCount == 0
        }
    }

    func observerLeft() {
        let (waiter, cancelFetch) = state.withLock { state in
            (
                state.isStale && !state.isFetching ? state.waiters.popFirst()?.value : nil,
                state.observerCount == 0 ? state.cancelFetch : nil
            )
        }
        waiter?.resume()
        cancelFetch?()
    }

    func committed(_ region: Region) {
        let (waiter, fetch) = state.withLock { state -> (CheckedContinuation<Void, Never>?, StartFetch?) in
            if state.isFetching {
                state.changedMeanwhile.formUnion(region)
                return (nil, nil)
            }
            guard !state.isStale, region.overlaps(state.region) else { return (nil, nil) }
            state.isStale = true
            // One that has to wait first is better made by an observer, who can.
            if let startFetch, !state.waiters.isEmpty, interval == .zero, state.retryCount == 0 {
                state.isFetching = true
                return (nil, startFetch)
            }
            return (state.waiters.popFirst()?.value, nil)
        }
        waiter?.resume()
        guard let cancelFetch = fetch?(self) else { return }
        // It may be over already.
        state.withLock { state in if state.isFetching { state.cancelFetch = cancelFetch } }
    }

    var isStale: Bool {
        state.withLock { $0.isStale }
    }

    /// What the observer that has seen `version` is to do. One that has just been made to wait takes what there is; one
    /// that comes fresh would rather have the newest.
    func step(after version: UInt64, hasWaited: Bool, now: Duration) -> Step {
        state.withLock { state in
            if let failure = state.failure { return .fail(failure) }
            let canFetch = state.isStale && !state.isFetching
            let delay = canFetch ? state.delay(now: now, interval: interval) : .zero
            let isFetchDue = canFetch && delay <= .zero
            if let latest = state.latest, state.version > version, hasWaited || !isFetchDue {
                return .deliver(latest, version: state.version)
            }
            guard canFetch else { return .wait }
            state.isFetching = true
            return .fetch(after: delay)
        }
    }

    /// Called right before the fetch begins.
    func fetchBegins(now: Duration) {
        state.withLock { state in
            state.lastFetch = now
            state.changedMeanwhile = Region()
        }
    }

    func fetched(_ value: Value, region: Region) {
        // Nobody else fetches meanwhile, so nobody else changes it; and `==` is not to run under a lock.
        let earlier = state.withLock { $0.latest }
        let isNew = earlier.map { !isUnchanged($0, value) } ?? true
        wakeAll { state in
            state.endFetch()
            state.region = region
            state.isStale = state.changedMeanwhile.overlaps(region)
            state.retryCount = 0
            if isNew {
                state.latest = value
                state.version += 1
            }
        }
        // Until here the earlier value was held, so that it did not end under the lock either.
        withExtendedLifetime(earlier) {}
    }

    /// The fetch was cancelled with the task that made it; another observer may take over.
    func fetchAbandoned() {
        let waiter = state.withLock { state in
            state.endFetch()
            return state.waiters.popFirst()?.value
        }
        waiter?.resume()
    }

    func fetchFailed(_ health: ObservationHealth) {
        wakeAll { state in
            state.endFetch()
            switch health {
            case .live: break
            case .retrying: state.retryCount += 1
            case .failed(let error): state.failure = error
            }
        }
    }

    /// Waits until something may have changed since `version`, or the task is cancelled.
    func wait(after version: UInt64, isolation: isolated (any Actor)?) async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            _ = isolation
            await withCheckedContinuation { continuation in
                let mayWait = state.withLock { state in
                    let canFetch = state.isStale && !state.isFetching
                    guard !Task.isCancelled, !canFetch, state.failure == nil, state.version <= version else {
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
