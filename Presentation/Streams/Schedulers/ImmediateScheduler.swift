/// Runs work at once, on the thread that schedules it.
///
/// Work that schedules more work runs that inside itself, to any depth; ``CurrentThreadScheduler`` runs one piece
/// after the other.
public final class ImmediateScheduler: ImmediateSchedulerType {
    /// The scheduler of whichever thread calls it.
    public static let instance = ImmediateScheduler()

    private init() {}

    /// Runs `action` before it returns.
    @preconcurrency
    public func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        action(state)
    }
}
