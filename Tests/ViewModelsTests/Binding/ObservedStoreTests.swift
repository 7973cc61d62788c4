import Dispatch
import Foundation
import Observation
import Streams
import StreamsTesting
import Synchronization
import Testing
import TestReporting
import TestConcurrency
import ViewModels
import ViewModelsTesting

@Suite("Observed stores", .limitedConcurrency, .nothingSurvives)
@MainActor
struct ObservedStoreTests {
    /// A list with a title; `opaque` is not Equatable.
    private struct Feed: Flow {
        struct Opaque: Sendable {
            var number = 0
        }
        struct State: Sendable {
            var title = ""
            var rows: IdentifiedRows<Row> = [Row(id: 1), Row(id: 2)]
            var opaque = Opaque()
            var probe = CopyProbe()
        }
        struct Row: Identifiable, Equatable, Sendable {
            let id: Int
            var likes = 0
        }
        enum RowAction: Sendable { case liked, hidden }
        enum Action: Sendable { case titled(String), row(Int, RowAction) }

        var initialState: State { State() }

        func reduce(_ state: inout State, _ action: Action) -> Next<Never, String> {
            state.probe.change()
            switch action {
            case .titled(let title): state.title = title
            case .row(let id, .liked): state.rows[id: id]?.likes += 1
            case .row(let id, .hidden): state.rows.remove(id: id)
            }
            return .event("done")
        }
    }

    private typealias Store = ObservedStore<Feed.State, Feed.Action, String>

    @Test("a view of an observed store is updated when its part changes, and not for other parts")
    func parts() {
        let store = ObservedStore(Feed())
        #expect(isInvalidated(store.title) { store.send(.titled("a")) })
        #expect(store.title == "a")
        #expect(!isInvalidated(store.title) { store.send(.row(1, .liked)) })
        #expect(isInvalidated(store.rows) { store.send(.row(1, .liked)) })
        #expect(!isInvalidated(store.title) { store.send(.titled("a")) })
    }

    /// A number with at most four digits, typed and as a value.
    private struct Pin: Flow {
        struct State: Equatable, Sendable { var text = "12", amount = 0.0, isOther = false }
        enum Action: AssigningAction { case set(Assignment<State>), other }

        var initialState: State { State() }

        func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> {
            switch action {
            case .set(let assignment):
                var next = state
                assignment.apply(to: &next)
                next.text = next.text.filter(\.isNumber)
                if next.text.count <= 4 { state = next }
            case .other: state.isOther.toggle()
            }
            return .none
        }
    }

    @Test("a text field whose keystroke the reducer refuses or corrects reads the state again, and no other view does")
    func refused() {
        let store = ObservedStore(Pin())
        #expect(isInvalidated(store.text) { store.text = "12345" })
        #expect(isInvalidated(store.text) { store.text = "12a" })
        #expect(store.text == "12")
        #expect(!isInvalidated(store.amount) { store.text = "12a" })
        #expect(isInvalidated(store.text) { store.text = "1 2 3" })
        #expect(store.text == "123")
        #expect(!isInvalidated(store.text) { store.text = "123" })
    }

    @Test("a part that is not a number invalidates its readers once for each action, and emits no more")
    func notANumber() {
        let store = ObservedStore(Pin())
        let amounts = Received(store.store.state.select(\.amount))
        #expect(isInvalidated(store.amount) { store.amount = .nan })
        #expect(isInvalidated(store.amount) { store.send(.other) })
        #expect(!isInvalidated(store.text) { store.send(.other) })
        #expect(amounts.elements.map(\.isNaN) == [false, true, true, true])
    }

    @Test("a text field reads what it has sent, while an answer arrives on another thread")
    func answers() async {
        struct Field: Sendable { var text = "" }
        let answer = PublishSubject<String>()
        let store = ObservedStore(
            Script(Field(), work: { _ in answer }) { (field, action: String) in
                field.text += action + (isOnMainQueue ? "" : " elsewhere")
                return action == "?" ? .run("answer") : .none
            })
        let effects = store.send("?")
        onThreads(1) { _ in
            answer.onNext("!")
            answer.onCompleted()
        }
        store.send("a")
        #expect(store.text == "?a")
        await effects.finish()
        #expect(store.text == "?a!")
    }

