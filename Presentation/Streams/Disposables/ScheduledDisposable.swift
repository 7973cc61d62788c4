/// Disposes the underlying disposable on a scheduler.
///
/// ```swift
/// let scheduler = HistoricalScheduler()
/// let connection = Disposables.create { print("closed") }
/// ScheduledDisposable(scheduler: scheduler, disposable: connection).dispose()
/// print("scheduled")    // prints scheduled
/// scheduler.start()     // prints closed
/// ```
public final class ScheduledDisposable: DisposeBase, Cancelable {
    private let resource = Resources.Counted()
    /// The scheduler on which the underlying disposable is disposed.
    public let scheduler: any ImmediateSchedulerType
    /// `nil` once disposed.
    private let disposable: Mutex<(any Disposable)?>

    /// Creates a disposable that disposes `disposable` on `scheduler`.
    public init(scheduler: any ImmediateSchedulerType, disposable: any Disposable) {
        self.scheduler = scheduler
        self.disposable = Mutex(disposable)
    }

    /// Whether the underlying disposable is disposed.
    public var isDisposed: Bool { disposable.withLock { $0 == nil } }

    /// Schedules the disposal, which happens when the scheduler runs its work.
    public func dispose() {
        // Nothing may cancel this work, so its handle is dropped.
        _ = scheduler.schedule(self) { disposable in
            disposable.disposable.withLock { $0.take() }?.dispose()
            return NopDisposable.shared
        }
    }
}
