#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One thread's queue of work to be done before its outermost subscription returns.
///
/// What `CurrentThreadScheduler` schedules while a subscription is being made waits here, so that several
/// synchronous sources interleave and recursive schedules do not grow the stack.
@usableFromInline
final class Trampoline {
    // One thread's own: the run-time checks of exclusive access would cost more than the accesses.
    @exclusivity(unchecked) private(set) var isActive = false
    /// Whether work waits behind that which is running.
    var hasWork: Bool { !queue.isEmpty }
    @exclusivity(unchecked) private var queue = Queue<TrampolineItem>()
    /// The last part of a succession, while this thread subscribes to it.
    @exclusivity(unchecked) var tail: Succession.Tail?

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

    /// The trampoline of the running thread.
    static var current: Trampoline { own.takeUnretainedValue() }

    /// The same, which the thread keeps alive for as long as it runs: no subscription needs to retain it.
    private static var own: Unmanaged<Trampoline> {
        if let pointer = pthread_getspecific(key) { return .fromOpaque(pointer) }
        let trampoline = Unmanaged.passRetained(Trampoline())
        let status = pthread_setspecific(key, trampoline.toOpaque())
        precondition(status == 0, "no memory for thread-specific data")
        return trampoline
    }

    /// Begins to collect work, if this call is the outermost on its thread.
    @usableFromInline
    static func enter() -> Bool {
        own._withUnsafeGuaranteedRef { trampoline in
            if trampoline.isActive { return false }
            trampoline.isActive = true
            return true
        }
    }

    /// Does the work that was collected, and what it schedules in turn.
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

    func append(_ item: TrampolineItem) {
        queue.append(item)
    }
}

/// Work in the queue of a trampoline.
class TrampolineItem: DisposeBase, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; it holds nothing, and its subclasses say what guards what they hold.

    /// Does the work.
    func invoke() {}
}

/// Work in the queue of a trampoline; disposing it takes it out.
///
/// `@unchecked Sendable`: `action` is taken by the thread of the trampoline alone; `chain` is thread-safe.
final class ScheduledItem: TrampolineItem, @unchecked Sendable {
    private let chain = Chain { _ in }
    private var action: (() -> any Disposable)?

    init(_ action: @escaping () -> any Disposable) {
        self.action = action
    }

    override func invoke() {
        let action = self.action.take()
        if chain.isLive, let action { chain.attach(any: action()) }
    }

    override func dispose() {
        chain.dispose()
    }
}
