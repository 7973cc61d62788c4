/// Runs work on the thread that schedules it, one piece after the other.
///
/// The first piece of work on a thread runs at once; what is scheduled while it runs waits until it returns. This is
/// the scheduler that `of`, `from`, `range` and their like use by default: it lets several of them interleave, and
/// keeps recursive work from growing the stack.
public final class CurrentThreadScheduler: ImmediateSchedulerType {
    /// The scheduler of whichever thread calls it.
    public static let instance = CurrentThreadScheduler()

    /// Whether the next piece of work on this thread would run at once.
    public static var isScheduleRequired: Bool { !Trampoline.current.isActive }

    /// Runs `action` at once, or after the work that is running on this thread.
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
