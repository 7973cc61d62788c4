/// A scheduler that runs work on the scheduling thread, one item after the other.
///
/// The first item on a thread runs immediately; items that are scheduled while it runs are enqueued until it returns.
/// `of`, `from`, `range` and similar sources use this scheduler by default: it interleaves several of them, and keeps
/// recursive work from growing the stack.
///
/// ```swift
/// let scheduler = CurrentThreadScheduler.instance
/// _ = scheduler.schedule("outer") { outer in
///     _ = scheduler.schedule("inner") { inner in
///         print(inner)
///         return Disposables.create()
///     }
///     print(outer)
///     return Disposables.create()
/// }    // prints outer inner
/// ```
public final class CurrentThreadScheduler: ImmediateSchedulerType {
    /// The shared scheduler; it acts on the thread that calls it.
    public static let instance = CurrentThreadScheduler()

    /// Whether the next item that is scheduled on this thread would run immediately.
    public static var isScheduleRequired: Bool { !Trampoline.current.isActive }

    /// Runs `action` immediately, or after the work that is running on this thread.
    public func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        guard Trampoline.enter() else {
            let item = ScheduledItem { action(state) }
            Trampoline.current.append(item)
            return item
        }
        let disposable = action(state)
        Trampoline.leave()
        return disposable
    }
}
