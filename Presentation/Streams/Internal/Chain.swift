public import Synchronization

/// The life of one subscription through a run of operators that end together.
///
/// Operators such as `map` pass errors and completion through unchanged, so a whole run of them shares one chain:
/// one flag says whether elements may still flow, one handler hears the end, one disposable is freed by it.
/// An operator that does something of its own at the end (`catch`, `concat`, `reduce`) begins a new chain for
/// what is above it and attaches that to the one below.
///
/// The end is reached once: by ``complete()``, by ``fail(_:)``, or silently by ``dispose()``. In the first two
/// cases the handler runs before what is upstream is disposed. A *lingering* chain keeps what is upstream until it
/// is disposed itself: for operators that deliver the end later, and only then let their source go.
///
/// `@unchecked Sendable`: `end` is touched only by whoever first sets `stopped`; `upstream` only by `attach`
/// before it sets `attached`, and afterwards by whoever first sets `disposed`, or by `attach` itself when it finds
/// `disposed` set. The read-modify-writes of `state` order these against each other.
@usableFromInline
class Chain: DisposeBase, Cancelable, @unchecked Sendable {
    private static let stopped: UInt32 = 1
    private static let attached: UInt32 = 2
    private static let disposed: UInt32 = 4
    private static let lingering: UInt32 = 8

    @usableFromInline final let state: Atomic<UInt32>
    // Access is exclusive by the protocol above; the run-time check would cost more than the access.
    @exclusivity(unchecked) private final var end: (((any Error)?) -> Void)?
    @exclusivity(unchecked) private final var upstream: DisposeBase?

    /// A chain whose end is told to `end`: the error, or `nil` for completion.
    @usableFromInline
    init(lingering: Bool = false, end: @escaping ((any Error)?) -> Void) {
        self.end = end
        state = Atomic(lingering ? Self.lingering : 0)
    }

    /// A chain of a subclass, which overrides ``ended(_:)`` instead of taking a closure.
    override init() {
        end = nil
        state = Atomic(0)
    }

    #if DEBUG
        deinit {
            SubscriptionRegistry.forget(self)
        }
    #endif

    /// A chain for what is above an operator, disposed together with `downstream`.
    @usableFromInline
    convenience init(above downstream: Chain, end: @escaping ((any Error)?) -> Void) {
        self.init(end: end)
        downstream.attach(self)
    }

    /// A chain that never ends, for observers that are no part of a subscription.
    @usableFromInline static let endless = {
        #if DEBUG
            Resources.decrementTotal()  // there is one for the whole process
        #endif
        return Chain { _ in }
    }()

    /// Whether elements may still flow.
    @inlinable
    final var isLive: Bool { state.load(ordering: .relaxed) & 1 == 0 }

    @usableFromInline
    final var isDisposed: Bool { state.load(ordering: .acquiring) & Self.disposed != 0 }

    /// Takes the end: an error, or `nil` for completion.
    func ended(_ error: (any Error)?) {
        let end = self.end
        self.end = nil
        end?(error)
    }

    /// Hands over what is to be disposed at the end; at once when the end is already there. Called at most once.
    @usableFromInline
    final func attach(_ upstream: DisposeBase) {
        if state.load(ordering: .acquiring) & Self.disposed != 0 { return upstream.dispose() }
        self.upstream = upstream
        let before = state.bitwiseOr(Self.attached, ordering: .acquiringAndReleasing).oldValue
        if before & Self.disposed != 0 {
            self.upstream = nil
            upstream.dispose()
        }
    }

    /// Hands over a disposable of any kind.
    @usableFromInline
    final func attach(any upstream: any Disposable) {
        // The most frequent one is told by comparing a pointer.
        if type(of: upstream) == NopDisposable.self { return }
        attach(upstream.asDisposeBase ?? AnonymousDisposable(upstream.dispose))
    }

    @inlinable
    final func complete() { finish(nil) }

    @inlinable
    final func fail(_ error: any Error) { finish(error) }

    /// Ends the chain with that error, or by completion.
    @usableFromInline
    final func finish(_ error: (any Error)?) {
        let before = state.bitwiseOr(Self.stopped, ordering: .acquiringAndReleasing).oldValue
        if before & Self.stopped != 0 { return }
        ended(error)
        if before & Self.lingering == 0 { dispose() }
    }

    @usableFromInline
    final override func dispose() {
        let before = state.bitwiseOr(Self.stopped | Self.disposed, ordering: .acquiringAndReleasing).oldValue
        if before & Self.disposed != 0 { return }
        #if DEBUG
            SubscriptionRegistry.forget(self)
        #endif
        if before & Self.stopped == 0 { end = nil }
        if before & Self.attached != 0, let upstream {
            self.upstream = nil
            upstream.dispose()
        }
    }
}

extension Disposable {
    /// The same, if it is one of this module's own: a cast of the type, which takes a third of the time of a cast of the value.
    fileprivate var asDisposeBase: DisposeBase? {
        // A value of such a type is a reference to a `DisposeBase`.
        Self.self is DisposeBase.Type ? withUnsafeBytes(of: self) { $0.load(as: DisposeBase.self) } : nil
    }
}
