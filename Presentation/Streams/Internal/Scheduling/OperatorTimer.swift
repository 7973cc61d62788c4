public import Dispatch
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A restartable timer of an operator: it runs its work at the due time, inside the operator's gate.
///
/// Setting the timer replaces the previous due time. Cancelled work does not run, even if it was due and waiting for
/// the gate.
///
/// Operators such as `debounce` set the timer for each element, so setting it is cheap. In virtual time each setting
/// enqueues one item with the scheduler, without an allocation; items with the same due time run in the order in which
/// they were set. On other schedulers the timer wakes up once and then sleeps for the remaining time: postponing the
/// due time beyond a pending wake-up is one assignment.
///
/// `@unchecked Sendable`: non-atomic state is accessed only inside the gate, or before the operator is connected.
@usableFromInline
final class OperatorTimer: VirtualTimeItem, DisposeBase, @unchecked Sendable {
    private let resource = Resources.Counted()
    private enum Clock {
        /// Virtual time, on a scheduler that enqueues items without allocating.
        case virtual
        /// Dispatch queues. The `now` of their schedulers follows the system clock, which the user can set back; uptime is
        /// monotonic.
        case uptime
        case scheduler
    }

    private let clock: Clock
    /// The scheduler of the wake-ups; in virtual time another one, which is not used. Not an optional, because that would be
    /// copied for each use.
    private let scheduler: any SchedulerType
    /// The scheduler of virtual time. It retains an item until its due time, even if that is cancelled; so a disposed timer
    /// releases the scheduler.
    @exclusivity(unchecked) private var virtualScheduler: (any VirtualTimeItemScheduler)?
    private let output: SerializedSink
    /// `nil` once disposed.
    private let contents: Mutex<Contents?>
    /// The token of the current run or wake-up; runs with other tokens are cancelled.
    private let current = Atomic<UInt64>(0)
    /// The due time of the work in seconds; `nil` if the timer is not set.
    private var dueTime: Double?
    /// The time of the pending wake-up in seconds; `nil` if there is none.
    private var wakeTime: Double?
    /// The delay of the latest setting, in seconds.
    private var lastDelay = 0.0

    /// `@unchecked Sendable`: the work runs inside the gate, like the code that created it.
    private struct Contents: @unchecked Sendable {
        let work: (OperatorTimer) -> Void
        /// Cancels the pending wake-up.
        var wakeUp: SingleAssignmentDisposable?
    }

    /// - Parameter work: The work to run at the due time. It receives the timer, so that it can set it again, and is
    ///   released on disposal.
    @usableFromInline
    init(on scheduler: any SchedulerType, through output: SerializedSink, work: @escaping (OperatorTimer) -> Void) {
        self.output = output
        contents = Mutex(Contents(work: work))
        let scheduler = scheduler.asMainScheduler?.timers ?? scheduler
        let isOnDispatchQueue = scheduler.isOnDispatchQueue
        virtualScheduler = isOnDispatchQueue ? nil : scheduler as? any VirtualTimeItemScheduler
        clock = virtualScheduler != nil ? .virtual : isOnDispatchQueue ? .uptime : .scheduler
        self.scheduler = virtualScheduler == nil ? scheduler : MainScheduler.instance
    }

    /// Runs the work after `delay`, inside the gate, unless the subscription has ended. Call this inside the gate, or
    /// before connecting any source.
    @usableFromInline
    func set(after delay: RxTimeInterval) {
        guard let seconds = delay.seconds else { return cancel() }
        if let virtualScheduler {
            #if DEBUG
            let outer = SubscriptionRegistry.enter(output.chain)
            defer { SubscriptionRegistry.end(outer) }
            #endif
            let token = current.load(ordering: .relaxed) &+ 1
            current.store(token, ordering: .releasing)
            return virtualScheduler.enqueue(self, token, after: seconds)
        }
        let dueTime = now + seconds
        self.dueTime = dueTime
        lastDelay = seconds
        if let wakeTime, wakeTime <= dueTime { return }
        scheduleWakeUp(for: delay, until: dueTime)
    }

    private func cancel() {
        dueTime = nil
        current.store(current.load(ordering: .relaxed) &+ 1, ordering: .releasing)
        wakeTime = nil
    }

    private var now: Double {
        if clock == .uptime { return Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }
        return scheduler.now.timeIntervalSinceReferenceDate
    }

    private func scheduleWakeUp(for delay: RxTimeInterval, until time: Double) {
        wakeTime = time
        let token = current.load(ordering: .relaxed) &+ 1
        current.store(token, ordering: .releasing)
        // Stored before the timer can fire, so that it never replaces the handle of a later wake-up.
        let handle = SingleAssignmentDisposable()
        let (before, isDisposed) = contents.withLock { contents in
            let before = contents?.wakeUp.take()
            contents?.wakeUp = handle
            return (before, contents == nil)
        }
        before?.dispose()
        if isDisposed { return }
        #if DEBUG
        let outer = SubscriptionRegistry.enter(output.chain)
        defer { SubscriptionRegistry.end(outer) }
        #endif
        handle.setDisposable(
            scheduler.scheduleRelative(self, dueTime: delay) { timer in
                timer.run(token)
                return NopDisposable.shared
            })
    }

    override func isCancelled(_ token: UInt64) -> Bool { current.load(ordering: .acquiring) != token }

    override func run(_ token: UInt64) {
        if output.gate.enter() {
            if output.chain.isLive { runInside(token) }
            output.gate.leave()
        } else {
            output.pass { [self] in runInside(token) }
        }
    }

    private func runInside(_ token: UInt64) {
        if isCancelled(token) { return }
        if clock == .virtual {
            current.store(token &+ 1, ordering: .releasing)
            return runWork()
        }
        let wakeTime = wakeTime.take()
        guard let dueTime, let wakeTime else { return }
        // The scheduler decides when a delay is over, whatever its clock says: only a due time that was postponed since
        // has not come. If the clock was set back, the work is not delayed beyond the requested time.
        let remaining = dueTime > wakeTime ? min(dueTime - now, lastDelay) : 0
        if remaining > 1e-6 {
            scheduleWakeUp(for: RxTimeInterval(seconds: remaining), until: dueTime)
        } else {
            self.dueTime = nil
            runWork()
        }
    }

    private func runWork() {
        if let contents = contents.withLock({ $0 }) { contents.work(self) }
    }

    @usableFromInline
    func dispose() {
        current.store(.max, ordering: .releasing)
        let released = contents.withLock { $0.take() }
        released?.wakeUp?.dispose()
        withExtendedLifetime(released) {}  // its captures are released after the lock
        if clock != .virtual { return }
        if output.gate.enter() {
            virtualScheduler = nil
            output.gate.leave()
        } else {
            output.gate.pass(isSending: false) { [self] in virtualScheduler = nil }
        }
    }
}

/// A scheduler that runs an item at a due time without allocating a work object.
protocol VirtualTimeItemScheduler: AnyObject, SchedulerType {
    /// Runs the item with the token after `seconds`, unless that run is cancelled before.
    func enqueue(_ item: VirtualTimeItem, _ token: UInt64, after seconds: Double)
}
