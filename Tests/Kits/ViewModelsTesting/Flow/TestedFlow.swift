import Composition
import Dispatch
import Streams
import StreamsTesting
import Synchronization
import ViewModels

/// The common part of ``FlowTester`` and ``MutationTester``: a running flow, and the state that the test has followed.
final class TestedFlow<
    Sent: Sendable, State: Equatable & Sendable, Action: Sendable, SideEffect: Sendable, Event: Sendable
> {
    /// The steps that are not consumed yet. `Sent` is what the test sends, `Action` what the flow reduces.
    typealias Record = FlowRecord<State, Action, SideEffect, Event>

    let scheduler: TestScheduler
    let engine: any FlowEngine<State, Sent, Event>
    let record: Record
    let words: Words
    var isExhaustive = true
    var state: State
    /// The dependencies of the flow now.
    private let dependencies: () -> DependencyValues
    private let origin: CallSite
    private var isFinished = false
    /// Whether effects may send actions on other threads.
    private var hasWaitedInRealTime = false

    /// The terms of the messages.
    struct Words {
        /// The term for what `receive` receives.
        let action: String
        /// The term for what runs and ends.
        let sideEffect: String
    }

    init(
        _ engine: any FlowEngine<State, Sent, Event>, _ record: Record, _ scheduler: TestScheduler, _ words: Words,
        _ origin: CallSite,
        dependencies: @escaping () -> DependencyValues
    ) {
        self.scheduler = scheduler
        self.engine = engine
        self.record = record
        self.words = words
        self.origin = origin
        self.dependencies = dependencies
        state = engine.state.value
    }

    deinit {
        if !isFinished { check("at the end of the test", origin, isEnd: true) }
        engine.dismiss()
    }

    // MARK: Acting and expecting

    /// Acts on the flow as the tester.
    func drive<Result>(_ body: () -> Result) -> Result {
        inScope { scheduler.perform(body) }
    }

    /// Advances virtual time by a duration, or until no work is left or a step stops it.
    func advance(by duration: Duration? = nil) {
        inScope { if let duration { scheduler.advance(by: duration) } else { scheduler.start() } }
    }

    /// Runs work of the tester with the dependencies of the flow: closures of effects that declare a dependency read
    /// those.
    private func inScope<Result>(_ body: () -> Result) -> Result {
        withDependencies(from: dependencies()) { record.drive(body) }
    }

    /// Expects the next action to match `expected`.
    func receive(
        _ expected: Expected<Action>, _ site: CallSite, within duration: Duration?,
        _ change: ((inout State) -> Void)?
    ) {
        while true {
            wait { $0.hasReduction }
            guard let reduced = record.takeReduction() else {
                site.fail(describeMissing(expected.text, suggestion: expected.code, within: duration))
                break
            }
            if expected.matches(reduced.reduction.action) {
                follow(reduced.reduction, change, site)
                break
            }
            state = reduced.reduction.after
            if isExhaustive {
                let difference = expected.difference(reduced.reduction.action).map { "\n  \($0)" }.joined()
                site.fail(
                    """
                    expected to receive \(expected.text), but received \(record.describe(reduced)), at tick \
                    \(scheduler.clock)\(difference)
                    If the flow is correct, write before this: \(suggestion(reduced.reduction.action))
                    """)
                break
            }
        }
        reportFailures(site)
    }

    /// Waits in real time for an action that satisfies `isExpected`, or, if the test is exhaustive, for any.
    nonisolated(nonsending) func waitForAction(
        _ isExpected: (Action) -> Bool, within duration: Duration
    ) async {
        await wait(within: duration) { record in
            if isExhaustive { return record.hasReduction }
            while let first = record.firstAction {
                if isExpected(first) { return true }
                if let skipped = record.takeReduction() { state = skipped.reduction.after }
            }
            return false
        }
    }

    func receive(event expected: Expected<Event>, _ site: CallSite, within duration: Duration?) {
        while true {
            wait { $0.hasEvent }
            guard let raised = record.takeEvent() else {
                let event = "the event \(expected.text)"
                site.fail(describeMissing(event, suggestion: "event: \(expected.code)", within: duration))
                break
            }
            if expected.matches(raised.event) { break }
            if isExhaustive {
                site.fail(
                    """
                    expected the event \(expected.text), but \(raised.cause) raised \(raised.event)
                    If the flow is correct, write before this: \(suggestion(event: raised.event))
                    """)
                break
            }
        }
        reportFailures(site)
    }

    /// Checks the state after a reduction, and updates ``state``.
    func follow(_ reduction: Record.Step.Reduction, _ change: ((inout State) -> Void)?, _ site: CallSite) {
        var expected = isExhaustive ? reduction.before : reduction.after
        change?(&expected)
        state = reduction.after
        if let finding = StateFinding(expected: expected, found: reduction.after, before: reduction.before) {
            site.fail("after \(reduction.action) \(finding.text)")
        } else if isExhaustive, change != nil, reduction.before == reduction.after {
            site.fail("\(reduction.action) does not change the state, and neither does the closure: remove the closure")
        }
    }

    /// Drops all steps that were not expected yet.
    func skipReceived() {
        while let reduced = record.takeReduction() { state = reduced.reduction.after }
        while record.takeEvent() != nil {}
        _ = record.takeMissingChildren()
    }

    func finish(_ site: CallSite) {
        wait { isExhaustive && ($0.hasReduction || $0.hasEvent) }
        if hasWaitedInRealTime { waitForOtherThreads { $0.running == nil } }
        check("at the end of the test", site, isEnd: true)
        isFinished = true
        drive { engine.dismiss() }
    }

    // MARK: Time

    func wait(until condition: (Record) -> Bool) {
        record.stopping = scheduler
        while !condition(record) {
            let steps = record.steps
            advance()
            if record.steps == steps { break }
        }
        record.stopping = nil
    }

    /// Advances virtual time, and waits in real time, until a condition holds.
    nonisolated(nonsending) func wait(within duration: Duration, until condition: (Record) -> Bool) async {
        hasWaitedInRealTime = true
        let (seconds, attoseconds) = duration.components
        let deadline = DispatchTime.now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
        while true {
            let steps = record.steps
            wait(until: condition)
            if condition(record) || DispatchTime.now() >= deadline || Task.isCancelled { return }
            await record.waitForStep(after: steps, until: deadline)
        }
    }

    /// Waits at most one second while another thread completes pending work of the flow: a thread on which an effect
    /// outside of virtual time has just sent an action.
    func waitForOtherThreads(until condition: (Record) -> Bool) {
        let pause = DispatchSemaphore(value: 0)
        for _ in 0..<1_000 where !condition(record) && !engine.state.hasEnded.load(ordering: .acquiring) {
            _ = pause.wait(timeout: .now() + .milliseconds(1))
        }
    }

    // MARK: Parts

    /// Fails for each step that was not expected, and drops it.
    func check(_ moment: String, _ site: CallSite, isEnd: Bool = false) {
        let isToBeIdle = isExhaustive && isEnd && !record.hasReduction && !record.hasEvent
        while let reduced = record.takeReduction() {
            let reduction = reduced.reduction
            state = reduction.after
            guard isExhaustive else { continue }
            let changes = Difference(reduction.before, reduction.after).lines.map { "\n  \($0)" }.joined()
            site.fail(
                """
                \(moment): received \(record.describe(reduced)), which was not expected\(changes)
                If the flow is correct, write: \(suggestion(reduction.action, from: reduction))
                """)
        }
        while let raised = record.takeEvent() {
            guard isExhaustive else { continue }
            site.fail(
                """
                \(moment): \(raised.cause) raised the event \(raised.event), which was not expected
                If the flow is correct, write: \(suggestion(event: raised.event))
                """)
        }
        if isToBeIdle, let running = record.running {
            site.fail(
                """
                \(moment), at tick \(scheduler.clock), still running:
                \(running)
                Let it end, cancel it, or dismiss the screen: tester.dismiss()
                """)
        }
        reportFailures(site)
    }

    func reportFailures(_ site: CallSite) {
        for failure in record.takeFailures() { site.fail("\(failure)") }
        for missing in record.takeMissingChildren() { site.fail(missing) }
    }

    private func describeMissing(_ expected: String, suggestion: String, within duration: Duration?) -> String {
        let end = duration.map { "nothing arrived within \($0)" } ?? "no work is left at tick \(scheduler.clock)"
        guard let running = record.running else {
            return "expected to receive \(expected), but \(end), and no \(words.sideEffect) is running"
        }
        let tasks = scheduler.pending.tasks.map { "\nwaiting in virtual time: \($0)" }.joined()
        let advice =
            duration == nil
            ? """

            If the work left virtual time, for a detached task, a queue or the main actor, wait in real time:
              await tester.receive(\(suggestion), within: .seconds(1))
            """ : ""
        return """
            expected to receive \(expected), but \(end); still running:
            \(running)\(tasks)\(advice)
            """
    }

    private func suggestion(_ action: Action, from reduction: Record.Step.Reduction? = nil) -> String {
        let call =
            if Action.self is any Equatable.Type, let code = SourceCode.expression(action) {
                "tester.receive(\(code))"
            } else if let pattern = SourceCode.casePattern(action) {
                "tester.receive(where: { if case \(pattern) = $0 { true } else { false } })"
            } else {
                "tester.receive(where: { _ in true })"
            }
        let changes = reduction.map { SourceCode.assignments(from: $0.before, to: $0.after) } ?? []
        return changes.isEmpty ? call : "\(call) { \(changes.joined(separator: "; ")) }"
    }

    private func suggestion(event: Event) -> String {
        if Event.self is any Equatable.Type, let code = SourceCode.expression(event) {
            return "tester.receive(event: \(code))"
        }
        let pattern = SourceCode.casePattern(event).map { "if case \($0) = $0 { true } else { false }" }
        return "tester.receive(eventWhere: { \(pattern ?? "_ in true") })"
    }
}

/// An expectation of a test.
struct Expected<Value> {
    let matches: (Value) -> Bool
    /// The expectation in words.
    let text: String
    /// The expectation as an argument of `receive`.
    let code: String
    /// The differences of a value that does not match, one line for each part.
    let difference: (Value) -> [String]

    /// Expects a value that satisfies a condition.
    init(where matches: @escaping (Value) -> Bool) {
        self.matches = matches
        text = "a value that satisfies the closure"
        code = "where: { … }"
        difference = { _ in [] }
    }

    /// Expects a value at a key path.
    init<Part>(_ part: KeyPath<Value, Part?>) {
        matches = { $0[keyPath: part] != nil }
        let name = "\(part)".split(separator: ".").last.map { ".\($0)" } ?? "\(part)"
        text = name
        code = "\\\(name)"
        difference = { _ in [] }
    }
}

extension Expected where Value: Equatable {
    /// Expects an equal value.
    init(_ value: Value) {
        matches = { $0 == value }
        text = "\(value)"
        code = SourceCode.expression(value) ?? "\(value)"
        difference = { Difference(value, $0).lines }
    }
}
