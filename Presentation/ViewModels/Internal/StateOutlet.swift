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

    @usableFromInline let listeners = PublishSubject<Stamped>()
    @usableFromInline let mailbox = Mailbox<Stamped>()
    @usableFromInline let scheduler: any SchedulerType
    @usableFromInline let isOver = Atomic(false)
    /// What the scheduled work is to begin with.
    @exclusivity(unchecked) @usableFromInline var next: Stamped?

    @usableFromInline
    init(on scheduler: any SchedulerType) {
        self.scheduler = scheduler
    }

    @inlinable
    var hasListeners: Bool { listeners.hasObservers }

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
        if !isOver.load(ordering: .acquiring) { listeners.onNext(stamped) }
    }

    /// Lets `observer` hear the state, and each that follows.
    ///
    /// - Parameter current: The state and its version.
    @inlinable
    func subscribe(_ observer: AnyObserver<State>, current: @escaping @Sendable () -> Stamped) -> any Disposable {
        // All of what follows happens on the scheduler. Until it has heard the present state, which is newer than
        // anything that was told before, the observer hears nothing.
        let heard = Heard()
        let following = listeners.subscribe(
            onNext: { [self] stamped in
                if stamped.version > heard.version, !isOver.load(ordering: .acquiring) {
                    observer.onNext(stamped.state)
                }
            },
            onCompleted: { observer.onCompleted() })
        let first = scheduler.schedule(()) { [self] _ in
            if !isOver.load(ordering: .acquiring) {
                let present = current()
                heard.version = present.version
                observer.onNext(present.state)
            }
            return Disposables.create()
        }
        return Disposables.create(following, first)
    }

    /// From now on tells nothing more, but that this is the end.
    @usableFromInline
    func finish() {
        isOver.store(true, ordering: .releasing)
        _ = scheduler.schedule(()) { [listeners] _ in
            listeners.onCompleted()
            return Disposables.create()
        }
    }
}

/// The version up to which an observer has heard the states: those that are told later are newer.
@usableFromInline
final class Heard: Sendable {
    private let value = Atomic<UInt64>(.max)

    @usableFromInline
    init() {}

    @usableFromInline
    var version: UInt64 {
        get { value.load(ordering: .acquiring) }
        set { value.store(newValue, ordering: .releasing) }
    }
}
