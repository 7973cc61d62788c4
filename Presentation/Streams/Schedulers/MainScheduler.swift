import Dispatch
import Synchronization

/// A scheduler that runs work on the main queue, for user interface code.
///
/// - Work that is scheduled on the main queue while no work is enqueued runs immediately, without waiting for the next
///   turn of the run loop.
/// - All other work runs in the order in which it was scheduled.
///
/// ``asyncInstance`` omits the first rule.
///
/// ```swift
/// profile.observe(on: MainScheduler.instance)
///     .subscribe(onNext: { label.text = $0.name })    // sets the text on the main queue
/// ```
public final class MainScheduler: SerialDispatchQueueScheduler, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    /// The shared scheduler of the main queue.
    public static let instance = MainScheduler()

    /// A scheduler of the main queue that never runs work before the scheduling call returns.
    public static let asyncInstance = SerialDispatchQueueScheduler(serialQueue: .main)

    /// The main queue, stored because each access to `DispatchQueue.main` creates an object.
    private static let queue = DispatchQueue.main
    /// The number of work items that are enqueued, or were and run.
    private let enqueued = Atomic(0)
    /// Whether work that was not enqueued runs. Only the main queue changes it, and depends on its value.
    private let isRunning = Atomic(false)
    /// Whether `observe(on:)` delivers an event that arrives on the main queue immediately if none of its own events is
    /// waiting. Then the observers of a driver or a signal have received an element when the send on the main queue
    /// returns.
    let isOfSharedSequence: Bool

    /// Creates a scheduler of the main queue.
    public convenience init() { self.init(isOfSharedSequence: false) }

    init(isOfSharedSequence: Bool) {
        self.isOfSharedSequence = isOfSharedSequence
        super.init(serialQueue: Self.queue)
    }

    /// Stops the program if the current queue is not the main queue.
    ///
    /// - Parameter errorMessage: The message to print in that case.
    public static func ensureExecutingOnScheduler(errorMessage: String? = nil) {
        precondition(
            DispatchQueue.isMain,
            errorMessage ?? "not on the main queue; add `.observe(on: MainScheduler.instance)` before this operator")
    }

    /// Stops the program if the current queue is not the main queue.
    ///
    /// - Parameter errorMessage: The message to print in that case.
    public static func ensureRunningOnMainThread(errorMessage: String? = nil) {
        ensureExecutingOnScheduler(errorMessage: errorMessage)
    }

    /// Runs `action` before it returns, if this is called on the main queue and no work is enqueued.
    ///
    /// - Parameter isOnMainQueue: Whether this is known to be called on the main queue.
    /// - Returns: Whether it ran.
    @usableFromInline
    package func runNow(isOnMainQueue: Bool = false, _ action: () -> Void) -> Bool {
        guard isOnMainQueue || DispatchQueue.isMain, isIdle else { return false }
        runImmediately(action)
        return true
    }

    private var isIdle: Bool { !isRunning.load(ordering: .relaxed) && enqueued.load(ordering: .acquiring) == 0 }

    /// Called on the main queue.
    private func runImmediately<Result>(_ work: () -> Result) -> Result {
        isRunning.store(true, ordering: .relaxed)
        defer { isRunning.store(false, ordering: .relaxed) }
        return MainActorCheck.passed(work)
    }

    override func scheduleInternal<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        if isIdle, DispatchQueue.isMain { return runImmediately { action(state) } }
        enqueued.add(1, ordering: .acquiringAndReleasing)
        let work = ScheduledWork(state, action)
        DispatchQueue.main.async { [self] in
            work.run()
            enqueued.subtract(1, ordering: .acquiringAndReleasing)
        }
        return work
    }
}

extension MainScheduler {
    /// Whether the current code runs on the main queue.
    @usableFromInline static var isOnMainQueue: Bool { DispatchQueue.isMain }
}

extension DispatchQueue {
    private static let mainKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the current code runs on the main queue. Comparing threads takes a fraction of the time of the look-up.
    static var isMain: Bool { MainActorCheck.isPassed || DispatchQueue.getSpecific(key: mainKey) ?? false }
}
