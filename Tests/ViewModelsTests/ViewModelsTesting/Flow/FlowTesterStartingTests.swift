import Composition
import Dispatch
import Streams
import StreamsTesting
import TestReporting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

/// A list of rows that are deleted elsewhere: most of its side effects answer nothing.
private struct Rows: Flow {
    enum Action: Equatable, Sendable {
        case deleteTapped(Int), deleted, typed(String), asked, importTapped, reloaded
    }
    enum SideEffect: Equatable, Sendable { case delete(Int), log, ask, search(String), unpack, reload }
    enum Event: Equatable, Sendable { case toast, closed }

    /// The requests of `deleteTapped`.
    var deletes: @Sendable (Int) -> Next<SideEffect, Event> = { .run(.delete($0)) }
    /// The requests of `deleted`.
    var answers = Next<SideEffect, Event>.none
    /// The answer of `ask`.
    var answer = Observable<Action>.just(.deleted)
    var initialState: [Int] { [1, 2, 3] }

    func reduce(_ state: inout [Int], _ action: Action) -> Next<SideEffect, Event> {
        switch action {
        case .deleteTapped(let id):
            state.removeAll { $0 == id }
            return deletes(id)
        case .typed(let text): return .latest(.search(text), after: .milliseconds(300))
        case .asked: return .exhausting(.ask)
        case .importTapped: return .inOrder(.unpack, .reload)
        case .deleted: return answers
        case .reloaded: return .none
        }
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .ask: answer
        case .unpack: .just(.reloaded)
        default: .empty()
        }
    }
}

/// A side effect with a value that no code can make.
private struct Upload: Flow {
    final class File: Sendable {}
    enum Action: Equatable, Sendable { case tapped, sent }
    enum SideEffect: Sendable { case upload(File) }

    var initialState: Int { 0 }

    func reduce(_ state: inout Int, _ action: Action) -> Next<SideEffect, Never> {
        state += 1
        return action == .tapped ? .run(.upload(File())) : .none
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> { .just(.sent) }
}

@Suite("FlowTester and side effects that answer nothing", .limitedConcurrency)
struct FlowTesterStartingTests {
    private typealias Requests = Next<Rows.SideEffect, Rows.Event>

    /// The findings of the usual test of a deletion.
    private func findings(_ deletes: @escaping @Sendable (Int) -> Requests) -> [String] {
        collectFindings {
            let tester = FlowTester(Rows(deletes: deletes))
            tester.send(.deleteTapped(2), starts: .delete(2)) { $0 = [1, 3] }
            tester.finish()
        }.map(\.message)
    }

    @Test("FlowTester passes if the side effects of an action are those that the test expects")
    func expected() {
        #expect(findings { .run(.delete($0)) } == [])
    }

    @Test("FlowTester fails for a side effect that does not start")
    func missing() {
        #expect(
            findings { _ in .none } == [
                """
                expected deleteTapped(2) to start the side effect delete(2), but it started none
                If the flow is correct, write: tester.send(.deleteTapped(2)) { $0 = [1, 3] }
                """
            ])
    }

