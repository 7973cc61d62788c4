import Composition
import Foundation
import Streams
import StreamsTesting
import TestReporting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

/// A flow whose actions and events are not Equatable.
private struct Opaque: Flow {
    struct Report: Sendable {
        let lines: [String]
    }
    enum Action: Sendable {
        case asked
        case arrived(Report)
        case failed

        var arrived: Report? { if case .arrived(let report) = self { report } else { nil } }
    }
    enum Event: Sendable { case done(Report) }

    var initialState: [String] { [] }

    func reduce(_ state: inout [String], _ action: Action) -> Next<String, Event> {
        switch action {
        case .asked: return .run("ask")
        case .arrived(let report):
            state = report.lines
            return .event(.done(report))
        case .failed: return .none
        }
    }

    func perform(_ sideEffect: String) -> Observable<Action> { .just(.arrived(Report(lines: ["a"]))) }
}

private enum GreetingKey: DependencyKey {
    static let liveValue = "Hello"
    static let testValue = "Hello"
}

extension DependencyValues {
    fileprivate var greeting: String {
        get { self[GreetingKey.self] }
        set { self[GreetingKey.self] = newValue }
    }
}

/// Emits its greeting.
private struct Greeter: Flow {
    enum Action: Equatable, Sendable { case asked, said(String) }
    @Dependency(\.greeting) private var greeting
    var initialState: [String] { [] }

    func reduce(_ state: inout [String], _ action: Action) -> Next<Bool, Never> {
        switch action {
        case .asked: return .run(true)
        case .said(let text):
            state.append(text)
            return .none
        }
    }

    func perform(_ sideEffect: Bool) -> Observable<Action> { .just(.said(greeting)) }
}

@Suite("FlowTester expectations", .limitedConcurrency)
struct FlowTesterExpectingTests {
    @Test("FlowTester receives actions and events that are not Equatable by key path or condition")
    func opaque() {
        let tester = FlowTester(Opaque())
        tester.send(.asked, starts: "ask")
        tester.receive(\.arrived) { $0 = ["a"] }
        tester.receive(eventWhere: { if case .done = $0 { true } else { false } })
        tester.send(.asked, starts: "ask")
        tester.receive(where: { if case .arrived = $0 { true } else { false } })
        tester.skipReceived()
        tester.finish()
    }

