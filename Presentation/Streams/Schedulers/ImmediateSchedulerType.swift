/// Something that runs work: now, later on this thread, or on another.
@preconcurrency
public protocol ImmediateSchedulerType: Sendable {
    /// Runs `action` with `state`, as soon as the scheduler's way of working allows.
    ///
    /// - Returns: Disposes the work, started or not, and what `action` returned.
    func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable
}

extension ImmediateSchedulerType {
    /// Runs `action` with `state`; `action` may run itself again, with another state, by calling `recurse`.
    ///
    /// Each run is scheduled anew. A scheduler that runs work at once does not nest the runs: 100,000 of them need no
    /// more stack than one.
    ///
    /// ```swift
    /// CurrentThreadScheduler.instance.scheduleRecursive(3) { count, recurse in
    ///     print(count)
    ///     if count > 1 { recurse(count - 1) }
    /// }                                               // prints 3 2 1
    /// ```
    ///
    /// - Returns: Disposes the run that is scheduled, and prevents every later one.
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
///
/// `@unchecked Sendable`: the class it inherits from is; what it adds is `Sendable` by itself.
private final class Recursion<State: Sendable>: DisposeBase, @unchecked Sendable {
    private let scheduler: any ImmediateSchedulerType
    private let action: @Sendable (State, (State) -> Void) -> Void
    private let scheduled = CompositeDisposable()
    /// What a thread that is running the action has been asked to run next, by a scheduler that does not wait.
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

    override func dispose() {
        scheduled.dispose()
    }
}
