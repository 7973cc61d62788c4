public import Synchronization

/// The lifetime of one subscription through consecutive operators that terminate together.
///
/// Operators such as `map` forward errors and completion unchanged, so several of them share one chain: one flag that
/// says whether elements may pass, one handler for the terminal event, and one disposable that is disposed on
/// termination. An operator that handles the terminal event itself (`catch`, `concat`, `reduce`) creates a chain for
/// its upstream and attaches it to the downstream chain.
///
/// A chain terminates once: by ``complete()``, by ``fail(_:)``, or silently by ``dispose()``. In the first two cases
/// the handler runs before the upstream is disposed. A *lingering* chain keeps its upstream until it is disposed
/// explicitly: `subscribe(on:)` disposes a custom source on its scheduler, after the terminal event. An *outer* chain
/// releases its upstream on termination and is disposed later, by its downstream: `flatMap` goes on with its inner
/// streams, `observe(on:)` with the events that wait for the scheduler, `debounce` with its pending element.
///
/// `@unchecked Sendable`: `end` is accessed only by the thread that first sets `stopped`. `upstream` is accessed only
/// by `attach` before it sets `attached`, and afterwards by the thread that first sets `disposed` or `released`, or by
/// `attach` itself if it finds one of them set. The read-modify-write operations on `state` order these accesses.
@usableFromInline
package class Chain: DisposeBase, Cancelable, @unchecked Sendable {
    private let resource = Resources.Counted()
    private static let stopped: UInt32 = 1
    private static let attached: UInt32 = 2
    private static let disposed: UInt32 = 4
    private static let lingering: UInt32 = 8
    private static let dropped: UInt32 = 16
    private static let outer: UInt32 = 32
    private static let released: UInt32 = 64

    @usableFromInline final let state: Atomic<UInt32>
    // The protocol above makes access exclusive; the run-time check would cost more than the access.
    @exclusivity(unchecked) private final var end: (((any Error)?) -> Void)?
    @exclusivity(unchecked) private final var upstream: (any Upstream)?

    /// Creates a chain that calls `end` on termination: with the error, or with `nil` on completion.
    @usableFromInline
    init(lingering: Bool = false, end: @escaping ((any Error)?) -> Void) {
        self.end = end
        state = Atomic(lingering ? Self.lingering : 0)
    }

    /// Creates the chain of a subscription that the code at this location makes.
    @usableFromInline
    convenience init(_ file: StaticString, _ line: UInt, end: @escaping ((any Error)?) -> Void) {
        self.init(end: end)
        #if DEBUG
        SubscriptionRegistry.record(self, file, line)
        #endif
    }

    /// Creates the chain of a subscription without an error handler.
    @usableFromInline
    convenience init(reportingErrorsAt file: StaticString, _ line: UInt) {
        self.init(file, line) { error in if let error { Hooks.handle(error, []) } }
    }

    /// Creates the chain of a subscription that calls functions of the user.
    ///
    /// - Returns: The chain, and what disposes the subscription.
    @usableFromInline
    static func ofSubscription(
        onError: (@Sendable (any Error) -> Void)?, onCompleted: (@Sendable () -> Void)?,
        onDisposed: (@Sendable () -> Void)?, _ file: StaticString, _ line: UInt
    ) -> (Chain, any Disposable) {
        let callStack = onError == nil && Hooks.recordCallStackOnError ? Hooks.captureCallStack() : []
        guard let onDisposed else {
            // The common case captures no handlers.
            if onError == nil, onCompleted == nil, callStack.isEmpty {
                let chain = Chain(reportingErrorsAt: file, line)
                return (chain, chain)
            }
            let chain = Chain(file, line) { error in
                if let error {
                    if let onError { onError(error) } else { Hooks.handle(error, callStack) }
                } else {
                    onCompleted?()
                }
            }
            return (chain, chain)
        }
        let disposed = AnonymousDisposable(onDisposed)
        let chain = Chain(file, line) { error in
            if let error {
                if let onError { onError(error) } else { Hooks.handle(error, callStack) }
            } else {
                onCompleted?()
            }
            disposed.dispose()
        }
        return (chain, CompositeDisposable(chain, disposed))
    }

    /// Creates a chain of a subclass that overrides ``ended(_:)`` instead of storing a closure.
    @usableFromInline
    init(isOuter: Bool = false) {
        end = nil
        state = Atomic(isOuter ? Self.outer : 0)
    }

    #if DEBUG
    deinit {
        SubscriptionRegistry.forget(self)
    }
    #endif

    /// Creates a chain for the upstream of an operator, disposed together with `downstream`.
    @usableFromInline
    convenience init(above downstream: Chain, end: @escaping ((any Error)?) -> Void) {
        self.init(end: end)
        downstream.attach(self)
    }

    /// A chain that never terminates, for observers outside a subscription.
    static let endless = {
        #if DEBUG
        Resources.decrementTotal()  // there is one for the whole process
        #endif
        return Chain { _ in }
    }()

    /// Whether elements may still pass.
    @inlinable
    package final var isLive: Bool { state.load(ordering: .relaxed) & 1 == 0 }

    /// Records that an element did not pass, because the chain had ended.
    @usableFromInline
    package final func drop() { state.bitwiseOr(Self.dropped, ordering: .relaxed) }

    /// Whether an element did not pass. Exact for the thread that sends the elements.
    @usableFromInline
    package final var hasDropped: Bool { state.load(ordering: .relaxed) & Self.dropped != 0 }

    @usableFromInline
    package final var isDisposed: Bool { state.load(ordering: .acquiring) & Self.disposed != 0 }

    func ended(_ error: (any Error)?) {
        let end = self.end
        self.end = nil
        end?(error)
    }

    /// Called once, after the upstream was disposed.
    func disposed() {}

    /// Sets the upstream, which is disconnected on termination; disconnects it immediately if the chain is disposed
    /// already. Called at most once.
    @usableFromInline
    package final func attach(_ upstream: any Upstream) {
        let gone = Self.disposed | Self.released
        if state.load(ordering: .acquiring) & gone != 0 { return upstream.disconnect(self) }
        self.upstream = upstream
        let before = state.bitwiseOr(Self.attached, ordering: .acquiringAndReleasing).oldValue
        if before & gone != 0 { self.upstream.take()?.disconnect(self) }
    }

    /// Sets a disposable of any type.
    @usableFromInline
    final func attach(any upstream: any Disposable) {
        // The most frequent type: comparing metadata pointers is cheaper than a cast.
        if type(of: upstream) == NopDisposable.self { return }
        attach(upstream.asObject)
    }

    @inlinable
    package final func complete() { finish(nil) }

    @inlinable
    final func fail(_ error: any Error) { finish(error) }

    /// Terminates the chain with `error`, or with completion if `error` is `nil`.
    @usableFromInline
    final func finish(_ error: (any Error)?) {
        let before = state.bitwiseOr(Self.stopped, ordering: .acquiringAndReleasing).oldValue
        if before & Self.stopped != 0 { return }
        ended(error)
        letGo(before)
    }

    /// Like ``finish(_:)``; calls `work` after the handler and before the upstream is disposed.
    final func finish(_ error: (any Error)?, beforeDisposal work: () -> Void) {
        let before = state.bitwiseOr(Self.stopped, ordering: .acquiringAndReleasing).oldValue
        if before & Self.stopped != 0 { return work() }
        ended(error)
        work()
        letGo(before)
    }

    /// Disposes the upstream of a chain that has just terminated, unless it lingers.
    private func letGo(_ state: UInt32) {
        // The handler may have disposed the chain. A load is cheaper than a second read-modify-write operation.
        if state & Self.lingering != 0 || isDisposed { return }
        close()
    }

    /// Disposes a chain whose source sends nothing more. An outer chain goes on with what it has received.
    final func close() {
        if state.load(ordering: .relaxed) & Self.outer == 0 { dispose() } else { releaseUpstream() }
    }

    @usableFromInline
    package final func dispose() {
        let before = state.bitwiseOr(Self.stopped | Self.disposed, ordering: .acquiringAndReleasing).oldValue
        if before & Self.disposed != 0 { return }
        #if DEBUG
        SubscriptionRegistry.forget(self)
        #endif
        if before & Self.stopped == 0 { end = nil }
        if before & (Self.attached | Self.released) == Self.attached { upstream.take()?.disconnect(self) }
        disposed()
    }

    private func releaseUpstream() {
        let before = state.bitwiseOr(Self.released, ordering: .acquiringAndReleasing).oldValue
        if before & Self.disposed != 0 { return }
        #if DEBUG
        SubscriptionRegistry.forget(self)
        #endif
        if before & Self.attached != 0 { upstream.take()?.disconnect(self) }
    }
}

