import Synchronization

/// A resource that can be cancelled or released: a subscription, a timer, scheduled work.
///
/// ```swift
/// let subscription = Observable<Int>.never().subscribe(onDisposed: { print("disposed") })
/// subscription.dispose()    // prints disposed
/// subscription.dispose()    // nothing happens
/// ```
@preconcurrency
public protocol Disposable: Sendable {
    /// Cancels or releases the resource. Idempotent, and callable from any thread.
    func dispose()
}

/// A disposable that reports whether it is disposed.
///
/// ```swift
/// let disposable = Disposables.create {}
/// print(disposable.isDisposed)    // prints false
/// disposable.dispose()
/// print(disposable.isDisposed)    // prints true
/// ```
@preconcurrency
public protocol Cancelable: Disposable {
    var isDisposed: Bool { get }
}

/// A disposable of this package: an object, so that an existential of it has two words instead of five.
@usableFromInline
package protocol DisposeBase: Upstream, Disposable {}

extension DisposeBase {
    @usableFromInline
    package func disconnect(_ chain: Chain) { dispose() }
}

/// Factory methods for disposables.
///
/// ```swift
/// let both = Disposables.create(Disposables.create { print("a") }, Disposables.create { print("b") })
/// both.dispose()    // prints a b
/// ```
public struct Disposables {
    private init() {}
}

extension Disposables {
    /// Creates a disposable whose disposal does nothing. All calls return the same object.
    public static func create() -> any Disposable { NopDisposable.shared }

    /// Creates a disposable that calls `dispose` once, on disposal.
    ///
    /// ```swift
    /// let disposable = Disposables.create { print("disposed") }
    /// disposable.dispose()    // prints disposed
    /// ```
    @preconcurrency
    public static func create(with dispose: @escaping @Sendable () -> Void) -> any Cancelable {
        AnonymousDisposable(dispose)
    }

    /// Creates a disposable that disposes both disposables.
    ///
    /// ```swift
    /// let timer = Disposables.create { print("timer") }
    /// let request = Disposables.create { print("request") }
    /// Disposables.create(timer, request).dispose()    // prints timer request
    /// ```
    public static func create(_ disposable1: any Disposable, _ disposable2: any Disposable) -> any Cancelable {
        CompositeDisposable(disposable1, disposable2)
    }

    public static func create(
        _ disposable1: any Disposable, _ disposable2: any Disposable, _ disposable3: any Disposable
    ) -> any Cancelable { CompositeDisposable(disposable1, disposable2, disposable3) }

    public static func create(_ disposables: any Disposable...) -> any Cancelable {
        CompositeDisposable(disposables: disposables)
    }

    public static func create(_ disposables: [any Disposable]) -> any Cancelable {
        CompositeDisposable(disposables: disposables)
    }
}

/// A disposable that does nothing: one object for the whole process, which is not counted as a resource.
final class NopDisposable: DisposeBase {
    static let shared = NopDisposable()

    private init() {}

    func dispose() {}
}

/// Two disposables for a chain, which disposes what is attached to it once: the first, and then the second.
@usableFromInline
final class DisposablePair: DisposeBase {
    private let resource = Resources.Counted()
    private let first: any DisposeBase
    private let second: any Disposable

    @usableFromInline
    init(_ first: any DisposeBase, _ second: any Disposable) {
        self.first = first
        self.second = second
    }

    @usableFromInline
    func dispose() {
        first.dispose()
        second.dispose()
    }
}

/// Runs an action once, on disposal.
@usableFromInline
final class AnonymousDisposable: DisposeBase, Cancelable {
    private let resource = Resources.Counted()
    private let action: Mutex<(@Sendable () -> Void)?>

    @usableFromInline
    init(_ action: @escaping @Sendable () -> Void) { self.action = Mutex(action) }

    @usableFromInline
    var isDisposed: Bool { action.withLock { $0 == nil } }

    @usableFromInline
    func dispose() { action.withLock { $0.take() }?() }
}

/// A disposable that only records whether it is disposed.
///
/// ```swift
/// let flag = BooleanDisposable()
/// flag.dispose()
/// print(flag.isDisposed)    // prints true
/// ```
public final class BooleanDisposable: DisposeBase, Cancelable {
    private let resource = Resources.Counted()
    private let flag: Atomic<Bool>

    public convenience init() { self.init(isDisposed: false) }

    public init(isDisposed: Bool) { flag = Atomic(isDisposed) }

    public var isDisposed: Bool { flag.load(ordering: .acquiring) }

    /// Marks this as disposed. Nothing else happens; further calls have no effect.
    public func dispose() { flag.store(true, ordering: .releasing) }
}

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
    public let scheduler: any ImmediateSchedulerType
    /// `nil` once disposed.
    private let disposable: Mutex<(any Disposable)?>

    public init(scheduler: any ImmediateSchedulerType, disposable: any Disposable) {
        self.scheduler = scheduler
        self.disposable = Mutex(disposable)
    }

    public var isDisposed: Bool { disposable.withLock { $0 == nil } }

    public func dispose() {
        // Nothing may cancel this work, so its handle is dropped.
        _ = scheduler.schedule(self) { disposable in
            disposable.disposable.withLock { $0.take() }?.dispose()
            return NopDisposable.shared
        }
    }
}