    @Test("FlowTester fails for a side effect with another payload")
    func wrong() {
        #expect(
            findings { .run(.delete($0 + 1)) } == [
                """
                expected deleteTapped(2) to start the side effect delete(2), but it started delete(3)
                  delete: 2 → 3
                If the flow is correct, write: tester.send(.deleteTapped(2), starts: .delete(3)) { $0 = [1, 3] }
                """
            ])
    }

    @Test("FlowTester fails for a side effect too many")
    func extra() {
        #expect(
            findings { .run(.delete($0)).and(.run(.delete(99))) } == [
                """
                expected deleteTapped(2) to start the side effect delete(2), but it started delete(2), delete(99)
                If the flow is correct, write: tester.send(.deleteTapped(2), starts: .delete(2), .delete(99)) \
                { $0 = [1, 3] }
                """
            ])
    }

    @Test("FlowTester fails at the line of the action for a side effect that the test does not mention")
    func unmentioned() {
        let tester = FlowTester(Rows(deletes: { .run(.delete($0), .log) }))
        let line = #line + 1
        tester.send(.deleteTapped(2)) { $0 = [1, 3] }
        let findings = collectFindings { tester.finish() }
        #expect(
            findings.map(\.message) == [
                """
                deleteTapped(2) started the side effects delete(2), log, which were not expected
                If the flow is correct, write: tester.send(.deleteTapped(2), starts: .delete(2), .log) { $0 = [1, 3] }
                """
            ])
        #expect(findings.map(\.line) == [line])
    }

    @Test("FlowTester suggests to receive an action together with the side effects that start with it")
    func ofAReceivedAction() {
        let tester = FlowTester(Rows(answers: .run(.log)))
        tester.send(.asked, starts: .ask)
        expectIssue(
            """
            at the end of the test: received deleted, from the side effect ask of asked, which was not expected
              starts log
            If the flow is correct, write: tester.receive(.deleted, starts: .log)
            """
        ) { tester.finish() }
        let other = FlowTester(Rows(answers: .run(.log)))
        other.send(.asked, starts: .ask)
        other.receive(.deleted, starts: .log)
        other.finish()
    }

    @Test("FlowTester fails for events and actions in another order, once for each test")
    func order() {
        // The event comes first.
        let tester = FlowTester(Rows(deletes: { _ in .event(.toast).and(.run(.ask)) }))
        tester.send(.deleteTapped(2), starts: .ask) { $0 = [1, 3] }
        expectIssue(
            """
            expected to receive deleted, but deleteTapped(2) raised the event toast before
            If the flow is correct, write before this: tester.receive(event: .toast)
            """
        ) {
            tester.receive(.deleted)
            tester.receive(event: .toast)
            tester.finish()
        }
        let correct = FlowTester(Rows(deletes: { _ in .event(.toast).and(.run(.ask)) }))
        correct.send(.deleteTapped(2), starts: .ask) { $0 = [1, 3] }
        correct.receive(event: .toast)
        correct.receive(.deleted)
        correct.finish()
        // The action comes first.
        let late = FlowTester(Rows(answers: .event(.closed)))
        late.send(.asked, starts: .ask)
        expectIssue(
            """
            expected to receive the event closed, but received deleted, from the side effect ask of asked before
            If the flow is correct, write before this: tester.receive(.deleted)
            """
        ) {
            late.receive(event: .closed)
            late.receive(.deleted)
            late.finish()
        }
    }

    @Test("FlowTester fails once for a step that is out of order, and that the test never expects")
    func unexpectedBefore() {
        let tester = FlowTester(Rows(deletes: { _ in .event(.toast).and(.run(.ask)) }))
        tester.send(.deleteTapped(2), starts: .ask) { $0 = [1, 3] }
        expectIssue(
            """
            expected to receive deleted, but deleteTapped(2) raised the event toast before
            If the flow is correct, write before this: tester.receive(event: .toast)
            """
        ) {
            tester.receive(.deleted)
            tester.finish()
        }
    }

    @Test("a delayed side effect starts after its delay, and one that was replaced before never starts")
    func delayed() {
        let tester = FlowTester(Rows())
        tester.send(.typed("Je"))
        tester.advance(by: .milliseconds(299))
        tester.send(.typed("Jeju"))
        tester.receive(sideEffect: .search("Jeju"))
        #expect(tester.scheduler.clock == 599)
        tester.send(.typed("Busan"))
        expectIssue(
            """
            at the end of the test: typed("Busan") started the side effect search("Busan"), which was not expected
            If the flow is correct, write: tester.receive(sideEffect: .search("Busan"))
            """
        ) { tester.finish() }
    }

    @Test("a side effect that waits for another one starts when that has ended, and an ignored one does not start")
    func inOrder() {
        let tester = FlowTester(Rows())
        tester.send(.importTapped, starts: .unpack)
        tester.receive(.reloaded)
        tester.receive(sideEffect: .reload)
        let scheduler = TestScheduler(resolution: 0.001)
        let slow = FlowTester(
            Rows(answer: Observable.just(.deleted).delay(.seconds(1), scheduler: scheduler)), scheduler: scheduler)
        slow.send(.asked, starts: .ask)
        slow.send(.asked)
        slow.receive(.deleted)
        slow.finish()
    }

    @Test("FlowTester fails if the next side effect is another one, or none starts")
    func otherSideEffect() {
        let tester = FlowTester(Rows())
        tester.send(.typed("Je"))
        expectIssue(
            """
            expected the side effect search("Jeju"), but typed("Je") started the side effect search("Je")
              search: "Jeju" → "Je"
            If the flow is correct, write before this: tester.receive(sideEffect: .search("Je"))
            """
        ) { tester.receive(sideEffect: .search("Jeju")) }
        expectIssue(
            "expected to receive the side effect log, but no work is left at tick 300, and no side effect is running"
        ) { tester.receive(sideEffect: .log) }
        tester.finish()
    }

    @Test("FlowTester receives a side effect that is not Equatable by a condition, and suggests that")
    func notEquatable() {
        let tester = FlowTester(Upload())
        tester.send(.tapped) { $0 = 1 }
        tester.receive(sideEffectWhere: { if case .upload = $0 { true } else { false } })
        tester.receive(.sent) { $0 = 2 }
        tester.send(.tapped) { $0 = 3 }
        let finding = collectFindings { tester.receive(.sent) { $0 = 4 } }.map(\.message).joined()
        #expect(finding.contains("which was not expected\nIf the flow is correct, write after this: "))
        #expect(
            finding.hasSuffix("tester.receive(sideEffectWhere: { if case .upload = $0 { true } else { false } })"))
        tester.finish()
    }

    @Test("without exhaustivity, an action may start more side effects than the test expects")
    func notExhaustive() {
        let tester = FlowTester(Rows(deletes: { .run(.log, .delete($0), .ask).and(.event(.toast)) }))
        tester.isExhaustive = false
        tester.send(.deleteTapped(2), starts: .delete(2))
        tester.receive(event: .toast)
        tester.send(.deleteTapped(3), starts: .log, .ask)
        tester.send(.deleteTapped(1))
        tester.receive(sideEffect: .delete(1))
        expectIssue(
            """
            expected deleteTapped(4) to start the side effect delete(5), but it started log, delete(4), ask
            If the flow is correct, write: tester.send(.deleteTapped(4), starts: .log, .delete(4), .ask)
            """
        ) { tester.send(.deleteTapped(4), starts: .delete(5)) }
        tester.finish()
    }

    @Test("FlowTester waits in real time for a side effect, and for those of an action that another thread reduces")
    func realTime() async {
        let answer = Observable<Rows.Action>.create { observer in
            DispatchQueue.global().async { observer.on(.next(.deleted)) }
            return Disposables.create()
        }
        let tester = FlowTester(Rows(answers: .run(.log), answer: answer.take(1)))
        tester.send(.asked, starts: .ask)
        await tester.receive(.deleted, within: .seconds(60))
        await tester.receive(sideEffect: .log, within: .seconds(60))
        tester.finish()
    }

    @Test("FlowTester lists 20 unexpected steps, and counts the others")
    func many() {
        let tester = FlowTester(
            Rows(deletes: { _ in .run(.log).and((0..<30).reduce(.none) { next, _ in next.and(.event(.toast)) }) }))
        tester.send(.deleteTapped(2), starts: .log) { $0 = [1, 3] }
        let findings = collectFindings { tester.finish() }
        #expect(findings.count == 21)
        #expect(findings.last?.message == "at the end of the test: 10 further steps were not expected")
    }
}

