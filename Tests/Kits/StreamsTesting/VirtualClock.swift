import Streams
import Synchronization

/// The clock of a ``TestScheduler`` for `async` code: its sleeps end when the scheduler reaches their deadline.
///
/// ```swift
/// let scheduler = TestScheduler(resolution: 0.001)
/// let clock = scheduler.virtualClock
/// let greeting = try scheduler.run {
///     try await clock.sleep(for: .seconds(3600))
///     return "good morning"
/// }                                                // returns immediately
/// #expect(clock.now.offset == .seconds(3600))
/// ```
public struct VirtualClock: Clock {
    /// A point in virtual time.
    ///
    /// ```swift
    /// let start = VirtualClock.Instant(offset: .zero)
    /// start.duration(to: start.advanced(by: .seconds(60)))    // 60 seconds
    /// ```
    public struct Instant: InstantProtocol {
        public let offset: Duration

        public init(offset: Duration) { self.offset = offset }

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        public func duration(to other: Instant) -> Duration { other.offset - offset }

        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    let sleepQueue: SleepQueue

    /// The current virtual time.
    public var now: Instant { sleepQueue.now }

    /// The length of a tick.
    public var minimumResolution: Duration { sleepQueue.tickLength }

    /// Waits until the scheduler reaches the first tick that is not before `deadline`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before, or the scheduler is deallocated.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        try await sleepQueue.sleep(until: deadline)
    }
}

/// The tasks that sleep on a ``VirtualClock``.
final class SleepQueue: Sendable {
    private struct State {
        var asleep: [Int: Sleeper] = [:]
        var nextNumber = 0
        weak var scheduler: TestScheduler?
        /// The last tick, for use after the deallocation of the scheduler.
        var lastTick = 0
    }

    private struct Sleeper {
        let wake: Promise<Void>
        let origin: TaskOrigin?
    }

    private let state = Mutex(State())
    private let resolution: Double

    init(resolution: Double) { self.resolution = resolution }

    /// Sets the scheduler that resumes the tasks.
    func serve(_ scheduler: TestScheduler) { state.withLock { $0.scheduler = scheduler } }

    var tickLength: Duration { duration(of: 1) }

    var now: VirtualClock.Instant {
        let scheduler = state.withLock { $0.scheduler }
        let tick = scheduler?.clock ?? state.withLock { $0.lastTick }
        return VirtualClock.Instant(offset: duration(of: tick))
    }

    /// The longest time, in seconds, that 64 bits hold in nanoseconds: 292 years.
    private static let longest = Double(Int64.max) / 1e9

    /// Rounds to the nanosecond, so that 3 ticks of a millisecond are 3 milliseconds.
    func duration(of ticks: Int) -> Duration {
        let seconds = Double(ticks) * resolution
        return abs(seconds) < Self.longest ? .nanoseconds(Int64((seconds * 1e9).rounded())) : .seconds(seconds)
    }

    /// Returns the smallest number of ticks that is not shorter than `duration`; `nil` if it is longer than 292 years.
    func ticks(for duration: Duration) -> Int? {
        let (seconds, attoseconds) = duration.components
        let exact = (Double(seconds) + Double(attoseconds) / 1e18) / resolution
        // A duration that is a whole number of ticks except for rounding counts as that number.
        let nearest = exact.rounded()
        let ticks = abs(exact - nearest) < 1e-6 ? nearest : exact.rounded(.up)
        // Half of what an integer holds, so that the current tick can be added.
        let most = Double(Int.max / 2)
        return exact * resolution >= Self.longest || ticks >= most ? nil : Int(max(ticks, -most))
    }

    func sleep(until deadline: VirtualClock.Instant) async throws {
        let (wake, timer, number) = try scheduleWakeUp(at: deadline)
        try await wake.value { [weak self] in
            timer.dispose()
            _ = self?.remove(number)
        }
    }

    /// Not part of `sleep`, so that a sleeping task does not retain the scheduler.
    private func scheduleWakeUp(
        at deadline: VirtualClock.Instant
    ) throws -> (wake: Promise<Void>, timer: any Disposable, number: Int) {
        guard let scheduler = state.withLock({ $0.scheduler }) else { throw CancellationError() }
        let wake = Promise<Void>()
        guard let ticks = ticks(for: deadline.offset) else {
            // It sleeps until it is cancelled, and is not listed among the timers.
            return (wake, Disposables.create(), add(Sleeper(wake: wake, origin: nil)))
        }
        let tick = max(ticks, scheduler.clock)
        let origin = TaskOrigin.ofThisTask
        let number = add(Sleeper(wake: wake, origin: origin))
        let purpose = "a sleep" + (origin.map { " in \($0)" } ?? "")
        let timer = scheduler.schedule((), at: tick, for: purpose) { [weak self] in
            self?.remove(number)?.wake.resolve(.success(()))
            return Disposables.create()
        }
        return (wake, timer, number)
    }

    /// Resumes all tasks with an error, because their scheduler is deallocated.
    func release(at tick: TestTime) {
        let asleep = state.withLock { state in
            state.scheduler = nil
            state.lastTick = tick
            defer { state.asleep = [:] }
            return state.asleep.values
        }
        for sleeper in asleep { sleeper.wake.resolve(.failure(CancellationError())) }
    }

    var tasks: [TaskOrigin] { state.withLock { $0.asleep.values.compactMap(\.origin) } }

    private func add(_ sleeper: Sleeper) -> Int {
        state.withLock { state in
            state.nextNumber += 1
            state.asleep[state.nextNumber] = sleeper
            return state.nextNumber
        }
    }

    private func remove(_ number: Int) -> Sleeper? {
        state.withLock { $0.asleep.removeValue(forKey: number) }
    }
}
