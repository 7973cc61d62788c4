import Composition
import StreamsTesting
import Synchronization
import TravelDataInMemory
import TravelDomainTesting
import TravelPresentation
import ViewModelsTesting

/// A flow that runs in virtual time, with ticks of a millisecond: for tests that look at what a screen shows at certain
/// times rather than at each step.
final class ScreenRun<F: Flow> where F.SideEffect: Sendable {
    let scheduler: TestScheduler
    private let store: FlowStore<F.State, F.Action, F.Event>
    private let dependencies: DependencyValues
    private let steps = Recorder<F.Step>()

    init(
        on scheduler: TestScheduler, _ flow: @autoclosure () -> F,
        _ update: (inout DependencyValues) -> Void = { _ in }
    ) {
        self.scheduler = scheduler
        let record = { @Sendable [steps] in steps.add($0) }
        (store, dependencies) = SharingScheduler.mock(scheduler: scheduler) {
            withDependencies {
                $0.useVirtualTime(of: scheduler)
                $0.uuid = .incrementing
                update(&$0)
            } operation: {
                (FlowStore(flow().traced(by: record)), DependencyValues.current)
            }
        }
    }

    deinit {
        store.dismiss()
    }

    /// What the screen shows now.
    var state: F.State { store.currentState }

    /// The events so far.
    var events: [F.Event] {
        steps.all.compactMap { if case .raised(let event, action: _) = $0 { event } else { nil } }
    }

    /// The side effects that were started so far.
    var started: [F.SideEffect] {
        steps.all.compactMap { if case .effect(let effect, .started) = $0 { effect.sideEffect } else { nil } }
    }

    /// The actions that side effects have sent so far.
    var received: [F.Action] {
        steps.all.compactMap { step in
            if case .reduced(let reduction) = step, reduction.cause != .sent { reduction.action } else { nil }
        }
    }

    func send(_ actions: F.Action...) {
        for action in actions { inScope { scheduler.perform { _ = store.send(action) } } }
    }

    /// Sends an action, lets that time pass, and cancels what the action has started, as a view that disappears does.
    func send(_ action: F.Action, cancelledAfter milliseconds: Int) {
        inScope {
            let effects = scheduler.perform { store.send(action) }
            scheduler.advance(by: .milliseconds(milliseconds))
            scheduler.perform { effects.cancel() }
        }
        pass(150)
    }

    /// Sends the actions of a stream.
    func bind(_ actions: Observable<F.Action>) {
        inScope { scheduler.perform { _ = store.bind(actions) } }
    }

    /// Sends actions, and lets that time pass.
    func send(_ actions: F.Action..., for milliseconds: Int) {
        for action in actions { send(action) }
        pass(milliseconds)
    }

    func pass(_ milliseconds: Int) {
        inScope { scheduler.advance(by: .milliseconds(milliseconds)) }
    }

    private func inScope(_ body: () -> Void) {
        withDependencies(from: dependencies, operation: body)
    }

    /// Closes the screen.
    func dismiss() {
        scheduler.perform { store.dismiss() }
    }
}

/// Values of several threads, in order.
final class Recorder<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var all: [Value] { values.withLock { $0 } }

    func add(_ value: Value) { values.withLock { $0.append(value) } }
}

extension SharedSequence {
    /// The elements from now on, until the bag is released.
    func recorded(_ bag: DisposeBag) -> Recorder<Element> {
        let elements = Recorder<Element>()
        asObservable().subscribe(onNext: elements.add).disposed(by: bag)
        return elements
    }
}

/// A store of which a test implements the calls that it needs; all others are out of reach.
protocol StoreStub: ForwardingStore {}

extension StoreStub {
    func store(for call: InterceptedStore.Call) async throws -> any TravelStore { throw InterceptedStore.outage }
    func track(of id: Trip.ID, viewer: User.ID?) async throws -> TrackGeometry? { nil }
}

/// The content of a store whose answers take 100 ms of virtual time each, and the calls so far.
final class SlowContent<Content: Sendable>: Sendable {
    private struct State: Sendable {
        var content: Content
        var calls: [String] = []
        var cancelled: [String] = []
        var failures: [String: TravelError] = [:]
    }

    private let state: Mutex<State>
    private let scheduler: TestScheduler

    init(_ content: Content, on scheduler: TestScheduler) {
        state = Mutex(State(content: content))
        self.scheduler = scheduler
    }

    /// The calls so far, in the order of their starts.
    var calls: [String] { state.withLock { $0.calls } }
    /// The calls that were cancelled.
    var cancelled: [String] { state.withLock { $0.cancelled } }

    /// The calls that fail from now on.
    var failures: [String: TravelError] {
        get { state.withLock { $0.failures } }
        set { state.withLock { $0.failures = newValue } }
    }

    /// Reads or changes the content immediately.
    func withLock<Value: Sendable>(_ body: (inout Content) throws -> Value) rethrows -> Value {
        try state.withLock { try body(&$0.content) }
    }

    /// Reads or changes the content as the answer to a call.
    func call<Value: Sendable>(_ name: String, _ body: (inout Content) throws -> Value) async throws -> Value {
        state.withLock { $0.calls.append(name) }
        do {
            try await scheduler.virtualClock.sleep(for: .milliseconds(100))
        } catch {
            state.withLock { $0.cancelled.append(name) }
            throw error
        }
        return try state.withLock { state in
            if let failure = state.failures[name] { throw failure }
            return try body(&state.content)
        }
    }
}

extension ScreenUseCases {
    /// The use cases over a store, with a signed-in user and no pictures.
    init(
        _ store: any TravelStore, user: User.ID? = Person.mina.id,
        recentKeywords: any RecentKeywordRepository = InMemoryRecentKeywordRepository(),
        readImage: @escaping @Sendable (String) async throws -> PickedImage = { _ in throw TravelError.busy }
    ) {
        let session = InMemorySession(signedIn: user)
        self.init(
            store: store, session: session, identity: session, recentKeywords: recentKeywords, readImage: readImage,
            saveLanguage: { _ in })
    }

    /// Use cases that never answer.
    static var silent: ScreenUseCases {
        ScreenUseCases(InterceptedStore(nil) { _ in for try await _ in Observable<Void>.never().values {} })
    }
}

/// The people of the tests.
enum Person {
    static let mina = user(1, "Mina")
    static let jun = user(2, "Jun")

    private static func user(_ seed: UInt64, _ nickname: String) -> User {
        do {
            return try User(seed: seed, nickname: nickname)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

extension Trip {
    /// The trip of a number; greater numbers are newer.
    static func sample(
        _ number: UInt64, title: String? = nil, by author: User = Person.jun, likes: Int = 0, isLiked: Bool = false,
        days: Int = 1, viewer: User? = nil
    ) -> Trip {
        do {
            let recorded = try TripBuilder(seed: number, author: author).with {
                $0.title = title ?? "Trip \(number)"
                $0.numberOfDays = days
            }.build()
            return try Trip(
                id: recorded.id, author: author, content: recorded.content, createdAt: recorded.createdAt,
                likeCount: likes, isLiked: isLiked, isMine: viewer == author)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

extension TravelError {
    /// A failure that a retry may mend.
    static let busy = TravelError.unavailable(.init("The store is busy.", canRetry: true))
}

extension ScreenFailure {
    /// A failure that a retry may mend.
    static let busy = ScreenFailure.domain(.busy)
}
