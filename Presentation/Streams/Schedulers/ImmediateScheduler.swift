/// A scheduler that runs work immediately, on the scheduling thread.
///
/// Nested work runs inside the work that schedules it, to any depth; ``CurrentThreadScheduler`` runs one item after the
/// other.
///
/// ```swift
/// let scheduler = ImmediateScheduler.instance
/// _ = scheduler.schedule("outer") { outer in
///     _ = scheduler.schedule("inner") { inner in
///         print(inner)
///         return Disposables.create()
///     }
///     print(outer)
///     return Disposables.create()
/// }    // prints inner outer
/// ```
public final class ImmediateScheduler: ImmediateSchedulerType {
    /// The shared scheduler; it acts on the thread that calls it.
    public static let instance = ImmediateScheduler()

    private init() {}

    /// Runs `action` on the calling thread, before it returns.
    @preconcurrency
    public func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        action(state)
    }
}