    @Test("a text field of a mutation flow reads what it has sent, while an answer arrives on another thread")
    func mutations() async {
        struct Text: Sendable { var text = "" }
        struct Field: MutationFlow {
            let answer = PublishSubject<String>()
            var running = Running()
            var initialState: Text { Text() }

            func transform(_ action: String) -> Observable<String> {
                let text = action + (isOnMainQueue ? "" : " elsewhere")
                return action == "?" ? answer.do(onNext: { send("own" + $0) }).startWith(text) : .just(text)
            }

            func reduce(_ state: inout Text, _ text: String) {
                state.text += text + (isOnMainQueue ? "" : " elsewhere")
            }
        }
        let field = Field()
        let store = ObservedStore(field)
        let effects = store.send("?")
        onThreads(1) { _ in
            field.answer.onNext("!")
            field.answer.onCompleted()
        }
        store.send("a")
        #expect(store.text == "?a")
        await effects.finish()
        #expect(store.text == "?aown!!")
    }

    @Test("a view of a part that is not Equatable is updated after every action")
    func opaque() {
        let store = ObservedStore(Feed())
        #expect(isInvalidated(store.opaque as Feed.Opaque) { store.send(.titled("a")) })
        #expect(isInvalidated(store.opaque as Feed.Opaque) { store.send(.titled("a")) })
    }

    /// Whether `change` invalidates a reader of the title, once the main queue has delivered everything.
    private func isTold(_ store: Store, when change: () -> Void) async -> Bool {
        let isTold = Mutexed(false)
        withObservationTracking {
            _ = store.title
        } onChange: {
            isTold.change { $0 = true }
        }
        change()
        await withCheckedContinuation { ready in DispatchQueue.main.async { ready.resume() } }
        return isTold.value
    }

    @Test("a change reaches an earlier reader even if its part is read again before the store compares")
    func readInBetween() async {
        let store = ObservedStore(Feed())
        let bag = DisposeBag()
        store.store.state.drive(onNext: { [weak store] _ in _ = store?.title }).disposed(by: bag)
        #expect(await isTold(store) { store.send(.titled("a")) })
        #expect(await isTold(store) { store.send(.titled("b")) })
        #expect(await !isTold(store) { store.send(.titled("b")) })
    }

    @Test("a change that a dismissal keeps from being delivered still reaches its readers")
    func dismissal() async {
        let store = ObservedStore(Feed())
        let flow = store.store
        // The state of another thread waits in the main queue while this thread dismisses the flow.
        let isTold = await isTold(store) {
            onThreads(1) { _ in flow.send(.titled("a")) }
            flow.dismiss()
        }
        #expect(isTold)
        #expect(store.title == "a")
    }

    @Test("an observed store keeps no copy of the state, which is changed in place")
    func inPlace() {
        let store = ObservedStore(Feed())
        for number in 1...10 {
            _ = store.title
            store.send(.titled("\(number)"))
        }
        #expect(store.store.currentState.probe.copies == 0)
    }

