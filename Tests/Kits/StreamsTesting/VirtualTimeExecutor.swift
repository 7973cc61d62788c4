import Dispatch
import Synchronization

/// Runs the jobs of tasks as work of a ``TestScheduler``: each at the tick at which it became ready, one at a time.
///
/// Jobs that are ready together run in the order in which they became so; with a seed, in an order of the seed's.
/// Jobs that become ready when the scheduler is gone run in real time, so that their tasks can end.
final class VirtualTimeExecutor: TaskExecutor {
    private struct State {
        var ready: [UnownedJob] = []
        /// How many at the beginning of `ready` have been taken.
        var taken = 0
        var random: SplitMix64?
        weak var scheduler: TestScheduler?

        /// The job to run next.
        mutating func takeNext() -> UnownedJob? {
            if taken == ready.count { return nil }
            if let index = random?.next(below: ready.count - taken) { ready.swapAt(taken, taken + index) }
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

    init(seed: UInt64?) {
        state = Mutex(State(random: seed.map(SplitMix64.init(seed:))))
    }

    /// Makes the scheduler the one that runs the jobs.
    func serve(_ scheduler: TestScheduler) {
        state.withLock { $0.scheduler = scheduler }
    }

    /// Runs in real time what is ready, and what will be.
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

/// A small generator of pseudo-random numbers: the same numbers for the same seed, on every platform.
struct SplitMix64 {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// A number from 0 up to `bound`, exclusive.
    mutating func next(below bound: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((bits ^ (bits >> 31)) % UInt64(bound))
    }
}
