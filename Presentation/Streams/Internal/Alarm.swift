public import Dispatch
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The timer of an operator: it does its work when it is due, inside the operator's gate.
///
/// Setting it again replaces the time that was set before. Work that was called off is not done, even when its time had
/// come and it was waiting for its turn at the gate.
///
/// Operators such as `debounce` set the alarm again for each element, so that is cheap. In virtual time each setting is
/// an appointment with the scheduler, without an allocation: work that is due at the same time keeps the order in which
/// it was set. On any other scheduler the alarm sleeps on when it is woken before its time: setting it later than it is
/// going to wake anyway is an assignment.
///
/// `@unchecked Sendable`: what is not atomic is touched inside the gate only, or before the operator is connected.
@usableFromInline
final class Alarm: AgendaItem, @unchecked Sendable {
    private enum Clock {
        /// A scheduler that makes appointments.
        case virtual(any AppointmentScheduler)
        /// A scheduler on dispatch queues, whose `now` may be set back by the user: uptime cannot.
        case uptime
        case scheduler
    }

    private let scheduler: any SchedulerType
    private let confluence: Confluence
    /// `nil` once disposed.
    private let work: Mutex<Work?>
    private let clock: Clock
    /// The appointment, or the waking, that counts; others were called off.
    private let current = Atomic<UInt64>(0)
    /// When the work is due, in seconds; `nil` when it is not.
    private var dueTime: Double?
    /// When the alarm wakes, in seconds; `nil` when it is not asleep.
    private var wakeTime: Double?
    /// The time for which it was set last, in seconds.
    private var lastDelay = 0.0
    private let sleep = SerialDisposable()

    /// `@unchecked Sendable`: it runs inside the gate, like the code that made it.
    private struct Work: @unchecked Sendable {
        let run: (Alarm) -> Void
    }

    /// - Parameter work: What to do when it is due. It takes the alarm, to set it again, and is released on disposal.
    @usableFromInline
    init(on scheduler: any SchedulerType, through confluence: Confluence, work: @escaping (Alarm) -> Void) {
        self.scheduler = scheduler
        self.confluence = confluence
        self.work = Mutex(Work(run: work))
        clock =
            if scheduler is SerialDispatchQueueScheduler || scheduler is ConcurrentDispatchQueueScheduler {
                .uptime
            } else if let scheduler = scheduler as? any AppointmentScheduler {
                .virtual(scheduler)
            } else {
                .scheduler
            }
    }

    /// Does the work after `delay`, inside the gate, unless the subscription has ended. To be called inside the gate, or
    /// before anything was connected that sends.
    @usableFromInline
    func set(after delay: RxTimeInterval) {
        guard let seconds = delay.seconds else { return callOff() }
        if case .virtual(let scheduler) = clock {
            #if DEBUG
                let outer = SubscriptionRegistry.enter(confluence.chain)
                defer { SubscriptionRegistry.end(outer) }
            #endif
            let token = current.load(ordering: .relaxed) &+ 1
            current.store(token, ordering: .releasing)
            return scheduler.makeAppointment(with: self, token, after: seconds)
        }
        let dueTime = now + seconds
        self.dueTime = dueTime
        lastDelay = seconds
        if let wakeTime, wakeTime <= dueTime { return }
        fallAsleep(for: delay, until: dueTime)
    }

    private func callOff() {
        dueTime = nil
        current.store(current.load(ordering: .relaxed) &+ 1, ordering: .releasing)
        wakeTime = nil
    }

    private var now: Double {
        if case .uptime = clock { return Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }
        return scheduler.now.timeIntervalSinceReferenceDate
    }

    private func fallAsleep(for delay: RxTimeInterval, until time: Double) {
        wakeTime = time
        let token = current.load(ordering: .relaxed) &+ 1
        current.store(token, ordering: .releasing)
        // In place before the alarm can wake, so that it never replaces the handle of a later sleep.
        let handle = SingleAssignmentDisposable()
        sleep.disposable = handle
        #if DEBUG
            let outer = SubscriptionRegistry.enter(confluence.chain)
            defer { SubscriptionRegistry.end(outer) }
        #endif
        handle.setDisposable(
            scheduler.scheduleRelative(self, dueTime: delay) { alarm in
                alarm.run(token)
                return NopDisposable.shared
            })
    }

    override func isCalledOff(_ token: UInt64) -> Bool { current.load(ordering: .acquiring) != token }

    override func run(_ token: UInt64) {
        if confluence.gate.enter() {
            if confluence.chain.isLive { runInside(token) }
            confluence.gate.leave()
        } else {
            confluence.pass { [self] in runInside(token) }
        }
    }

    private func runInside(_ token: UInt64) {
        if isCalledOff(token) { return }
        if case .virtual = clock {
            current.store(token &+ 1, ordering: .releasing)
            return doWork()
        }
        wakeTime = nil
        guard let dueTime else { return }
        // A scheduler whose clock was set back does not delay the work by more than was asked for.
        let remaining = min(dueTime - now, lastDelay)
        if remaining > 1e-6 {
            fallAsleep(for: .nanoseconds(Int((remaining * 1e9).rounded(.up))), until: now + remaining)
        } else {
            self.dueTime = nil
            doWork()
        }
    }

    private func doWork() {
        if let work = work.withLock({ $0 }) { work.run(self) }
    }

    @usableFromInline
    override func dispose() {
        current.store(.max, ordering: .releasing)
        sleep.dispose()
        let released = work.withLock { $0.take() }
        withExtendedLifetime(released) {}  // what it captures is released after the lock
    }
}

/// A scheduler that wakes an item at a time without an allocation for it.
protocol AppointmentScheduler: SchedulerType {
    /// Runs the item with the token, unless that is called off by then.
    func makeAppointment(with item: AgendaItem, _ token: UInt64, after seconds: Double)
}