    @Test("the observed store of a row reads its row, sends its actions, and updates views for its row only")
    func row() throws {
        let store = ObservedStore(Feed())
        let rows = (1...2).map { id in store.scope(state: { $0.rows[id: id] }, action: { .row(id, $0) }) }
        let (first, second) = (try #require(rows[0]), try #require(rows[1]))
        #expect(isInvalidated(first.likes) { first.send(.liked) })
        #expect(!isInvalidated(first.likes) { second.send(.liked) })
        #expect(store.rows.map(\.likes) == [1, 1])
        first.send(.hidden)
        #expect(first.likes == 1)
        #expect(store.scope(state: { $0.rows[id: 1] }, action: { .row(1, $0) }) == nil)
    }

    @Test("a scoped store emits its part, and releasing it ends nothing")
    func scope() {
        let store = FlowStore(Feed())
        var title: FlowStore<String, String, Never>? = store.scope(state: \.title, action: { .titled($0) })
        let received = title.map { Received($0.state.select { $0 }) }
        title?.send("a")
        title?.dismiss()
        title = nil
        store.send(.titled("b"))
        #expect(received?.elements == ["", "a", "b"])
    }

    @Test("the store of a row that has left the list keeps the state that it emitted last")
    func rowThatLeft() throws {
        let store = FlowStore(Feed())
        let scoped: FlowStore<Feed.Row, Feed.RowAction, Never>? = store.scope(
            state: { $0.rows[id: 1] }, action: { .row(1, $0) })
        let row = try #require(scoped)
        let received = Received(row.state.select(\.likes))
        row.send(.liked)
        row.send(.hidden)
        #expect(received.elements == [0, 1])
        #expect(row.currentState.likes == 1)
    }

    @Test("an observed store delivers events, and send returns the effects of the action")
    func events() async {
        let store = ObservedStore(Feed())
        let received = Received(store.events)
        await store.send(.titled("a")).finish()
        #expect(received.elements == ["done"])
    }

    @Test("an observed store is released while a view reads it")
    func letGo() {
        weak var kept: FlowStore<Feed.State, Feed.Action, String>?
        do {
            let store = ObservedStore(Feed())
            _ = store.title
            kept = store.store
        }
        #expect(kept == nil)
    }
}

/// Random readers, sends and background senders against one rule: a reader that was not told reads what it has read.
@Suite("Readers of observed stores", .limitedConcurrency, .nothingSurvives)
@MainActor
struct ObservedStoreModelTests {
    private struct Numbers: Flow {
        /// Not `Equatable`; differs after every action.
        struct Actions: Sendable {
            var count = 0
        }
        struct State: Sendable {
            var numbers: [Int] = [0, 0, 0]
            var actions = Actions()
            var a: Int { numbers[0] }
            var b: Int { numbers[1] }
            var c: Int { numbers[2] }
        }
        struct Action: Sendable {
            let part: Int
            let number: Int

            /// Few values, so that many actions change nothing and many restore an earlier value.
            init(_ random: inout SeededGenerator) {
                part = Int.random(in: 0..<3, using: &random)
                number = Int.random(in: 0..<3, using: &random)
            }
        }

        var initialState: State { State() }

        func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> {
            state.numbers[action.part] = action.number
            state.actions.count += 1
            return .none
        }
    }

    private typealias Store = ObservedStore<Numbers.State, Numbers.Action, Never>

    /// A view that has read some parts, once.
    @MainActor
    private final class Reader {
        private final class Told: Sendable {
            let isTold = Atomic(false)
        }

        private var read: [Int: Int] = [:]
        private let told = Told()

        init(of store: Store, _ random: inout SeededGenerator) {
            let parts = (0...Int.random(in: 0..<3, using: &random)).map { _ in Int.random(in: 0..<4, using: &random) }
            withObservationTracking {
                for part in parts { read[part] = Self.value(of: part, in: store) }
            } onChange: { [told] in
                told.isTold.store(true, ordering: .relaxed)
            }
        }

        var isTold: Bool { told.isTold.load(ordering: .relaxed) }

        func isStale(in store: Store) -> Bool {
            let state = store.store.currentState
            let numbers = state.numbers + [state.actions.count]
            return read.contains { $0.value != numbers[$0.key] }
        }

        static func value(of part: Int, in store: Store) -> Int {
            switch part {
            case 0: store.a
            case 1: store.b
            case 2: store.c
            default: (store.actions as Numbers.Actions).count
            }
        }
    }

    private nonisolated static let seeds =
        ProcessInfo.processInfo.environment["OBSERVED_SEEDS"].flatMap(UInt64.init) ?? 20

