import Testing
import ViewModels

@Suite("Next")
struct NextTests {
    typealias Request = Next<Probe.Work, String>

    @Test("two Next values are equal if they make the same requests in the same order")
    func equality() {
        #expect(Request.run(.load("a"), .load("b")) == .run(.load("a")).and(.run(.load("b"))))
        #expect(Request.run(.load("a"), .load("b")) != .run(.load("b"), .load("a")))
        #expect(Request.run(.load("a")) != .run(.load("a"), id: "x"))
        #expect(Request.run(.load("a")) != .latest(.load("a")))
        #expect(Request.latest(.load("a")) != .latest(.load("a"), id: "load"))
        #expect(Request.cancel("load") != .cancel("save"))
        #expect(Request.none.and(.event("x")) == .event("x").and(.none))
        #expect(Request.none == .run())
        #expect(Request.none.isNone && !Request.event("x").isNone)
    }

    @Test("requests of an array equal those of its elements")
    func arrays() {
        #expect(Request.run([.load("a"), .save("b")]) == .run(.load("a"), .save("b")))
        #expect(Request.run([.load("a")], id: 7) == .run(.load("a"), id: 7))
        #expect(Request.inOrder([.load("a"), .save("b")], id: 7) == .inOrder(.load("a"), .save("b"), id: 7))
        #expect(Request.run([]).isNone && Request.inOrder([]).isNone)
    }

    @Test(
        "the description of Next is its source code",
        arguments: [
            (Request.none, ".none"),
            (.run(.load("a"), .save("b"), id: 7), ".run(a, id: 7) and .run(b, id: 7)"),
            (.inOrder(.load("a"), .save("b")), ".inOrder(a, b)"),
            (.latest(.load("a")), ".latest(a)"),
            (.exhausting(.load("a"), id: "x"), ".exhausting(a, id: x)"),
            (.cancel("x").and(.event("bye")), ".cancel(x) and .event(bye)"),
        ])
    func description(next: Request, text: String) {
        #expect("\(next)" == text)
    }
}