/// Answers each action with the requests of a table, and each side effect with actions of a table.
private struct GeneratedFlow: Flow {
    typealias State = [Int]

    /// The requests of each action: events are negative, delayed side effects are from 100, others are positive.
    let requests: [[Int]]
    /// The answers of each side effect.
    let answers: [[Int]]

    var initialState: [Int] { [] }

    func reduce(_ state: inout [Int], _ action: Int) -> Next<Int, Int> {
        state.append(action)
        if state.count > 6 { return .none }
        return requests[action].reduce(.none) { next, request in
            switch request {
            case ..<0: next.and(.event(request))
            case 100...: next.and(.latest(request, after: .milliseconds(request), id: request))
            default: next.and(.run(request))
            }
        }
    }

    func perform(_ sideEffect: Int) -> Observable<Int> { .from(answers[sideEffect % 100]) }
}

@Suite("FlowTester and generated flows", .limitedConcurrency)
struct GeneratedFlowTesterTests {
    private enum Line: Equatable {
        case receive(Int), event(Int), sideEffect(Int)
    }

    /// The findings of a test with these lines.
    private func findings(_ script: GeneratedFlow, _ lines: [Line]) -> [String] {
        collectFindings {
            let tester = FlowTester(script)
            tester.send(0) { $0 = [0] }
            for line in lines {
                switch line {
                case .receive(let action): tester.receive(action) { $0.append(action) }
                case .event(let event): tester.receive(event: event)
                case .sideEffect(let sideEffect): tester.receive(sideEffect: sideEffect)
                }
            }
            tester.finish()
        }.map(\.message)
    }