    @Test("FlowTester suggests a condition for an action that is not Equatable")
    func opaqueSuggestion() {
        let tester = FlowTester(Opaque())
        tester.send(.asked, starts: "ask")
        let findings = collectFindings {
            tester.finish()
        }
        let suggestions = findings.map { $0.message.components(separatedBy: "If the flow is correct, write: ").last }
        #expect(
            Set(suggestions) == [
                "tester.receive(where: { if case .arrived = $0 { true } else { false } }) { $0 = [\"a\"] }",
                "tester.receive(eventWhere: { if case .done = $0 { true } else { false } })",
            ])
    }

    @Test("FlowTester fails for a closure without changes if the action changes nothing")
    func changesNothing() {
        let tester = FlowTester(Finder())
        expectIssue("arrived([\"a\"]) does not change the state, and neither does the closure: remove the closure") {
            tester.send(.arrived(["a"])) { $0.titles = ["a"] }
            tester.send(.arrived(["a"])) { $0.titles = ["a"] }
        }
        tester.finish()
    }

    @Test("FlowTester fails for an action that addresses an absent row or child")
    func missingRow() {
        let tester = FlowTester(Inbox.whole)
        expectIssue("row(7, Message.Action.open) addresses a row with the id 7, which is not in the state") {
            tester.send(.row(7, .open))
        }
        expectIssue("sheet(Message.Action.open) addresses a child of the type Message, which is not in the state") {
            tester.send(.sheet(.open))
        }
        tester.send(.row(1, .open)) { $0.rows[id: 1]?.isOpen = true }
        tester.finish()
    }

    @Test("FlowSpec fails for an action that addresses an absent row")
    func missingRowInASpecification() {
        expectIssue(
            "when row(7, Message.Action.open):\nan action addresses a row with the id 7, which is not in the state"
        ) {
            FlowSpec(Inbox.whole).when(.row(7, .open)).then()
        }
    }

    @Test("FlowTester skips unexpected steps on request")
    func skipReceived() {
        let tester = FlowTester(Finder(works: { _ in .of(.arrived(["a"]), .arrived([])) }))
        tester.send(.typed("a"), starts: .search("a")) {
            $0.text = "a"
            $0.isSearching = true
        }
        tester.skipReceived()
        #expect(tester.state == Finder.State(text: "a"))
        tester.finish()
    }

    @Test("FlowTester may be exhaustive in a part of a test")
    func withExhaustivity() {
        let tester = FlowTester(Finder(works: { _ in .just(.arrived([])) }))
        tester.withExhaustivity(false) {
            tester.send(.typed("a"))
            tester.send(.typed("b")) { $0.text = "b" }
        }
        #expect(tester.isExhaustive)
        expectIssue(
            """
            after typed("c") the state differs:
              text is "c", expected "b"
              isSearching is true, expected false
            If the flow is correct, write: { $0.text = "c"; $0.isSearching = true }
            """
        ) { tester.send(.typed("c"), starts: .search("c")) }
        tester.skipReceived()
        tester.finish()
    }

    @Test("FlowTester changes dependencies in the middle of a test")
    func dependencies() {
        let tester = FlowTester(Greeter())
        tester.send(.asked, starts: true)
        tester.receive(.said("Hello")) { $0 = ["Hello"] }
        tester.dependencies { $0.greeting = "Hi" }
        tester.send(.asked, starts: true)
        tester.receive(.said("Hi")) { $0.append("Hi") }
        tester.finish()
    }

    @Test("send of FlowTester returns effects that finish in virtual time or are cancelled")
    func effects() {
        let scheduler = TestScheduler(resolution: 0.001)
        let tester = FlowTester(
            Finder(works: { _ in Observable.just(.arrived(["a"])).delay(.seconds(5), scheduler: scheduler) }),
            scheduler: scheduler)
        let effects = tester.send(.typed("a"), starts: .search("a")) {
            $0.text = "a"
            $0.isSearching = true
        }
        #expect(!effects.areFinished)
        effects.finish()
        #expect(scheduler.clock == 5_001 || scheduler.clock == 5_000)
        tester.receive(.arrived(["a"])) {
            $0.isSearching = false
            $0.titles = ["a"]
        }
        tester.send(.typed("b"), starts: .search("b")) {
            $0.text = "b"
            $0.isSearching = true
        }.cancel()
        tester.finish()
    }

    @Test("finishing effects that do not end fails")
    func endlessEffects() {
        let tester = FlowTester(Finder(works: { _ in .never() }))
        let effects = tester.send(.typed(""), starts: .search("")) { $0.isSearching = true }
        expectIssue(
            """
            expected the side effects to end; still running:
              the side effect search("") of typed("")
            Let them end, cancel them, or dismiss the screen: tester.dismiss()
            """
        ) { effects.finish() }
        tester.dismiss()
    }

    @Test("waiting beside an effect that repeats forever fails, and names the effect")
    func repeatingEffect() {
        let scheduler = TestScheduler(resolution: 0.001)
        let ticking = Finder(works: { _ in
            Observable<Int>.interval(.milliseconds(1), scheduler: scheduler).map { .arrived(["\($0)"]) }
        })
        let tester = FlowTester(ticking, scheduler: scheduler)
        tester.endlessSteps = 1_000
        tester.isExhaustive = false
        let effects = tester.send(.typed("a"))
        let running = "still running:\n  the side effect search(\"a\") of typed(\"a\")"
        expectIssue(
            "expected to receive cleared, but it has not arrived after 1000 steps, at tick 1000; \(running)"
        ) { tester.receive(.cleared) }
        expectIssue(
            "expected to receive the event tick, but it has not arrived after 1000 steps, at tick 2000; \(running)"
        ) { tester.receive(event: .tick) }
        expectIssue(
            """
            expected the side effects to end; \(running)
            Let them end, cancel them, or dismiss the screen: tester.dismiss()
            """
        ) { effects.finish() }
        expectIssue(
            """
            work is left after 1000 steps, at tick 4000; \(running)
            Let it end, cancel it, or dismiss the screen: tester.dismiss()
            """
        ) { tester.finish() }
    }
}

