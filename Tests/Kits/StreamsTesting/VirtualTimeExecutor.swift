import Dispatch
import Synchronization
import TestReporting

/// An executor that runs the jobs of tasks as work of a ``TestScheduler``: each at the tick at which it became ready,
/// one at a time.
///
/// Simultaneously ready jobs run in the order in which they became ready, or with a seed in an order that the seed
/// determines. Jobs that become ready after the deallocation of the scheduler run in real time, so that their tasks can
/// finish.
final class VirtualTimeExecutor: TaskExecutor {
    private struct State {
        var ready: [UnownedJob] = []
        /// The number of jobs at the start of `ready` that have been removed.
        var taken = 0
        var random: SeededGenerator?
        weak var scheduler: TestScheduler?

        /// Removes and returns the next job.
        mutating func takeNext() -> UnownedJob? {
            if taken == ready.count { return nil }
            if let bits = random?.next() { ready.swapAt(taken, taken + Int(bits % UInt64(ready.count - taken))) }
            taken += 1
            let next = ready[taken - 1]
            if taken > 64, taken * 2 > ready.count {
                ready.removeFirst(taken)
                taken = 0
            }
            return next
        }
    }

    private let state: Mutex<State>

    init(seed: UInt64?) { state = Mutex(State(random: seed.map(SeededGenerator.init(seed:)))) }

    /// Sets the scheduler that runs the jobs.
    func serve(_ scheduler: TestScheduler) { state.withLock { $0.scheduler = scheduler } }

    /// Runs the ready jobs and all later ones in real time.
    func release() {
        let ready = state.withLock { state in
            state.scheduler = nil
            defer { (state.ready, state.taken) = ([], 0) }
            return state.ready.dropFirst(state.taken)
        }
        for job in ready { runInRealTime(job) }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let scheduler = state.withLock { state in
            if state.scheduler != nil { state.ready.append(job) }
            return state.scheduler
        }
        guard let scheduler else { return runInRealTime(job) }
        scheduler.scheduleNow { [weak self] in self?.runNext() }
    }

    private func runNext() {
        let job = state.withLock { $0.takeNext() }
        job?.runSynchronously(on: asUnownedTaskExecutor())
    }

    private func runInRealTime(_ job: UnownedJob) {
        DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
