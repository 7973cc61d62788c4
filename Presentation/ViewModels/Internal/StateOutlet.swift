public import Streams
public import Synchronization

/// Tells those who listen of each state, on one scheduler, and keeps none: so that the copy of the engine is the only
/// one when the next action is reduced.
///
/// `@unchecked Sendable`: `next` is touched inside the mailbox only.
@usableFromInline
final class StateOutlet<State: Sendable>: @unchecked Sendable {
    /// A state and its place in the order of states.
    @usableFromInline
    struct Stamped: Sendable {
        @usableFromInline let version: UInt64
        @usableFromInline let state: State

        @inlinable
        init(_ version: UInt64, _ state: State) {
            self.version = version
            self.state = state
        }
    }

    @usableFromInline let listeners = Listeners()
    @usableFromInline let mailbox = Mailbox<Stamped>()
    @usableFromInline let scheduler: any SchedulerType
    @usableFromInline let isOver = Atomic(false)
    /// What the scheduled work is to begin with.
    @exclusivity(unchecked) @usableFromInline var next: Stamped?

    @inlinable
    init(on scheduler: any SchedulerType) {
        self.scheduler = scheduler
    }

    @inlinable
    var hasListeners: Bool { !listeners.isEmpty }

    /// Tells a state, after those that wait to be told.
    @inlinable
    func send(_ version: UInt64, _ state: State) {
        let stamped = Stamped(version, state)
        guard mailbox.enter() || mailbox.enterOrLeave(stamped) else { return }
        next = stamped
        _ = scheduler.schedule(()) { [self] _ in
            if let first = next.take() { tell(first) }
            mailbox.empty(tell)
            return Disposables.create()
        }
    }

    @inlinable
    func tell(_ stamped: Stamped) {
        for listener in listeners.all where stamped.version > listener.heard.load(ordering: .acquiring) {
            if listener.isListening, !isOver.load(ordering: .acquiring) {
                unsafeDowncast(listener, to: StateListener<State>.self).observer.onNext(stamped.state)
            }
        }
    }

    /// Lets `observer` hear the state, and each that follows.
    ///
    /// - Parameter current: The state and its version.
    @inlinable
    func subscribe(_ observer: AnyObserver<State>, current: @escaping @Sendable () -> Stamped) -> any Disposable {
        // All of what follows happens on the scheduler. Until it has heard the present state, which is newer than
        // anything that was told before, the observer hears nothing.
        let listener = StateListener(observer, of: listeners)
        let isAdded = listeners.add(listener)
        _ = scheduler.schedule(()) { [self] _ in
            if !isAdded {
                if listener.isListening { observer.onCompleted() }
            } else if listener.isListening, !isOver.load(ordering: .acquiring) {
                let present = current()
                listener.heard.store(present.version, ordering: .releasing)
                observer.onNext(present.state)
            }
            return Disposables.create()
        }
        return Disposables.create { listener.leave() }
    }

    /// From now on tells nothing more, but that this is the end.
    @inlinable
    func finish() {
        isOver.store(true, ordering: .releasing)
        let last = listeners.close()
        if last.isEmpty { return }
        _ = scheduler.schedule(()) { _ in
            for listener in last where listener.isListening {
                unsafeDowncast(listener, to: StateListener<State>.self).observer.onCompleted()
            }
            return Disposables.create()
        }
    }
}

/// An object that keeps listeners.
@usableFromInline
protocol ListenerOwner: AnyObject, Sendable {
    /// Lets a listener go.
    func remove(_ listener: Listener)
}

/// An observer of states, until it leaves.
@usableFromInline
class Listener: @unchecked Sendable {
    // `@unchecked Sendable`: open to one subclass, which adds a `let` of a `Sendable` type.

    /// The version up to which it has heard the states: those that are told later are newer.
    @usableFromInline final let heard = Atomic<UInt64>(.max)
    private let hasLeft = Atomic(false)
    private let owner: any ListenerOwner

    @usableFromInline
    init(of owner: any ListenerOwner) {
        self.owner = owner
    }

    @usableFromInline
    final var isListening: Bool { !hasLeft.load(ordering: .acquiring) }

    @usableFromInline
    final func leave() {
        hasLeft.store(true, ordering: .releasing)
        owner.remove(self)
    }
}

/// A listener that knows the type of the states.
@usableFromInline
final class StateListener<State: Sendable>: Listener, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; what it adds is a `let` of a `Sendable` type.

    @usableFromInline let observer: AnyObserver<State>

    @inlinable
    init(_ observer: AnyObserver<State>, of owner: any ListenerOwner) {
        self.observer = observer
        super.init(of: owner)
    }
}

/// Those who listen. Not generic, so that its code is compiled once, here.
@usableFromInline
final class Listeners: ListenerOwner {
    /// `nil` at the end.
    private let list = TracedMutex<[Listener]?>([])
    private let count = Atomic(0)

    @usableFromInline
    init() {}

    @usableFromInline
    var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    /// Those who are there now. One that is added later has yet to hear the present state, and misses nothing.
    @usableFromInline
    var all: [Listener] { list.withLock { $0 ?? [] } }

    /// Adds one, unless this is the end.
    @usableFromInline
    func add(_ listener: Listener) -> Bool {
        list.withLock { list in
            list?.append(listener)
            if list != nil { count.store(list?.count ?? 0, ordering: .releasing) }
            return list != nil
        }
    }

    @usableFromInline
    func remove(_ listener: Listener) {
        let removed = list.withLock { list -> Listener? in
            guard let index = list?.firstIndex(where: { $0 === listener }) else { return nil }
            defer { count.store(list?.count ?? 0, ordering: .releasing) }
            return list?.remove(at: index)
        }
        withExtendedLifetime(removed) {}  // let go outside the lock
    }

    /// Lets no one in any more.
    ///
    /// - Returns: Those who were there.
    @usableFromInline
    func close() -> [Listener] {
        list.withLock { list in
            defer {
                list = nil
                count.store(0, ordering: .releasing)
            }
            return list ?? []
        }
    }
}
