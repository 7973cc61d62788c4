/// A type that runs work: immediately, later on the same thread, or on another thread.
///
/// ```swift
/// _ = CurrentThreadScheduler.instance.schedule("work") { state in
///     print(state)
///     return Disposables.create()
/// }    // prints work
/// ```
@preconcurrency
public protocol ImmediateSchedulerType: Sendable {
    /// Runs `action` with `state` as soon as the scheduler permits.
    ///
    /// - Returns: A disposable that cancels the work, or disposes the disposable that `action` returned.
    func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable
}

extension ImmediateSchedulerType {
    /// Runs `action` with `state`; `action` can schedule itself again, with another state, by calling `recurse`.
    ///
    /// Each run is scheduled separately. On a scheduler that runs work immediately the runs do not nest: 100,000 of
    /// them need no more stack than one.
    ///
    /// ```swift
    /// CurrentThreadScheduler.instance.scheduleRecursive(3) { count, recurse in
    ///     print(count)
    ///     if count > 1 { recurse(count - 1) }
    /// }                                               // prints 3 2 1
    /// ```
    ///
    /// - Returns: A disposable that cancels the scheduled run and all later runs.
    @preconcurrency
    public func scheduleRecursive<State: Sendable>(
        _ state: State, action: @escaping @Sendable (_ state: State, _ recurse: (State) -> Void) -> Void
    ) -> any Disposable {
        let recursion = Recursion(on: self, action)
        recursion.run(state)
        return recursion
    }
}

/// Work that schedules itself again.
private final class Recursion<State: Sendable>: DisposeBase {
    private let resource = Resources.Counted()
    private let scheduler: any ImmediateSchedulerType
    private let action: @Sendable (State, (State) -> Void) -> Void
    private let scheduled = CompositeDisposable()
    /// For each thread that is running the action, the states that a scheduler without a queue was asked to run next.
    private let nested = Mutex<[UInt: Queue<State>]>([:])

    init(
        on scheduler: any ImmediateSchedulerType, _ action: @escaping @Sendable (State, (State) -> Void) -> Void
    ) {
        self.scheduler = scheduler
        self.action = action
    }

    func run(_ state: State) {
        let slot = SingleAssignmentDisposable()
        guard let key = scheduled.insert(slot) else { return }
        slot.setDisposable(
            scheduler.schedule(state) { [self] state in
                perform(state)
                scheduled.remove(for: key)
                return NopDisposable.shared
            })
    }

    private func perform(_ state: State) {
        let thread = Thread.current
        let isNested = nested.withLock { nested in
            nested[thread]?.append(state)
            if nested[thread] != nil { return true }
            nested[thread] = Queue()
            return false
        }
        if isNested { return }
        var next: State? = state
        while let state = next {
            if !scheduled.isDisposed { action(state, run) }
            next = nested.withLock { nested in
                let next = nested[thread]?.popFirst()
                if next == nil { nested[thread] = nil }
                return next
            }
        }
    }

    func dispose() {
        scheduled.dispose()
    }
}