    @Test("a change reaches a reader of an observed store exactly if the parts it read differ", arguments: 0..<seeds)
    func exact(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let store = Store(Numbers())
        var readers: [Reader] = []
        for _ in 0..<200 {
            if Bool.random(using: &random) {
                readers.append(Reader(of: store, &random))
            } else {
                store.send(Numbers.Action(&random))
            }
            for reader in readers { #expect(reader.isTold == reader.isStale(in: store), "seed \(seed)") }
            readers.removeAll { $0.isTold }
        }
    }

    @Test(
        "no reader of an observed store stays stale while others read, observers read, and threads send",
        arguments: 0..<seeds)
    func senders(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        let store = Store(Numbers())
        let bag = DisposeBag()
        // Observers that read before and after the store's own observer compares.
        store.store.state.drive(onNext: { [weak store] _ in _ = store?.a }).disposed(by: bag)
        if Bool.random(using: &random) { _ = store.b }
        store.store.state.drive(onNext: { [weak store] _ in _ = store?.c }).disposed(by: bag)
        var readers: [Reader] = []
        for _ in 0..<20 {
            let senders = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                let (flow, seed) = (store.store, random.next())
                return Task.detached {
                    var random = SeededGenerator(seed: seed)
                    for _ in 0..<Int.random(in: 1...8, using: &random) { flow.send(Numbers.Action(&random)) }
                }
            }
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                switch Int.random(in: 0..<6, using: &random) {
                case 0: store.send(Numbers.Action(&random))
                case 1: await Task.yield()
                default: readers.append(Reader(of: store, &random))
                }
            }
            for sender in senders { await sender.value }
            // Everything that was sent is in the main queue, before this.
            await withCheckedContinuation { ready in DispatchQueue.main.async { ready.resume() } }
            for reader in readers where !reader.isTold { #expect(!reader.isStale(in: store), "seed \(seed)") }
            readers.removeAll { $0.isTold }
        }
    }
}

@Suite("Observed values", .limitedConcurrency, .nothingSurvives)
@MainActor
struct ObservedTests {
    private struct Opaque {}

    @Test("an observed value is the initial one until the driver emits")
    func value() {
        let relay = PublishRelay<Int>()
        let observed = Observed(relay.asDriver(onErrorJustReturn: 0), initially: 7)
        #expect(observed.value == 7)
        relay.accept(8)
        #expect(observed.value == 8)
        #expect(Observed(BehaviorRelay(value: 1).asDriver(), initially: 0).value == 1)
    }

    @Test("a view of an observed value is updated when it changes, and not for an equal value")
    func observation() {
        let relay = BehaviorRelay(value: 1)
        let observed = Observed(relay.asDriver(), initially: 0)
        #expect(isInvalidated(observed.value) { relay.accept(2) })
        #expect(!isInvalidated(observed.value) { relay.accept(2) })
        #expect(!isInvalidated(observed.value) {})
        #expect(observed.value == 2)
    }

    @Test("a view of an observed value that is not Equatable is updated for each element")
    func notEquatable() {
        let relay = PublishRelay<Opaque>()
        let observed = Observed(relay.asDriver(onErrorDriveWith: .empty()), initially: Opaque())
        #expect(isInvalidated(observed.value) { relay.accept(Opaque()) })
    }

    @Test("an observed value that is sent from another thread arrives on the main actor")
    func otherThread() async {
        let subject = PublishSubject<Int>()
        let observed = Observed(subject.asDriver(onErrorJustReturn: 0), initially: 0)
        await Task.detached { subject.onNext(1) }.value
        while observed.value == 0 { await Task.yield() }
        #expect(observed.value == 1)
    }

    @Test("an observed value subscribes once, when it is made, until it is released, and nothing else retains it")
    func life() {
        let subject = PublishSubject<Int>()
        expectNothingSurvives {
            let driver = subject.asDriver(onErrorJustReturn: 0)
            #expect(!subject.hasObservers)
            var observed: Observed? = Observed(driver, initially: 0)
            weak let released = observed
            #expect(subject.hasObservers)
            observed = nil
            #expect(released == nil)
            #expect(!subject.hasObservers)
        }
    }
}
