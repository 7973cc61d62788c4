public import Streams
import Synchronization

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
public final class WaitingRelay<Element: Sendable>: ObservableType {
    private struct State {
        var waiting: ArraySlice<Element> = []
        var listeners: [Listener] = []
        /// Whether someone is telling what waits, or is about to.
        var isTelling = false
        var isOver = false
    }

    /// One who listens, until it leaves.
    private final class Listener: Sendable {
        let observer: AnyObserver<Element>
        private let hasLeft = Atomic(false)

        init(_ observer: AnyObserver<Element>) {
            self.observer = observer
        }

        var isListening: Bool { !hasLeft.load(ordering: .acquiring) }

        func leave() {
            hasLeft.store(true, ordering: .releasing)
        }
    }

    private let state = TracedMutex(State())
    private let scheduler: (any SchedulerType)?

    /// A relay that keeps nothing yet, and tells on the thread that sends.
    public convenience init() {
        self.init(on: nil)
    }

    /// A relay that tells on a scheduler.
    @usableFromInline
    init(on scheduler: (any SchedulerType)?) {
        self.scheduler = scheduler
    }

    /// Tells an element to all who listen; if no one does, keeps it for the first who will.
    public func accept(_ element: Element) {
        state.withLock { state in
            if !state.isOver { state.waiting.append(element) }
        }
        beginTelling()
    }

    /// Lets `observer` hear what waits, and what is accepted from now on.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        asObservable().subscribe(observer)
    }

    /// What is accepted, as a stream.
    public func asObservable() -> Observable<Element> {
        // Telling begins when the subscription is complete, so that who leaves in the middle of it is known to have left.
        Observable.create { [self] observer in listen(observer) }.do(onSubscribed: { [self] in beginTelling() })
    }

    /// Ends the streams of those who listen, and of those who will; what waits is dropped.
    @usableFromInline
    func finish() {
        let (dropped, listeners) = state.withLock { state in
            defer { (state.waiting, state.listeners, state.isOver) = ([], [], true) }
            return (state.waiting, state.listeners)
        }
        withExtendedLifetime(dropped) {}  // let go outside the lock
        run { for listener in listeners where listener.isListening { listener.observer.onCompleted() } }
    }

    private func listen(_ observer: AnyObserver<Element>) -> any Disposable {
        let listener = Listener(observer)
        let isOver = state.withLock { state in
            if !state.isOver { state.listeners.append(listener) }
            return state.isOver
        }
        if isOver { run { observer.onCompleted() } }
        return Disposables.create { [self] in
            listener.leave()
            state.withLock { $0.listeners.removeAll { $0 === listener } }
        }
    }

    private func beginTelling() {
        let isToTell = state.withLock { state in
            if state.isTelling || state.waiting.isEmpty || state.listeners.isEmpty { return false }
            state.isTelling = true
            return true
        }
        if isToTell { run { [self] in tell() } }
    }

    private func run(_ work: @escaping @Sendable () -> Void) {
        guard let scheduler else { return work() }
        _ = scheduler.schedule(()) { _ in
            work()
            return Disposables.create()
        }
    }

    private func tell() {
        while let (element, listeners) = takeFirst() {
            var isHeard = false
            for listener in listeners where listener.isListening {
                listener.observer.onNext(element)
                isHeard = true
            }
            if !isHeard { putBack(element) }
        }
    }

    private func takeFirst() -> (Element, [Listener])? {
        state.withLock { state in
            if state.waiting.isEmpty || state.listeners.isEmpty {
                state.isTelling = false
                return nil
            }
            let first = state.waiting.removeFirst()
            if state.waiting.isEmpty { state.waiting = [] }  // a slice keeps what was taken from it
            return (first, state.listeners)
        }
    }

    /// Keeps an element that everyone has left before.
    private func putBack(_ element: Element) {
        state.withLock { state in
            state.listeners.removeAll { !$0.isListening }
            if !state.isOver { state.waiting.insert(element, at: 0) }
        }
    }
}
