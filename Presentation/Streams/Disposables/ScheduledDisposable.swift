/// Disposes on a scheduler what it holds.
public final class ScheduledDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    /// Where it disposes.
    public let scheduler: any ImmediateSchedulerType
    /// `nil` once disposed.
    private let disposable: Mutex<(any Disposable)?>

    /// Holds `disposable`, to dispose it on `scheduler`.
    public init(scheduler: any ImmediateSchedulerType, disposable: any Disposable) {
        self.scheduler = scheduler
        self.disposable = Mutex(disposable)
    }

    /// Whether what it held was disposed.
    public var isDisposed: Bool { disposable.withLock { $0 == nil } }

    /// Schedules the disposal.
    public override func dispose() {
        // Nothing is to stop this work: its handle is let go.
        _ = scheduler.schedule(self) { disposable in
            disposable.disposable.withLock { $0.take() }?.dispose()
            return NopDisposable.shared
        }
    }
}