/// What a chain is attached to: a disposable, or a source that finds the observer by its chain, which saves an object
/// for each subscription.
@usableFromInline
package protocol Upstream: AnyObject, Sendable {
    /// Ends the subscription of a chain that is attached to this. Called once for each chain, on any thread.
    func disconnect(_ chain: Chain)
}

extension Disposable {
    /// This disposable, if it is one of this package; otherwise an object that disposes it.
    @usableFromInline
    package var asObject: any DisposeBase { asFrequentType ?? self as? any DisposeBase ?? AnonymousDisposable(dispose) }

    /// This disposable, if it is of a type that closures return most often: comparing the types takes a fraction of the
    /// time of casting to a protocol.
    private var asFrequentType: (any DisposeBase)? {
        // A value of a class is represented as a reference to the object.
        if Self.self == Chain.self || Self.self is Chain.Type {
            return unsafeBitCast(self, to: Unmanaged<Chain>.self).takeUnretainedValue()
        }
        return Self.self == AnonymousDisposable.self
            ? unsafeBitCast(self, to: Unmanaged<AnonymousDisposable>.self).takeUnretainedValue() : nil
    }
}

/// A chain whose termination terminates its downstream in the same way. This saves the allocation of a closure.
@usableFromInline
package class ForwardingChain: Chain, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; the property it adds is a `let` of a `Sendable` type.

    private final let downstream: Chain

    @usableFromInline
    init(to downstream: Chain) {
        self.downstream = downstream
        super.init()
    }

    final override func ended(_ error: (any Error)?) { downstream.finish(error) }
}

