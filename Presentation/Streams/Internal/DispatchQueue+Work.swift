import Dispatch
import Synchronization

/// What the schedulers on dispatch queues have in common.
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
    /// The ticks are those of one timer, so that they do not drift by the time the action takes; ticks that come
    /// while it runs are merged into one.
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

/// State touched by the runs of one timer, which dispatch does not let overlap: hence `@unchecked Sendable`.
private final class SerialState<Value>: @unchecked Sendable {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// A dispatch timer that disposing cancels.
///
/// `@unchecked Sendable`: the class it inherits from is; what it adds is `Sendable` by itself.
private final class TimerDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    private let timer: any DispatchSourceTimer
    private let disposed = Atomic(false)

    init(on queue: DispatchQueue) {
        timer = DispatchSource.makeTimerSource(queue: queue)
    }

    var isDisposed: Bool { disposed.load(ordering: .acquiring) }

    /// Keeps itself alive by `handler` until it is disposed.
    func start(
        after dueTime: RxTimeInterval, every period: RxTimeInterval, leeway: DispatchTimeInterval,
        _ handler: @escaping @Sendable () -> Void
    ) {
        timer.schedule(deadline: .now() + dueTime, repeating: period, leeway: leeway)
        timer.setEventHandler(handler: handler)
        timer.activate()
    }

    override func dispose() {
        if disposed.exchange(true, ordering: .acquiringAndReleasing) { return }
        timer.setEventHandler(handler: nil)
        timer.cancel()
    }
}
