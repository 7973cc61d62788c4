import Dispatch
import Synchronization

/// Scheduling shared by the dispatch-queue schedulers.
extension DispatchQueue {
    /// Runs `action` on this queue.
    func run<State: Sendable>(
        _ state: State, _ action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable {
        let work = ScheduledWork(state, action)
        async { work.run() }
        return work
    }

    /// Runs `action` on this queue once `dueTime` has passed.
    func run<State: Sendable>(
        _ state: State, after dueTime: RxTimeInterval, leeway: DispatchTimeInterval,
        _ action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable {
        let work = ScheduledWork(state, action)
        let timer = TimerDisposable(on: self)
        timer.start(after: dueTime, every: .never, leeway: leeway) {
            work.run()
            timer.dispose()
        }
        return CompositeDisposable(timer, work)
    }

    /// Runs `action` on this queue after `dueTime` and then every `period`.
    ///
    /// One timer produces all ticks, so they do not drift by the duration of the action. Ticks that occur while the
    /// action runs are coalesced into one.
    func run<State: Sendable>(
        _ state: State, after dueTime: RxTimeInterval, every period: RxTimeInterval, leeway: DispatchTimeInterval,
        _ action: @escaping @Sendable (State) -> State
    ) -> any Disposable {
        let current = SerialState(state)
        let timer = TimerDisposable(on: self)
        timer.start(after: dueTime, every: period, leeway: leeway) {
            if !timer.isDisposed { current.value = action(current.value) }
        }
        return timer
    }
}

/// State that only the handler of one timer accesses. Dispatch never runs the handler concurrently with itself: hence
/// `@unchecked Sendable`.
private final class SerialState<Value>: @unchecked Sendable {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// A dispatch timer that is cancelled on disposal.
///
/// `@unchecked Sendable`: every property is a `let`; dispatch sources are thread-safe.
private final class TimerDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    private let resource = Resources.Counted()
    private let timer: any DispatchSourceTimer
    private let disposed = Atomic(false)

    init(on queue: DispatchQueue) {
        timer = DispatchSource.makeTimerSource(queue: queue)
    }

    var isDisposed: Bool { disposed.load(ordering: .acquiring) }

    /// Starts the timer. `handler` retains it until it is disposed.
    func start(
        after dueTime: RxTimeInterval, every period: RxTimeInterval, leeway: DispatchTimeInterval,
        _ handler: @escaping @Sendable () -> Void
    ) {
        timer.schedule(deadline: .now() + dueTime, repeating: period, leeway: leeway)
        timer.setEventHandler(handler: handler)
        timer.activate()
    }

    func dispose() {
        if disposed.exchange(true, ordering: .acquiringAndReleasing) { return }
        timer.setEventHandler(handler: nil)
        timer.cancel()
    }
}
