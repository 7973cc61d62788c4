/// The timer of an operator: at most one piece of work that is due later, done inside the operator's gate.
///
/// Setting it again calls off what was set before. What is called off is not done, even when its time had come and
/// it was waiting for its turn at the gate.
///
/// `@unchecked Sendable`: `number` is touched inside the gate only.
@usableFromInline
final class Alarm: DisposeBase, @unchecked Sendable {
    private let scheduler: any SchedulerType
    private let confluence: Confluence
    private let scheduled = SerialDisposable()
    /// The number of the work that was set last.
    private var number = 0

    @usableFromInline
    init(on scheduler: any SchedulerType, through confluence: Confluence) {
        self.scheduler = scheduler
        self.confluence = confluence
    }

    /// Does `work` after `dueTime`, inside the gate, unless the subscription has ended. To be called inside the gate,
    /// or before anything was connected that sends.
    @usableFromInline
    func set(after dueTime: RxTimeInterval, _ work: @escaping () -> Void) {
        number += 1
        let handle = SingleAssignmentDisposable()
        scheduled.disposable = handle
        #if DEBUG
            let outer = SubscriptionRegistry.enter(confluence.chain)
            defer { SubscriptionRegistry.end(outer) }
        #endif
        let work = Gate.Work { [self, number] in if self.number == number { work() } }
        handle.setDisposable(
            scheduler.scheduleRelative(work, dueTime: dueTime) { [confluence] work in
                confluence.pass(work.run)
                return NopDisposable.shared
            })
    }

    @usableFromInline
    override func dispose() {
        scheduled.dispose()
    }
}
