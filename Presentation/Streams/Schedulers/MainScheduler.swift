import Dispatch
import Synchronization

/// Runs work on the main queue: the one for what the user sees.
///
/// - Work scheduled on the main queue, while none waits, runs at once: no turn of the loop is lost.
/// - Everything else runs in the order in which it was scheduled.
///
/// ``asyncInstance`` is the same without the first rule.
public final class MainScheduler: SerialDispatchQueueScheduler, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    /// The main queue's scheduler.
    public static let instance = MainScheduler()

    /// As ``instance``, but work never runs before the call that schedules it returns.
    public static let asyncInstance = SerialDispatchQueueScheduler(serialQueue: .main)

    /// The main queue: asked for once, since each time makes an object.
    private static let queue = DispatchQueue.main
    /// Work that waits or runs.
    private let enqueued = Atomic(0)
    /// Whether `observe(on:)` delivers what it receives on the main queue at once, if none of its own events waits: so
    /// what a driver or a signal sends there is there when the send returns.
    let isOfSharedSequence: Bool

    /// A scheduler of the main queue.
    public convenience init() {
        self.init(isOfSharedSequence: false)
    }

    init(isOfSharedSequence: Bool) {
        self.isOfSharedSequence = isOfSharedSequence
        super.init(serialQueue: Self.queue)
    }

    /// Stops the program unless it is on the main queue.
    ///
    /// - Parameter errorMessage: What to say then.
    public static func ensureExecutingOnScheduler(errorMessage: String? = nil) {
        precondition(
            DispatchQueue.isMain,
            errorMessage ?? "not on the main queue: put `.observe(on: MainScheduler.instance)` before this")
    }

    /// Stops the program unless it is on the main queue.
    ///
    /// - Parameter errorMessage: What to say then.
    public static func ensureRunningOnMainThread(errorMessage: String? = nil) {
        ensureExecutingOnScheduler(errorMessage: errorMessage)
    }

    override func scheduleInternal<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let before = enqueued.add(1, ordering: .acquiringAndReleasing).oldValue
        if before == 0, DispatchQueue.isMain {
            defer { enqueued.subtract(1, ordering: .acquiringAndReleasing) }
            return action(state)
        }
        let work = ScheduledWork(state, action)
        DispatchQueue.main.async { [self] in
            work.run()
            enqueued.subtract(1, ordering: .acquiringAndReleasing)
        }
        return work
    }
}

extension MainScheduler {
    /// Whether the code that asks runs on the main queue.
    @usableFromInline static var isOnMainQueue: Bool { DispatchQueue.isMain }
}

extension DispatchQueue {
    private static let mainKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the code that asks runs on the main queue.
    static var isMain: Bool { DispatchQueue.getSpecific(key: mainKey) ?? false }
}
