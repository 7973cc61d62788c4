import Dispatch
import Streams
import StreamsTesting
import TestReporting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("FlowTester", .limitedConcurrency)
struct FlowTesterTests {
    private let scheduler = TestScheduler(resolution: 0.001)

    /// A search that takes 300 ms.
    private var slow: Finder {
        Finder(works: { [scheduler] sideEffect in
            guard case .search(let text) = sideEffect else { return .empty() }
            return Observable.just(.arrived(text.isEmpty ? [] : [text]))
                .delay(.milliseconds(300), scheduler: scheduler)
        })
    }

    private func type(_ text: String, in tester: FlowTester<Finder>) {
        tester.send(.typed(text), starts: .search(text)) {
            $0.text = text
            $0.isSearching = true
        }
    }

    @Test("FlowTester follows actions, results, events and time")
    func follows() {
        let tester = FlowTester(slow, scheduler: scheduler)
        type("", in: tester)
        tester.receive(.arrived([])) { $0.isSearching = false }
        #expect(scheduler.clock == 300)
        tester.receive(event: .toast("nothing found"))
        type("Je", in: tester)
        tester.advance(by: .milliseconds(100))
        type("Jeju", in: tester)
        tester.receive(.arrived(["Jeju"])) {
            $0.isSearching = false
            $0.titles = ["Jeju"]
        }
        #expect(scheduler.clock == 700)
        tester.finish()
        #expect(tester.state == Finder.State(text: "Jeju", titles: ["Jeju"]))
    }

    @Test("FlowTester fails for an unexpected change of the state")
    func unexpectedChange() {
        let tester = FlowTester(slow, scheduler: scheduler)
        expectIssue(
            """
            after typed("Je") the state differs:
              isSearching is true, expected false
            If the flow is correct, write: { $0.text = "Je"; $0.isSearching = true }
            """
        ) { tester.send(.typed("Je"), starts: .search("Je")) { $0.text = "Je" } }
        tester.dismiss()
    }

    @Test("FlowTester fails if an expected change does not happen")
    func missingChange() {
        let tester = FlowTester(Finder())
        expectIssue(
            """
            after arrived(["a"]) the state differs:
              isSearching is false, expected true
            If the flow is correct, write: { $0.titles = ["a"] }
            """
        ) {
            tester.send(.arrived(["a"])) {
                $0.titles = ["a"]
                $0.isSearching = true
            }
        }
    }

    @Test("FlowTester fails for an unexpected action before the next one is sent")
    func unexpectedAction() {
        let tester = FlowTester(slow, scheduler: scheduler)
        type("Je", in: tester)
        tester.advance(by: .seconds(1))
        expectIssue(
            """
            before typed("Jeju") is sent: received arrived(["Je"]), from the side effect search("Je") of typed("Je"), \
            which was not expected
              isSearching: true → false
              titles[0]: nothing → "Je"
            If the flow is correct, write: tester.receive(.arrived(["Je"])) { $0.isSearching = false; $0.titles = ["Je"] }
            """
        ) { type("Jeju", in: tester) }
        tester.dismiss()
    }

    @Test("FlowTester fails for an unexpected action at the end")
    func unexpectedActionAtTheEnd() {
        let tester = FlowTester(slow, scheduler: scheduler)
        type("Je", in: tester)
        expectIssue(
            """
            at the end of the test: received arrived(["Je"]), from the side effect search("Je") of typed("Je"), \
            which was not expected
              isSearching: true → false
              titles[0]: nothing → "Je"
            If the flow is correct, write: tester.receive(.arrived(["Je"])) { $0.isSearching = false; $0.titles = ["Je"] }
            """
        ) { tester.finish() }
    }

    @Test("FlowTester fails for a different action, and shows the differences")
    func otherAction() {
        let tester = FlowTester(slow, scheduler: scheduler)
        type("Je", in: tester)
        expectIssue(
            """
            expected to receive arrived(["Jeju"]), but received arrived(["Je"]), from the side effect search("Je") of \
            typed("Je"), at tick 300
              arrived[0]: "Jeju" → "Je"
            If the flow is correct, write before this: \
            tester.receive(.arrived(["Je"])) { $0.isSearching = false; $0.titles = ["Je"] }
            """
        ) { tester.receive(.arrived(["Jeju"])) }
        tester.finish()
    }

    @Test("FlowTester fails if an expected action does not arrive, and lists the running effects")
    func missingAction() {
        let tester = FlowTester(Finder(works: { _ in .never() }), scheduler: scheduler)
        type("Je", in: tester)
        expectIssue(
            """
            expected to receive arrived(["Je"]), but no work is left at tick 0; still running:
              the side effect search("Je") of typed("Je")
            If the work left virtual time, for a detached task, a queue or the main actor, wait in real time:
              await tester.receive(.arrived(["Je"]), within: .seconds(1))
            """
        ) { tester.receive(.arrived(["Je"])) }
        tester.dismiss()
    }

    @Test("FlowTester fails for an unexpected event")
    func unexpectedEvent() {
        let tester = FlowTester(Finder())
        tester.send(.arrived([]))
        expectIssue(
            """
            at the end of the test: arrived([]) raised the event toast("nothing found"), which was not expected
            If the flow is correct, write: tester.receive(event: .toast("nothing found"))
            """
        ) { tester.finish() }
    }

