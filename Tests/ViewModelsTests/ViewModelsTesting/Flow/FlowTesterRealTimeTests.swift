import Dispatch
import Streams
import StreamsTesting
import TestReporting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("FlowTester and work outside of virtual time", .limitedConcurrency)
struct FlowTesterRealTimeTests {
    /// A place outside of virtual time where a side effect runs.
    enum Way: CaseIterable, Sendable {
        case detachedTask, queue, mainActor

        func search(_ text: String) -> Observable<Finder.Action> {
            .create { observer in
                @Sendable func answer() {
                    observer.onNext(.arrived([text]))
                    observer.onCompleted()
                }
                switch self {
                case .detachedTask: Task.detached { answer() }
                case .queue: DispatchQueue.global().async { answer() }
                case .mainActor: Task { @MainActor in answer() }
                }
                return Disposables.create()
            }
        }
    }

    private func finder(_ search: @escaping @Sendable (String) -> Observable<Finder.Action>) -> Finder {
        Finder(works: { if case .search(let text) = $0 { search(text) } else { .empty() } })
    }

    private func type(_ text: String, in tester: FlowTester<Finder>) {
        tester.send(.typed(text), starts: .search(text)) {
            $0.text = text
            $0.isSearching = true
        }
    }

    @Test("FlowTester waits in real time on request", arguments: Way.allCases)
    func waits(way: Way) async {
        let tester = FlowTester(finder(way.search))
        type("Je", in: tester)
        await tester.receive(.arrived(["Je"]), within: .seconds(60)) {
            $0.isSearching = false
            $0.titles = ["Je"]
        }
        tester.finish()
    }

    @Test("FlowTester waits in real time for the effects of an action and for an event", arguments: Way.allCases)
    func waitsForEffects(way: Way) async {
        let tester = FlowTester(Finder(works: { _ in way.search("").map { _ in .arrived([]) } }))
        tester.send(.typed(""), starts: .search("")) { $0.isSearching = true }
        await tester.receive(where: { $0 == .arrived([]) }, within: .seconds(60)) { $0.isSearching = false }
        await tester.receive(event: .toast("nothing found"), within: .seconds(60))
        let effects = tester.send(.typed("a"), starts: .search("a")) {
            $0.text = "a"
            $0.isSearching = true
        }
        await effects.finish(within: .seconds(60))
        #expect(effects.areFinished)
        tester.skipReceived()
        tester.finish()
    }

    @Test("FlowTester waits for the effects of an action no longer than the disposal of their streams takes")
    func waitsForDisposal() async {
        let tester = FlowTester(
            finder { _ in
                .create { observer in
                    DispatchQueue.global().async { observer.onCompleted() }
                    // After the last step of the effect, and before its end.
                    return Disposables.create {
                        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(50))
                    }
                }
            })
        let effects = tester.send(.typed("Je"), starts: .search("Je")) {
            $0.text = "Je"
            $0.isSearching = true
        }
        let start = ContinuousClock.now
        await effects.finish(within: .seconds(60))
        #expect(start.duration(to: .now) < .seconds(50))
        tester.finish()
    }

    @Test("FlowTester fails for an action after the deadline, and lists the running effects")
    func tooLate() async {
        let tester = FlowTester(finder { _ in .never() })
        type("Je", in: tester)
        let findings = await collectFindings {
            await tester.receive(.arrived(["Je"]), within: .milliseconds(1))
        }
        #expect(
            findings.map(\.message) == [
                """
                expected to receive arrived(["Je"]), but nothing arrived within 0.001 seconds; still running:
                  the side effect search("Je") of typed("Je")
                """
            ])
        tester.dismiss()
    }

    @Test("FlowTester marks an action from outside of virtual time")
    func fromOutside() async {
        let isTyped = DispatchSemaphore(value: 0)
        let arrived = DispatchSemaphore(value: 0)
        let tester = FlowTester(
            finder { text in
                .create { observer in
                    DispatchQueue.global().async {
                        // Not while `send` is still draining, which would reduce the action itself.
                        isTyped.wait()
                        observer.onNext(.arrived([text]))
                        observer.onCompleted()
                        arrived.signal()
                    }
                    return Disposables.create()
                }
            })
        type("Je", in: tester)
        isTyped.signal()
        arrived.wait()
        let findings = collectFindings {
            tester.receive(.cleared)
        }
        #expect(
            findings.first?.message.contains(
                "but received arrived([\"Je\"]), from the side effect search(\"Je\") of typed(\"Je\"), outside of virtual time"
            ) == true)
        tester.finish()
    }
}
