import Streams
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

@Suite("Policies of side effects", .limitedConcurrency, .nothingSurvives)
struct NextPolicyTests {
    typealias Asked = [(tick: Int, next: Next<Probe.Work, String>)]

    /// `a` takes 30 ticks and emits after 10 and 20; `b` takes 20.
    private let works = ["a": "-12|", "b": "-1|", "c": "-1|"]

    private func expect(_ asked: Asked, _ lines: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(Timeline(works).run(asked) == lines, sourceLocation: sourceLocation)
    }

    @Test("run starts all side effects concurrently, each to its end")
    func merged() {
        expect(
            [(0, .run(.load("a"), .load("b"))), (10, .run(.load("c")))],
            [
                "0 a started", "0 b started", "10 c started", "10 a1", "10 b1", "20 a2", "20 b ended", "20 c1",
                "30 a ended", "30 c ended",
            ])
    }

    @Test("inOrder starts each side effect when the one before has ended")
    func inOrder() {
        expect(
            [(0, .inOrder(.load("a"), .load("b"), .load("c")))],
            [
                "0 a started", "0 b queued", "0 c queued", "10 a1", "20 a2", "30 a ended", "30 b started", "40 b1",
                "50 b ended", "50 c started", "60 c1", "70 c ended",
            ])
    }

    @Test("inOrder without an id does not order the effects of two actions")
    func inOrderOfTwoActions() {
        expect(
            [(0, .inOrder(.load("a"), .load("b"))), (10, .inOrder(.load("c")))],
            [
                "0 a started", "0 b queued", "10 c started", "10 a1", "20 a2", "20 c1", "30 a ended", "30 b started",
                "30 c ended", "40 b1", "50 b ended",
            ])
    }

    @Test("inOrder with an id waits for every effect with the same id, of any action and policy")
    func inOrderWithID() {
        expect(
            [
                (0, .run(.load("a"), id: "x")), (10, .inOrder(.load("b"), id: "x")),
                (20, .inOrder(.load("c"), id: "x")), (20, .inOrder(.load("c"), id: "y")),
            ],
            [
                "0 a started", "10 b queued", "10 a1", "20 c queued", "20 c started", "20 a2", "30 a ended",
                "30 b started", "30 c1", "40 c ended", "40 b1", "50 b ended", "50 c started", "60 c1", "70 c ended",
            ])
    }

    @Test("latest cancels the effect before, which emits nothing more")
    func latest() {
        expect(
            [(0, .latest(.load("a"))), (15, .latest(.load("b"))), (20, .latest(.load("c")))],
            [
                "0 a started", "10 a1", "15 a cancelled", "15 b started", "20 b cancelled", "20 c started", "30 c1",
                "40 c ended",
            ])
    }

    @Test("latest identifies a side effect by its case, and other cases continue")
    func latestByKind() {
        expect(
            [(0, .latest(.load("a"))), (5, .latest(.save("b")))],
            ["0 a started", "5 b started", "10 a1", "15 b1", "20 a2", "25 b ended", "30 a ended"])
    }

    @Test("latest with an id cancels the effects with that id, and no others")
    func latestByID() {
        expect(
            [
                (0, .run(.load("a"), .load("b"), id: "x")), (0, .run(.load("c"), id: "y")),
                (5, .latest(.load("b"), id: "x")),
            ],
            [
                "0 a started", "0 b started", "0 c started", "5 a cancelled", "5 b cancelled", "5 b started", "10 c1",
                "15 b1", "20 c ended", "25 b ended",
            ])
    }

    @Test("exhausting ignores a side effect only while one runs")
    func exhausting() {
        expect(
            [
                (0, .exhausting(.load("a"))), (15, .exhausting(.load("b"))), (15, .exhausting(.save("c"))),
                (31, .exhausting(.load("b"))),
            ],
            [
                "0 a started", "10 a1", "15 b ignored", "15 c started", "20 a2", "25 c1", "30 a ended", "31 b started",
                "35 c ended", "41 b1", "51 b ended",
            ])
    }

    @Test("exhausting with an id also counts waiting effects")
    func exhaustingByID() {
        expect(
            [(0, .inOrder(.load("b"), .load("c"), id: 1)), (5, .exhausting(.load("a"), id: 1))],
            [
                "0 b started", "0 c queued", "5 a ignored", "10 b1", "20 b ended", "20 c started", "30 c1",
                "40 c ended",
            ])
    }

