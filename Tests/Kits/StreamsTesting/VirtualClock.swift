import Streams
import Synchronization

/// The clock of a ``TestScheduler`` for `async` code: its sleeps end when the scheduler gets there.
///
/// ```swift
/// let scheduler = TestScheduler(resolution: 0.001)
/// let clock = scheduler.virtualClock
/// let greeting = try scheduler.run {
///     try await clock.sleep(for: .seconds(3600))
///     return "good morning"
/// }                                                // at once
/// #expect(clock.now.offset == .seconds(3600))
/// ```
public struct VirtualClock: Clock {
    /// A moment of virtual time.
    public struct Instant: InstantProtocol {
        /// The time since tick 0.
        public let offset: Duration

        /// The moment `offset` after tick 0.
        public init(offset: Duration) {
            self.offset = offset
        }

        /// The moment `duration` later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// The time from here to `other`.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Which comes first.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    let sleepers: Sleepers

    /// What time it is.
    public var now: Instant { sleepers.now }

    /// The length of a tick.
    public var minimumResolution: Duration { sleepers.tickLength }

    /// Waits until the scheduler reaches `deadline`: the first tick that is not before it.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before, or the scheduler is gone.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        try await sleepers.sleep(until: deadline)
    }
}

/// Those who sleep on a ``VirtualClock``.
final class Sleepers: Sendable {
    private struct State {
        var asleep: [Int: Sleeper] = [:]
        var nextNumber = 0
        weak var scheduler: TestScheduler?
        /// The clock's last reading, for when the scheduler is gone.
        var lastTick = 0
    }

    private struct Sleeper {
        let wake: Promise<Void>
        let origin: TaskOrigin?
    }

    private let state = Mutex(State())
    private let resolution: Double

    init(resolution: Double) {
        self.resolution = resolution
    }

    /// Makes the scheduler the one that wakes them.
    func serve(_ scheduler: TestScheduler) {
        state.withLock { $0.scheduler = scheduler }
    }

    var tickLength: Duration { duration(of: 1) }

    var now: VirtualClock.Instant {
        let scheduler = state.withLock { $0.scheduler }
        let tick = scheduler?.clock ?? state.withLock { $0.lastTick }
        return VirtualClock.Instant(offset: duration(of: tick))
    }

    /// To the nanosecond, so that 3 ticks of a millisecond are 3 milliseconds.
    func duration(of ticks: Int) -> Duration {
        .nanoseconds(Int64((Double(ticks) * resolution * 1e9).rounded()))
    }

    /// The least number of ticks that takes `duration`.
    func ticks(for duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        let exact = (Double(seconds) + Double(attoseconds) / 1e18) / resolution
        // Lengths that are a whole number of ticks but for rounding count as that number.
        let nearest = exact.rounded()
        return Int(abs(exact - nearest) < 1e-6 ? nearest : exact.rounded(.up))
    }

    func sleep(until deadline: VirtualClock.Instant) async throws {
        let (wake, alarm, number) = try setAlarm(at: deadline)
        try await wake.value { [weak self] in
            alarm.dispose()
            _ = self?.remove(number)
        }
    }

    /// Not part of `sleep`, so that who sleeps does not keep the scheduler alive.
    private func setAlarm(
        at deadline: VirtualClock.Instant
    ) throws -> (wake: Promise<Void>, alarm: any Disposable, number: Int) {
        guard let scheduler = state.withLock({ $0.scheduler }) else { throw CancellationError() }
        let wake = Promise<Void>()
        let tick = max(ticks(for: deadline.offset), scheduler.clock)
        let origin = TaskOrigin.ofThisTask
        let number = add(Sleeper(wake: wake, origin: origin))
        let purpose = "a sleep" + (origin.map { " in \($0)" } ?? "")
        let alarm = scheduler.schedule((), at: tick, for: purpose) { [weak self] in
            self?.remove(number)?.wake.resolve(.success(()))
            return Disposables.create()
        }
        return (wake, alarm, number)
    }

    /// Wakes everyone with an error, for the scheduler that would wake them is gone.
    func release(at tick: TestTime) {
        let asleep = state.withLock { state in
            state.scheduler = nil
            state.lastTick = tick
            defer { state.asleep = [:] }
            return state.asleep.values
        }
        for sleeper in asleep { sleeper.wake.resolve(.failure(CancellationError())) }
    }

    /// The tasks that sleep.
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