@Suite("FlowTester and side effects that never end", .limitedConcurrency)
struct FlowTesterEndlessTests {
    private let scheduler = TestScheduler(resolution: 0.001)

    /// A tester whose side effects tick each millisecond, and answer the ticks with these actions.
    private func ticking(
        _ answer: @escaping @Sendable (Int) -> Observable<Finder.Action>
    ) -> FlowTester<Finder> {
        let finder = Finder(works: { [scheduler] _ in
            Observable<Int>.interval(.milliseconds(1), scheduler: scheduler).concatMap(answer)
        })
        let tester = FlowTester(finder, scheduler: scheduler)
        tester.endlessSteps = 2_000
        tester.send(.typed("a"), starts: .search("a")) {
            $0.text = "a"
            $0.isSearching = true
        }
        return tester
    }

    private let running = "still running:\n  the side effect search(\"a\") of typed(\"a\")"
    private let remedy = "Let it end, cancel it, or dismiss the screen: tester.dismiss()"

    @Test("finish stops beside a timer that sends nothing, and says how to end it")
    func silentTimer() {
        let tester = ticking { _ in .empty() }
        expectIssue("work is left after 2000 steps, at tick 2000; \(running)\n\(remedy)") { tester.finish() }
    }

    @Test("receive stops beside a timer that sends nothing")
    func receivesBesideASilentTimer() {
        let tester = ticking { _ in .empty() }
        expectIssue("expected to receive cleared, but it has not arrived after 2000 steps, at tick 2000; \(running)") {
            tester.receive(.cleared)
        }
        tester.dismiss()
        tester.finish()
    }

    @Test("finish fails for the first action of an endless timer, and says that it never ends")
    func sendingTimer() {
        let tester = ticking { .just(.arrived(["\($0)"])) }
        let messages = collectFindings { tester.finish() }.map(\.message)
        #expect(messages.count == 2)
        #expect(messages.first?.hasPrefix("at the end of the test: received arrived([\"0\"])") == true)
        #expect(messages.last == "work is left after 1000 steps, at tick 1001; \(running)\n\(remedy)")
    }

    @Test("a timer that is cancelled, or whose screen is dismissed, is no failure")
    func ended() {
        let tester = ticking { .just(.arrived(["\($0)"])) }
        tester.receive(.arrived(["0"])) {
            $0.isSearching = false
            $0.titles = ["0"]
        }
        tester.dismiss()
        tester.finish()
        let other = FlowTester(Finder(works: { _ in .never() }))
        other.send(.typed("a"), starts: .search("a")) {
            $0.text = "a"
            $0.isSearching = true
        }.cancel()
        other.finish()
    }
}

/// Messages, in rows and in a sheet.
private struct Inbox: Flow {
    struct State: Equatable, Sendable {
        var rows: IdentifiedRows<Message.State> = [Message.State(id: 1)]
        var sheet: Message.State?
    }
    enum Action: Sendable {
        case row(Int, Message.Action)
        case sheet(Message.Action)
    }

    static var whole: IfLetFlow<ForEachFlow<Inbox, Message>, Message> {
        Inbox().forEach(
            \.rows,
            action: ActionCase(Action.row) { if case .row(let id, let action) = $0 { (id, action) } else { nil } },
            row: Message()
        ).ifLet(
            \.sheet, action: ActionCase(Action.sheet) { if case .sheet(let action) = $0 { action } else { nil } },
            child: Message())
    }

    var initialState: State { State() }
    func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> { .none }
}

private struct Message: Flow {
    struct State: Equatable, Identifiable, Sendable {
        let id: Int
        var isOpen = false
    }
    enum Action: Sendable { case open }

    var initialState: State { State(id: 0) }
    func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> {
        state.isOpen = true
        return .none
    }
}
