import Composition
import Streams
import StreamsTesting
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Screens of a module on the main actor", .nothingSurvives, .timeLimit(.minutes(5)))
struct MainActorTests {
    @Test(
        "a flow of a main actor module passes a FlowTester test",
        .dependencies { $0.titles = Titles { ["\($0) in winter"] } })
    func flow() {
        let tester = FlowTester(TitleSearch())
        tester.send(.typed("Jeju")) { $0.text = "Jeju" }
        tester.receive(.found(["Jeju in winter"])) { $0.titles = ["Jeju in winter"] }
        tester.finish()
    }

    @Test("a view of a main actor module passes its dependencies to a child that it makes later", .virtualTime)
    func views() {
        let scheduler = TestScheduler(resolution: 0.001)
        let view = withDependencies {
            $0.useVirtualTime(of: scheduler)
            $0.titles = Titles { ["\($0) in winter"] }
        } operation: {
            SearchView()
        }
        for view in [view, view.makeChild()] {
            view.store.send(.typed("Jeju"))
            scheduler.run()
            #expect(view.shown == ["Jeju in winter"])
        }
    }

    @Test("an object that is made in an asynchronous scope stays on the main actor")
    func scopes() async {
        let view = await withDependencies {
            $0.uuid = .incrementing
        } operation: {
            await Task.yield()
            return SearchView()
        }
        #expect(view.shown == [])
    }

    @Test("input/output and mutation screens of a main actor module run")
    func others() {
        let counter = FlowStore(Counter())
        counter.send(.plus)
        #expect(counter.currentState == 1)
        expectOnlyComposes(Greeter()) { inputs in .init(name: inputs.count(Observable.just("Mina"))) }
    }
}
