public import Streams

/// A relay that keeps what it accepts while no one listens, and hands it to the first who does: each element is
/// heard once, in order, by all who listen at that time.
///
/// What the events of a flow go through; and what to give a view model as its input where elements may come before
/// it is bound.
///
/// ```swift
/// let actions = WaitingRelay<Search.Action>()
/// actions.accept(.typed("Jeju"))                        // no one listens yet
/// let output = Search().transform(actions.asObservable())
/// output.state.drive(onNext: render).disposed(by: bag)  // begins with `.typed("Jeju")`
/// ```
///
/// Elements are heard on the thread that accepts them; of several that accept at once, on one of them, in one order for all.
/// What waits is heard on the thread of the first who listens, and so is what is accepted while that thread tells it.
///
/// What waits for ever fills the memory: with a `limit`, only the newest so many wait, and ``droppedCount`` tells how many
/// were dropped for them.
public final class WaitingRelay<Element: Sendable>: ObservableType, ListenerOwner, @unchecked Sendable {
    // `@unchecked Sendable`: `waiting` is touched under the lock of `desk` only.

    @usableFromInline let desk = TracedMutex(Desk())
    /// What is taken out leaves `nil` behind: a slice keeps what was taken from it.
    @exclusivity(unchecked) @usableFromInline var waiting: ArraySlice<Element?> = []
    @usableFromInline let scheduler: (any SchedulerType)?
    @usableFromInline let limit: Int

    /// A relay that keeps nothing yet, and tells on the thread that sends.
    ///
    /// - Parameter limit: How many elements wait while no one listens, at least 1; the oldest are dropped first. By default
    ///   there is no limit.
    public convenience init(limit: Int = .max) {
        self.init(on: nil, limit: limit)
    }

    /// A relay that tells on a scheduler.
    @inlinable
    init(on scheduler: (any SchedulerType)?, limit: Int) {
        self.scheduler = scheduler
        self.limit = Swift.max(limit, 1)
    }

    /// How many elements were dropped so far because too many waited.
    public var droppedCount: Int { desk.withLock { $0.dropped } }

    /// Tells an element to all who listen; if no one does, keeps it for the first who will.
    @inlinable
    public func accept(_ element: Element) {
        let dropped = desk.withLock { desk -> Element? in
            if desk.isOver { return nil }
            waiting.append(element)
            if waiting.count <= limit || !desk.listeners.isEmpty { return nil }
            desk.dropped += 1
            return removeFirst()
        }
        withExtendedLifetime(dropped) {}  // let go outside the lock
        beginTelling()
    }

    /// Lets `observer` hear what waits, and what is accepted from now on.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        asObservable().subscribe(observer)
    }

    /// What is accepted, as a stream.
    @inlinable
    public func asObservable() -> Observable<Element> {
        // `tell` is called by one thread at a time.
        Observable.createSerial { [self] observer in listen(observer) }
    }

    /// Ends the streams of those who listen, and of those who will; what waits is dropped.
    @inlinable
    func finish() {
        let (dropped, listeners) = desk.withLock { desk in
            defer {
                waiting = []
                (desk.listeners, desk.isOver) = ([], true)
            }
            return (waiting, desk.listeners)
        }
        withExtendedLifetime(dropped) {}  // let go outside the lock
        if listeners.isEmpty { return }
        run {
            for listener in listeners where listener.isListening {
                unsafeDowncast(listener, to: StateListener<Element>.self).observer.onCompleted()
            }
        }
    }

    @inlinable
    func listen(_ observer: AnyObserver<Element>) -> any Disposable {
        let listener = StateListener(observer, of: self)
        let (isOver, isAwaited) = desk.withLock { desk in
            if !desk.isOver { desk.listeners.append(listener) }
            return (desk.isOver, !waiting.isEmpty)
        }
        if isOver { run { observer.onCompleted() } }
        if isAwaited {
            // Telling begins when the subscription is complete, so that who leaves in the middle of it is known to have left.
            _ = CurrentThreadScheduler.instance.schedule(()) { [self] _ in
                beginTelling()
                return Disposables.create()
            }
        }
        return Disposables.create { listener.leave() }
    }

    @usableFromInline
    func remove(_ listener: Listener) {
        let removed = desk.withLock { desk in
            desk.listeners.firstIndex { $0 === listener }.map { desk.listeners.remove(at: $0) }
        }
        withExtendedLifetime(removed) {}  // let go outside the lock
    }

    @inlinable
    func beginTelling() {
        let isToTell = desk.withLock { desk in
            if desk.isTelling || desk.listeners.isEmpty || waiting.isEmpty { return false }
            desk.isTelling = true
            return true
        }
        if isToTell { run { [self] in tell() } }
    }

    @inlinable
    func run(_ work: @escaping @Sendable () -> Void) {
        guard let scheduler else { return work() }
        _ = scheduler.schedule(()) { _ in
            work()
            return Disposables.create()
        }
    }

    @inlinable
    func tell() {
        while let (element, listeners) = takeFirst() {
            var isHeard = false
            for listener in listeners where listener.isListening {
                unsafeDowncast(listener, to: StateListener<Element>.self).observer.onNext(element)
                isHeard = true
            }
            if !isHeard { putBack(element) }
        }
    }

    @inlinable
    func takeFirst() -> (Element, [Listener])? {
        desk.withLock { desk in
            if desk.listeners.isEmpty || waiting.isEmpty {
                desk.isTelling = false
                return nil
            }
            return removeFirst().map { ($0, desk.listeners) }
        }
    }

    /// Takes out the first element that waits; under the lock.
    @inlinable
    func removeFirst() -> Element? {
        let first = waiting[waiting.startIndex].take()
        waiting.removeFirst()
        if waiting.isEmpty { waiting = [] }
        return first
    }

    /// Keeps an element that everyone has left before.
    @inlinable
    func putBack(_ element: Element) {
        let gone = desk.withLock { desk in
            defer { desk.listeners.removeAll { !$0.isListening } }
            if !desk.isOver { waiting.insert(element, at: waiting.startIndex) }
            return desk.listeners.filter { !$0.isListening }
        }
        withExtendedLifetime(gone) {}  // let go outside the lock
    }
}

/// What a ``WaitingRelay`` keeps besides elements.
@usableFromInline
struct Desk: Sendable {
    @usableFromInline var listeners: [Listener] = []
    /// Whether someone is telling what waits, or is about to.
    @usableFromInline var isTelling = false
    @usableFromInline var isOver = false
    @usableFromInline var dropped = 0

    @usableFromInline
    init() {}
}