    /// The steps after the first action.
    private func steps(of script: GeneratedFlow) -> [Line] {
        let scheduler = TestScheduler(resolution: 0.001)
        let lines = Mutexed<[Line]>([])
        let store = withDependencies {
            $0.useVirtualTime(of: scheduler)
        } operation: {
            FlowStore(
                script.traced { step in
                    switch step {
                    case .reduced(let reduction) where reduction.cause != .sent:
                        lines.change { $0.append(.receive(reduction.action)) }
                    case .raised(let event, action: _): lines.change { $0.append(.event(event)) }
                    case .effect(let effect, .started): lines.change { $0.append(.sideEffect(effect.sideEffect)) }
                    default: break
                    }
                })
        }
        scheduler.perform { _ = store.send(0) }
        scheduler.run()
        return lines.value
    }

    @Test("a test with the steps of a flow passes, and fails if a step is missing, too much, another or elsewhere")
    func generated() {
        var (random, lengths) = (SeededGenerator(seed: 7), [Int]())
        for _ in 0..<40 {
            func numbers(_ range: ClosedRange<Int>) -> [Int] {
                (0..<Int.random(in: 0...2, using: &random)).map { _ in Int.random(in: range, using: &random) }
            }
            let script = GeneratedFlow(
                requests: (0..<4).map { _ in
                    (numbers(0...3) + numbers(-3 ... -1) + numbers(100...103)).shuffled(using: &random)
                },
                answers: (0..<4).map { _ in numbers(0...3) })
            let lines = steps(of: script)
            lengths.append(lines.count)
            #expect(findings(script, lines) == [])
            for index in lines.indices.shuffled(using: &random).prefix(2) {
                var (less, more, other, moved) = (lines, lines, lines, lines)
                less.remove(at: index)
                more.insert(lines[index], at: index)
                other[index] = .event(9)
                let changed: [Line]
                if index > 0, lines[index] != lines[index - 1] {
                    moved.swapAt(index, index - 1)
                    changed = moved
                } else {
                    changed = other
                }
                for wrong in [less, more, other, changed] {
                    #expect(!findings(script, wrong).isEmpty, "\(wrong) instead of \(lines)")
                }
            }
        }
        #expect(lengths.reduce(0, +) > 200)
    }
}