    @Test("cancel ends the running and waiting effects with an id, and other ids continue")
    func cancelled() {
        expect(
            [
                (0, .inOrder(.load("a"), .load("b"), id: "x")), (0, .run(.load("c"), id: "y")),
                (15, .cancel("x")), (15, .cancel("nobody")),
            ],
            [
                "0 a started", "0 b queued", "0 c started", "10 a1", "10 c1", "15 a cancelled", "15 b cancelled",
                "20 c ended",
            ])
    }

    @Test("cancel ends the effects of latest and exhausting that have the name, regardless of the payload")
    func cancelledByName() {
        enum Work { case load, save }
        expect(
            [
                (
                    0,
                    .latest(.load("a"), id: Work.load).and(.exhausting(.save("b"), id: Work.save)).and(.run(.load("c")))
                ),
                (15, .cancel(Work.load)), (15, .cancel(Work.save)),
            ],
            [
                "0 a started", "0 b started", "0 c started", "10 a1", "10 b1", "10 c1", "15 a cancelled",
                "15 b cancelled", "20 c ended",
            ])
    }

    @Test("effect ids are distinguished by type and value")
    func ids() {
        expect(
            [
                (0, .run(.load("b"), id: 1)), (0, .run(.load("c"), id: 1 as UInt8)), (5, .cancel(1 as UInt8)),
                (6, .cancel("load")),
            ],
            ["0 b started", "0 c started", "5 c cancelled", "10 b1", "20 b ended"])
    }

    @Test("requests are carried out in order: cancellations, starts and events")
    func order() {
        expect(
            [
                (0, .run(.load("b"), id: 1)),
                (5, .event("first").and(.cancel(1)).and(.run(.load("c"), id: 1)).and(.event("last"))),
            ],
            ["0 b started", "5 event first", "5 b cancelled", "5 c started", "5 event last", "15 c1", "25 c ended"])
    }

    @Test("the actions of a synchronous effect are reduced before the next effect of inOrder starts")
    func synchronous() {
        let timeline = Timeline(["a": "(12|)", "b": "(1|)"])
        #expect(
            timeline.run([(0, .inOrder(.load("a"), .load("b")))])
                == ["0 a started", "0 b queued", "0 a1", "0 a2", "0 a ended", "0 b started", "0 b1", "0 b ended"])
    }

    @Test("thousands of effects of one action, and with one id, end in time that is linear in their number")
    func many() {
        let count = 8_000
        let works = (0..<count).map { Probe.Work.load("\($0)") }
        let store = FlowStore(Probe { _ in .just("done") })
        store.send(.ask(.inOrder(works)))
        #expect(store.currentState.said.count == count)
        store.send(.ask(.run(works)))
        #expect(store.currentState.said.count == 2 * count)
        let endless = FlowStore(Probe { _ in .never() })
        let effects = [Next.run(works, id: "all"), .inOrder(works, id: "all")].map { endless.send(.ask($0)) }
        #expect(effects.map(\.areFinished) == [false, false])
        endless.send(.ask(.cancel("all")))
        #expect(effects.map(\.areFinished) == [true, true])
        endless.send(.ask(.inOrder(works, id: "all")))
        endless.dismiss()
    }

    @Test("the effects with one id run in the order of the requests, whichever of them are cancelled meanwhile")
    func queue() {
        let works = Works()
        let store = FlowStore(Probe { works[$0] })
        let effects = (0..<6).map { store.send(.ask(.inOrder(.load("\($0)"), id: "x"))) }
        effects[3].cancel()
        effects[5].cancel()
        #expect(works.running == ["0"])
        effects[0].cancel()
        #expect(works.running == ["1"])
        store.send(.ask(.inOrder(.load("6"), id: "x")))
        works["1"].onCompleted()
        #expect(works.running == ["2"])
        effects[4].cancel()
        works["2"].onCompleted()
        #expect(works.running == ["6"])
        works["6"].onCompleted()
        store.send(.ask(.inOrder(.load("7"), id: "x")))
        #expect(works.running == ["7"])
        store.dismiss()
    }
}
