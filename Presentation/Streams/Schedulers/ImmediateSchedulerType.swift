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
