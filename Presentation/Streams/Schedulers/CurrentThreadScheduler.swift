#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A scheduler that runs work on the scheduling thread, one item after the other.
///
/// The first item on a thread runs immediately; items that are scheduled while it runs are enqueued until it returns.
/// `of`, `from`, `range` and similar sources use this scheduler by default: it interleaves several of them, and keeps
/// recursive work from growing the stack.
///
/// ```swift
/// let scheduler = CurrentThreadScheduler.instance
/// _ = scheduler.schedule("outer") { outer in
///     _ = scheduler.schedule("inner") { inner in
///         print(inner)
///         return Disposables.create()
///     }
///     print(outer)
///     return Disposables.create()
/// }    // prints outer inner
/// ```
public final class CurrentThreadScheduler: ImmediateSchedulerType {
    public static let instance = CurrentThreadScheduler()

    /// Whether the next item that is scheduled on this thread would run immediately.
    public static var isScheduleRequired: Bool { !Trampoline.current.isActive }

    /// Runs `action` immediately, or after the work that is running on this thread.
    public func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        guard Trampoline.enter() else {
            let item = ScheduledItem { action(state) }
            Trampoline.current.append(item)
            return item
        }
        let disposable = action(state)
        Trampoline.leave()
        return disposable
    }
}

/// A scheduler that runs work immediately, on the scheduling thread.
///
/// Nested work runs inside the work that schedules it, to any depth; ``CurrentThreadScheduler`` runs one item after the
/// other.
///
/// ```swift
/// let scheduler = ImmediateScheduler.instance
/// _ = scheduler.schedule("outer") { outer in
///     _ = scheduler.schedule("inner") { inner in
///         print(inner)
///         return Disposables.create()
///     }
///     print(outer)
///     return Disposables.create()
/// }    // prints inner outer
/// ```
public final class ImmediateScheduler: ImmediateSchedulerType {
    public static let instance = ImmediateScheduler()

    private init() {}

    /// Runs `action` on the calling thread, before it returns.
    @preconcurrency
    public func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable { action(state) }
}

/// The work queue of one thread, drained before its outermost subscription returns.
///
/// `CurrentThreadScheduler` enqueues work here while a subscription is in progress, so that several synchronous sources
/// interleave and recursive scheduling does not grow the stack.
@usableFromInline
final class Trampoline {
    // Confined to one thread: the run-time exclusivity checks would cost more than the accesses.
    @exclusivity(unchecked) private(set) var isActive = false
    /// Whether work is enqueued behind the running item.
    var hasWork: Bool { !queue.isEmpty }
    @exclusivity(unchecked) private var queue = Queue<any TrampolineItem>()
    /// The last part of sequential subscriptions, while this thread subscribes to it.
    @exclusivity(unchecked) var tailCall: SequentialSubscriptions.TailCall?

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { pointer in
            #if canImport(Darwin)
            Unmanaged<Trampoline>.fromOpaque(pointer).release()
            #else
            if let pointer { Unmanaged<Trampoline>.fromOpaque(pointer).release() }
            #endif
        }
        precondition(status == 0, "no thread-specific data left: the process uses more than PTHREAD_KEYS_MAX keys")
        return key
    }()

    static var current: Trampoline { own.takeUnretainedValue() }

    /// The trampoline of the current thread, unretained: the thread keeps it alive.
    private static var own: Unmanaged<Trampoline> {
        if let pointer = pthread_getspecific(key) { return .fromOpaque(pointer) }
        let trampoline = Unmanaged.passRetained(Trampoline())
        let status = pthread_setspecific(key, trampoline.toOpaque())
        precondition(status == 0, "no memory for thread-specific data")
        return trampoline
    }

    /// Starts to enqueue work.
    ///
    /// - Returns: Whether this call is the outermost on its thread.
    @usableFromInline
    static func enter() -> Bool {
        own._withUnsafeGuaranteedRef { trampoline in
            if trampoline.isActive { return false }
            trampoline.isActive = true
            return true
        }
    }

    /// Drains the queue, including the work that is enqueued meanwhile.
    @usableFromInline
    static func leave() {
        own._withUnsafeGuaranteedRef { trampoline in
            if !trampoline.queue.isEmpty { trampoline.drain() }
            trampoline.isActive = false
        }
    }

    private func drain() {
        while let item = queue.popFirst() { item.invoke() }
    }

    func append(_ item: any TrampolineItem) { queue.append(item) }
}

protocol TrampolineItem: AnyObject {
    /// Runs the action of the item, unless it was disposed of.
    func invoke()
}

/// An item in the queue of a trampoline. Disposing it prevents the run.
///
/// `@unchecked Sendable`: only the thread of the trampoline accesses `action`; `chain` is thread-safe.
final class ScheduledItem: TrampolineItem, DisposeBase, @unchecked Sendable {
    private let resource = Resources.Counted()
    private let chain = Chain { _ in }
    private var action: (() -> any Disposable)?

    init(_ action: @escaping () -> any Disposable) { self.action = action }

    func invoke() {
        let action = self.action.take()
        if chain.isLive, let action { chain.attach(any: action()) }
    }

    func dispose() { chain.dispose() }
}