/// The chain of the current source, in an operator that replaces one source by the next.
struct ChainSlot: ~Copyable, Sendable {
    // Not private: the compiler (6.3.1) emits invalid code for a private type in a lock of a noncopyable type.
    struct State {
        var current: Chain?
        var isDisposed = false
    }

    private let state = Mutex(State())

    var isDisposed: Bool { state.withLock { $0.isDisposed } }

    /// Removes and returns the chain, without disposing it.
    func take() -> Chain? { state.withLock { $0.current.take() } }

    /// Stores the chain of the next source; disposes it if the slot is disposed. Called before that source is
    /// subscribed.
    func set(_ chain: Chain) {
        let isDisposed = state.withLock { state in
            if !state.isDisposed { state.current = chain }
            return state.isDisposed
        }
        if isDisposed { chain.dispose() }
    }

    func dispose() {
        let current = state.withLock { state in
            state.isDisposed = true
            return state.current.take()
        }
        current?.dispose()
    }
}

/// A ``ChainSlot`` that the downstream disposes.
@usableFromInline
final class SerialChain: DisposeBase {
    private let resource = Resources.Counted()
    private let slot = ChainSlot()

    @usableFromInline
    init(into downstream: Chain) { downstream.attach(self) }

    @usableFromInline
    func set(_ chain: Chain) { slot.set(chain) }

    @usableFromInline
    func dispose() { slot.dispose() }
}