    @Test("FlowTester fails for a different event, and for one that is not raised")
    func otherEvent() {
        let tester = FlowTester(Finder())
        tester.send(.arrived([]))
        expectIssue(
            """
            expected the event tick, but arrived([]) raised toast("nothing found")
            If the flow is correct, write before this: tester.receive(event: .toast("nothing found"))
            """
        ) { tester.receive(event: .tick) }
        expectIssue(
            """
            expected to receive the event tick, but no work is left at tick 0, and no side effect is running
            """
        ) {
            tester.receive(event: .tick)
        }
        tester.finish()
    }

    @Test("FlowTester fails for a side effect that has not ended at the end")
    func runningEffect() {
        let tester = FlowTester(Finder(works: { _ in .never() }), scheduler: scheduler)
        type("Je", in: tester)
        expectIssue(
            """
            at the end of the test, at tick 0, still running:
              the side effect search("Je") of typed("Je")
            Let it end, cancel it, or dismiss the screen: tester.dismiss()
            """
        ) { tester.finish() }
    }

    @Test("releasing a FlowTester without finish makes the same checks")
    func letGo() {
        expectIssue(
            """
            at the end of the test: arrived([]) raised the event toast("nothing found"), which was not expected
            If the flow is correct, write: tester.receive(event: .toast("nothing found"))
            """
        ) {
            let tester = FlowTester(Finder())
            tester.send(.arrived([]))
        }
    }

    @Test("FlowTester fails for a side effect whose stream fails, with the remedy")
    func failedEffect() {
        let tester = FlowTester(Finder(works: { _ in .error(Offline()) }))
        expectIssue(
            """
            the side effect search("Je") failed: Offline(). Turn errors into actions, in `perform`, with `catch`
            """
        ) { type("Je", in: tester) }
        tester.finish()
    }

    @Test("FlowTester fails for an action that is sent after dismissal")
    func afterDismissal() {
        let tester = FlowTester(Finder())
        tester.dismiss()
        expectIssue("cleared was not reduced: the flow was dismissed") { tester.send(.cleared) }
    }

    @Test("without exhaustivity, FlowTester passes unexpected steps, and closures define the expected values")
    func notExhaustive() {
        let tester = FlowTester(slow, scheduler: scheduler)
        tester.isExhaustive = false
        tester.send(.typed("Je"))
        tester.advance(by: .milliseconds(301))
        tester.send(.typed("")) { $0.isSearching = true }
        tester.receive(event: .toast("nothing found"))
        expectIssue(
            """
            after typed("Jeju") the state differs:
              text is "Jeju", expected "Je"
            If the flow is correct, write: { $0.text = "Jeju"; $0.isSearching = true }
            """
        ) { tester.send(.typed("Jeju")) { $0.text = "Je" } }
        tester.send(.cleared)
        tester.finish()
    }

    @Test("FlowTester runs the tasks of side effects in virtual time")
    func tasks() {
        let clock = scheduler.virtualClock
        let finder = Finder(works: { sideEffect in
            guard case .search(let text) = sideEffect else { return .empty() }
            return Observable.task {
                try await clock.sleep(for: .milliseconds(200))
                return .arrived([text])
            }
        })
        let tester = FlowTester(finder, scheduler: scheduler)
        type("Je", in: tester)
        tester.receive(.arrived(["Je"])) {
            $0.isSearching = false
            $0.titles = ["Je"]
        }
        #expect(scheduler.clock == 200)
        tester.finish()
    }

    @Test("FlowTester fails for cancelling an id that no effect of the test has had")
    func vainCancellations() {
        let tester = FlowTester(Probe { _ in .never() })
        tester.send(.ask(.cancel("laod")))
        tester.send(.ask(.cancel("save")))
        tester.send(.ask(.run(.load("a"), id: "load")), starts: .load("a"))
        tester.send(.ask(.run(.save("b"), id: "save")), starts: .save("b"))
        tester.send(.ask(.cancel("load")))
        tester.send(.ask(.cancel("save")))
        let expected = [
            """
            at the end of the test: ask(.cancel(laod)) requests .cancel(laod), but no effect has had that id
            """
        ]
        #expect(collectFindings { tester.finish() }.map(\.message) == expected)
    }

    @Test("FlowTester and FlowSpec compare what is not a number like other values")
    func notANumber() {
        let gauge = Script(Gauge(), of: Double.self, work: { _ in .just(.nan) }) { gauge, value in
            gauge.value = value
            return value == 1 ? .run("measure") : .none
        }
        let tester = FlowTester(gauge)
        tester.send(1, starts: "measure") { $0.value = 1 }
        tester.receive(.nan) { $0.value = .nan }
        expectIssue(
            """
            after 2.0 the state differs:
              value is 2.0, expected nan
            If the flow is correct, write: { $0.value = 2.0 }
            """
        ) { tester.send(2) }
        tester.send(.nan) { $0.value = .nan }
        tester.send(.nan)
        tester.finish()
        FlowSpec(gauge).when(.nan).then { $0.value = .nan }
    }

    private struct Gauge: Equatable, Sendable {
        var name = "a"
        var value = 0.0
    }

    @Test("FlowTester leaves nothing alive")
    func leavesNothingAlive() {
        expectNothingSurvives {
            let tester = FlowTester(Finder(works: { _ in .never() }), scheduler: scheduler)
            type("Je", in: tester)
            tester.isExhaustive = false
        }
    }
}

private struct Offline: Error {}
