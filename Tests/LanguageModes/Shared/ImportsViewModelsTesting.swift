// One import is enough to test a view model, besides the testing framework.
import Testing
import ViewModelsTesting

@Suite("With ViewModelsTesting alone", .nothingSurvives, .timeLimit(.minutes(5)))
@MainActor
struct ImportsViewModelsTesting {
    @Test("an input/output view model is tested in virtual time")
    func inputAndOutput() {
        let scheduler = TestScheduler(resolution: 0.001)
        let names = scheduler.createHotObservable([.next(10, "Mi"), .next(20, "Mina")])
        let screen = withDependencies {
            $0.useVirtualTime(of: scheduler)
        } operation: {
            GreeterViewModel()
        }
        let heard = scheduler.createObserver(String.self)
        let output = screen.transform(.init(name: names.asObservable()))
        let subscription = output.greeting.drive(heard)
        scheduler.run()
        subscription.dispose()
        #expect(heard.events.compactMap(\.value.element) == ["Hello, Mina"])
        expectOnlyComposes(screen) { inputs in .init(name: inputs.count(names)) }
    }

    @Test("a flow is tested by its actions", .dependencies { $0.catalog.search = { ["\($0) in winter"] } })
    func flow() {
        let tester = FlowTester(CatalogSearch())
        tester.send(.typed("Jeju"), starts: .search("Jeju")) { $0.text = "Jeju" }
        tester.receive(.found(["Jeju in winter"])) { $0.titles = ["Jeju in winter"] }
        tester.finish()
        FlowSpec(CatalogSearch()).when(.typed("Jeju")).then(.latest(.search("Jeju"))) { $0.text = "Jeju" }
    }
}
