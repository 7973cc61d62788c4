public import Composition
import Dispatch
import Streams
public import StreamsTesting
import Synchronization
import ViewModels

/// A running flow, and the state that the test has followed: the common part of ``FlowTester`` and ``MutationTester``.
///
/// `Received` is what the flow reduces, and `Work` what runs and ends: the actions and the side effects of a `Flow`. A
/// `MutationFlow` reduces its side effects, and its actions run; there, read "side effect" for "action" below.
public class TestedFlow<
    Sent: Sendable, State: Equatable & Sendable, Received: Sendable, Work: Sendable, Event: Sendable
> {
    /// The steps that are not consumed yet.
    typealias Record = FlowRecord<State, Received, Work, Event>

    /// The scheduler whose virtual time the flow uses.
    public let scheduler: TestScheduler
    /// Whether the test must expect every step. If not, unexpected steps pass, and the closures that change the state
    /// define its expected values afterwards, not all its changes.
    public var isExhaustive = true
    /// The state after the last step that the test has followed.
    public private(set) var state: State

    /// The number of steps after which the test no longer waits: a few seconds' work.
    package var endlessSteps = 100_000
    let engine: any FlowEngine<State, Sent, Event>
    let record: Record
    private let flow: any FlowWithDependencies
    private let origin: CallSite
    /// The last step that the test has followed: side effects that started with it are expected there.
    private var followed: Followed?
    private var isFinished = false
    /// Whether effects may send actions on other threads.
    private var hasWaitedInRealTime = false

    private struct Followed {
        let reduction: Record.Step.Reduction
        /// The call that followed it: `send` or `receive`.
        let call: String
        let site: CallSite
    }

    init(
        _ engine: any FlowEngine<State, Sent, Event>, _ record: Record, _ flow: any FlowWithDependencies,
        _ scheduler: TestScheduler, _ origin: CallSite
    ) {
        self.scheduler = scheduler
        self.engine = engine
        self.record = record
        self.flow = flow
        self.origin = origin
        state = engine.state.value
    }

    deinit {
        if !isFinished { check("at the end of the test", origin, isEnd: true) }
        engine.dismiss()
    }

    // MARK: Receiving actions

    /// Expects the next action of a side effect, and exactly this change of the state. Advances virtual time until an
    /// action arrives.
    ///
    /// ```swift
    /// tester.receive(.arrived(["Jeju in winter"])) { $0.titles = ["Jeju in winter"] }
    /// ```
    ///
    /// - Parameters:
    ///   - action: The expected action.
    ///   - fileID: The file of the call, for the report of a failure.
    ///   - filePath: The path of that file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    ///   - change: Makes the expected changes. Without it, the state must stay the same.
    public func receive(
        _ action: Received, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, _ change: ((inout State) -> Void)? = nil
    ) where Received: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        receive(Expected(action), site, within: nil, change)
    }

    /// Expects the next action to have a value at a key path: for an enumeration with a property for each case.
    ///
    /// ```swift
    /// tester.receive(\.arrived) { $0.titles = ["Jeju in winter"] }
    /// // with: var arrived: [String]? { if case .arrived(let titles) = self { titles } else { nil } }
    /// ```
    public func receive<Value>(
        _ part: KeyPath<Received, Value?>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, _ change: ((inout State) -> Void)? = nil
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        receive(Expected(part), site, within: nil, change)
    }

    /// Expects the next action to satisfy a condition.
    ///
    /// ```swift
    /// tester.receive(where: { if case .arrived = $0 { true } else { false } }) { $0.titles = ["Jeju in winter"] }
    /// ```
    public func receive(
        where isExpected: (Received) -> Bool, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, _ change: ((inout State) -> Void)? = nil
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        withoutActuallyEscaping(isExpected) {
            receive(Expected(where: $0), site, within: nil, change)
        }
    }

    /// Expects the next action of a side effect, as `receive` without `within`, but also waits in real time: for
    /// work outside of virtual time.
    ///
    /// ```swift
    /// await tester.receive(.arrived(["Jeju in winter"]), within: .seconds(5)) { $0.titles = ["Jeju in winter"] }
    /// ```
    ///
    /// - Parameters:
    ///   - action: The expected action.
    ///   - duration: The maximum time to wait.
    ///   - fileID: The file of the call, for the report of a failure.
    ///   - filePath: The path of that file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    ///   - change: Makes the expected changes. Without it, the state must stay the same.
    public nonisolated(nonsending) func receive(
        _ action: Received, within duration: Duration, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ change: ((inout State) -> Void)? = nil
    ) async where Received: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await waitForAction({ $0 == action }, within: duration)
        receive(Expected(action), site, within: duration, change)
    }

    /// Expects the next action to have a value at a key path, and also waits in real time.
    public nonisolated(nonsending) func receive<Value>(
        _ part: KeyPath<Received, Value?>, within duration: Duration, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ change: ((inout State) -> Void)? = nil
    ) async {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await waitForAction({ $0[keyPath: part] != nil }, within: duration)
        receive(Expected(part), site, within: duration, change)
    }

    /// Expects the next action to satisfy a condition, and also waits in real time.
    public nonisolated(nonsending) func receive(
        where isExpected: (Received) -> Bool, within duration: Duration, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ change: ((inout State) -> Void)? = nil
    ) async {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await waitForAction(isExpected, within: duration)
        withoutActuallyEscaping(isExpected) {
            receive(Expected(where: $0), site, within: duration, change)
        }
    }

    // MARK: Receiving events

    /// Expects this event next. Advances virtual time until one is raised.
    public func receive(
        event: Event, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) where Event: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        receive(event: Expected(event), site, within: nil)
    }

    /// Expects the next event to satisfy a condition.
    public func receive(
        eventWhere isExpected: (Event) -> Bool, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        withoutActuallyEscaping(isExpected) { receive(event: Expected(where: $0), site, within: nil) }
    }

    /// Expects this event next, and also waits in real time.
    public nonisolated(nonsending) func receive(
        event: Event, within duration: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) async where Event: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await wait(within: duration) { $0.hasEvent }
        receive(event: Expected(event), site, within: duration)
    }

    // MARK: Exhaustivity

    /// Drops the actions, side effects and events that were not expected yet, and updates ``state``.
    ///
    /// Side effects that run continue; nothing fails.
    ///
    /// ```swift
    /// tester.skipReceived()    // of the first search, which this test is not about
    /// tester.send(.typed("Busan")) { $0.text = "Busan" }
    /// ```
    public func skipReceived() {
        while let next = record.takeNext() {
            if case .reduced(let reduced) = next.entry { state = reduced.reduction.after }
        }
        _ = record.takeMissingChildren()
    }

    /// Runs `body` with another exhaustivity, and then restores the previous one.
    ///
    /// Steps inside that were not expected there pass, if it was not exhaustive.
    ///
    /// ```swift
    /// tester.withExhaustivity(false) {
    ///     tester.send(.refreshed)    // may change anything
    /// }
    /// ```
    public func withExhaustivity<Result>(_ isExhaustive: Bool, _ body: () throws -> Result) rethrows -> Result {
        let outer = self.isExhaustive
        self.isExhaustive = isExhaustive
        defer {
            if !isExhaustive { skipReceived() }
            self.isExhaustive = outer
        }
        return try body()
    }

    /// Changes dependencies from now on: the flow is made again with them, and its state stays.
    ///
    /// ```swift
    /// tester.dependencies { $0.titles = .failing }
    /// tester.send(.retryTapped)
    /// ```
    ///
    /// Running side effects keep their dependencies. The tester makes the flow again with the expression that it
    /// received, as in `FlowTester(Search())`; a flow that was made before stays the same.
    public func dependencies(_ update: (inout DependencyValues) throws -> Void) rethrows {
        try flow.update(update)
    }

    // MARK: Time

    /// Advances virtual time, running the work that becomes due, in order.
    ///
    /// ```swift
    /// tester.advance(by: .milliseconds(300))    // the time of the debouncing
    /// ```
    public func advance(by duration: Duration) {
        inScope { scheduler.advance(by: duration) }
    }

    /// Dismisses the screen, which ends its side effects.
    ///
    /// ```swift
    /// tester.send(.typed("Jeju")) { $0.text = "Jeju" }
    /// tester.dismiss()    // ends the search
    /// tester.finish()
    /// ```
    public func dismiss() {
        drive { engine.dismiss() }
    }

    /// Runs the remaining work, and fails the test unless every step was expected and every side effect has ended.
    ///
    /// Beside a side effect that never ends, such as a timer, it stops after a large number of steps, and names the side
    /// effect: cancel it before, or dismiss the screen by ``dismiss()``.
    ///
    /// The last call of a test. Without it, releasing the tester makes the same check, but advances no time.
    public func finish(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        let moment = "at the end of the test"
        var limit = endlessSteps
        var isEndless = !wait { isExhaustive && $0.hasUnreported }
        if isExhaustive, record.hasUnreported {
            check(moment, site)
            // A timer has more steps, however many the test expects.
            limit = min(limit, 1_000)
            isEndless = !wait(atMost: limit) { _ in false }
            skipReceived()
            _ = record.takeFailures()
        }
        if isEndless, let running = record.running {
            site.fail(
                """
                work is left after \(limit) steps, at tick \(scheduler.clock); still running:
                \(running)
                Let it end, cancel it, or dismiss the screen: tester.dismiss()
                """)
        }
        if hasWaitedInRealTime { waitForOtherThreads { $0.running == nil } }
        check(moment, site, isEnd: !isEndless)
        isFinished = true
        drive { engine.dismiss() }
    }

    // MARK: Acting and expecting

    /// Acts on the flow as the tester.
    func drive<Result>(_ body: () -> Result) -> Result {
        inScope { scheduler.perform(body) }
    }

    /// Runs work of the tester with the dependencies of the flow: closures of effects that declare a dependency read
    /// those.
    private func inScope<Result>(_ body: () -> Result) -> Result {
        withDependencies(from: flow.dependencies) { record.drive(body) }
    }

    /// Expects the next action to match `expected`.
    ///
    /// - Parameter started: All side effects that the action is expected to start; by default the test receives them.
    func receive(
        _ expected: Expected<Received>, _ site: CallSite, within duration: Duration?,
        starts started: [Expected<Work>]? = nil, _ change: ((inout State) -> Void)?
    ) {
        let start = record.steps
        while true {
            let isEndless = !wait(for: .reduced, expected.text, since: start, site)
            guard !isEndless, let reduced = record.takeReduction() else {
                site.fail(describeMissing(expected.text, suggestion: expected.code, isEndless, within: duration))
                break
            }
            if expected.matches(reduced.reduction.action) {
                follow(reduced, change, starts: started, "receive", site)
                break
            }
            state = reduced.reduction.after
            if isExhaustive {
                let difference = expected.difference(reduced.reduction.action).map { "\n  \($0)" }.joined()
                let begun = record.takeBegun(with: reduced.reduction.number, areUnreported: true)
                site.fail(
                    """
                    expected to receive \(expected.text), but received \(record.describe(reduced)), at tick \
                    \(scheduler.clock)\(difference)
                    If the flow is correct, write before this: \(suggestion(reduced.reduction, starts: begun))
                    """)
                break
            }
        }
        reportFailures(site)
    }

    /// Waits in real time for an action that satisfies `isExpected`, or, if the test is exhaustive, for any.
    private nonisolated(nonsending) func waitForAction(
        _ isExpected: (Received) -> Bool, within duration: Duration
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

    private func receive(event expected: Expected<Event>, _ site: CallSite, within duration: Duration?) {
        let start = record.steps
        while true {
            let isEndless = !wait(for: .raised, "the event \(expected.text)", since: start, site)
            guard !isEndless, let raised = record.takeEvent() else {
                let (event, code) = ("the event \(expected.text)", "event: \(expected.code)")
                site.fail(describeMissing(event, suggestion: code, isEndless, within: duration))
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

    /// Expects the next side effect that starts, or the next action that a mutation flow sends to itself.
    func receive(begun expected: Expected<Work>, _ site: CallSite, within duration: Duration?) {
        let start = record.steps
        while true {
            let text = "the \(record.noun) \(expected.text)"
            let isEndless = !wait(for: .begun, text, since: start, site)
            guard !isEndless, let begun = record.takeBegun() else {
                let code = "\(record.label): \(expected.code)"
                site.fail(describeMissing(text, suggestion: code, isEndless, within: duration))
                break
            }
            if expected.matches(begun.work) { break }
            if isExhaustive {
                let difference = expected.difference(begun.work).map { "\n  \($0)" }.joined()
                site.fail(
                    """
                    expected \(text), but \(begun.text)\(difference)
                    If the flow is correct, write before this: \(suggestion(begun: begun.work))
                    """)
                break
            }
        }
        reportFailures(site)
    }

    /// Checks the state after a reduction, and the side effects that started with it; updates ``state``.
    ///
    /// - Parameters:
    ///   - started: All side effects that are expected to start with it; `nil` if the test receives them.
    ///   - call: The method of the tester that the test has called.
    func follow(
        _ reduced: Record.Reduced, _ change: ((inout State) -> Void)?, starts started: [Expected<Work>]? = nil,
        _ call: String, _ site: CallSite
    ) {
        let reduction = reduced.reduction
        var expected = isExhaustive ? reduction.before : reduction.after
        change?(&expected)
        state = reduction.after
        followed = Followed(reduction: reduction, call: call, site: site)
        if let finding = StateFinding(expected: expected, found: reduction.after, before: reduction.before) {
            site.fail("after \(reduction.action) \(finding.text)")
        } else if isExhaustive, change != nil, reduction.before == reduction.after {
            site.fail("\(reduction.action) does not change the state, and neither does the closure: remove the closure")
        }
        guard let started else { return }
        // Another thread is still carrying out the requests of the action that it has reduced.
        if reduced.isFromOutside { waitForOtherThreads { $0.has(.begun) } }
        expect(started, with: reduction, call, site)
    }

    /// Expects these side effects to have started with a reduction: all of them in this order, or, if the test is not
    /// exhaustive, these among others.
    private func expect(
        _ expected: [Expected<Work>], with reduction: Record.Step.Reduction, _ call: String, _ site: CallSite
    ) {
        let begun = record.takeBegun(with: reduction.number)
        var rest = expected[...]
        for begun in begun where rest.first?.matches(begun.work) == true { rest.removeFirst() }
        if rest.isEmpty, !isExhaustive || begun.count == expected.count { return }
        let found = begun.isEmpty ? "none" : begun.map { "\($0.work)" }.joined(separator: ", ")
        let pairs = expected.count == begun.count ? Array(zip(expected, begun)) : []
        let difference = pairs.flatMap { expected, begun in
            expected.matches(begun.work) ? [] : expected.difference(begun.work)
        }
        site.fail(
            """
            expected \(reduction.action) to start \(list(expected.map(\.text))), but it started \(found)\
            \(difference.map { "\n  \($0)" }.joined())
            \(advice(Followed(reduction: reduction, call: call, site: site), starts: begun))
            """)
    }

    private func list(_ texts: [String]) -> String {
        "the \(record.noun)\(texts.count == 1 ? "" : "s") \(texts.joined(separator: ", "))"
    }

    // MARK: Waiting

    /// Advances virtual time until a condition holds, no work is left, or so many steps have passed that the test waits
    /// in vain: beside a side effect that repeats forever, virtual time always has work left. A step is one of the flow,
    /// or work of the scheduler that leads to none.
    ///
    /// - Parameter limit: The number of steps; by default ``endlessSteps``.
    /// - Returns: Whether it did not wait in vain.
    @discardableResult
    func wait(atMost limit: Int? = nil, until condition: (Record) -> Bool) -> Bool {
        let (start, limit) = (record.steps, limit ?? endlessSteps)
        record.stopping = scheduler
        defer { record.stopping = nil }
        while !condition(record) {
            let steps = record.steps
            if steps - start >= limit { return false }
            let isEndless = inScope { scheduler.start(atMost: limit) }
            if record.steps == steps { return !isEndless }
        }
        return true
    }

    /// Advances virtual time until there is a step of a kind. Fails, once, for the steps before it that the test has not
    /// expected; they stay, because a later line may expect them.
    ///
    /// - Parameters:
    ///   - expected: The expected step in words.
    ///   - start: The number of steps when the test began to wait.
    /// - Returns: Whether it did not wait in vain.
    private func wait(
        for kind: Record.Kind, _ expected: String, since start: Int, _ site: CallSite
    ) -> Bool {
        if record.steps - start >= endlessSteps { return false }
        if !isExhaustive { return wait { $0.has(kind) } }
        let isInTime = wait { $0.has(kind) || $0.hasUnreported }
        for finding in unexpected(record.report(before: kind)) {
            site.fail(
                """
                expected to receive \(expected), but \(finding.text) before
                If the flow is correct, write before this: \(finding.suggestion)
                """)
        }
        return isInTime && wait { $0.has(kind) }
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
            // The last step of an effect comes before its stream is disposed, and no step comes after.
            await record.waitForStep(after: steps, until: min(deadline, .now() + .milliseconds(10)))
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

    // MARK: Checking

    /// Fails for each step that was not expected, and drops it.
    func check(_ moment: String, _ site: CallSite, isEnd: Bool = false) {
        let isToBeIdle = isExhaustive && isEnd && !record.hasUnreported
        var entries: [Record.Entry] = []
        while let (entry, isReported) = record.takeNext() {
            if case .reduced(let reduced) = entry { state = reduced.reduction.after }
            if isExhaustive, !isReported { entries.append(entry) }
        }
        let limit = 20
        for finding in unexpected(Array(entries.prefix(limit))) {
            site.fail(
                """
                \(moment): \(finding.text), which was not expected\(finding.changes)
                If the flow is correct, write: \(finding.suggestion)
                """)
        }
        if entries.count > limit {
            site.fail("\(moment): \(entries.count - limit) further steps were not expected")
        }
        if isExhaustive, isEnd {
            for cancellation in record.takeVainCancellations() { site.fail("\(moment): \(cancellation)") }
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

    /// A step that was not expected.
    private struct Unexpected {
        let text: String
        /// The code to write if the flow is correct.
        let suggestion: String
        /// The changes of the state, one on each line.
        var changes = ""
    }

    /// Fails at the line that the test has followed last for the side effects that started with it, and describes the
    /// other steps.
    private func unexpected(_ entries: [Record.Entry]) -> [Unexpected] {
        // The side effects that started with each action.
        var begun: [Int: [Record.Begun]] = [:]
        for case .begun(let step) in entries where step.isImmediate { begun[step.action, default: []].append(step) }
        if let followed, let steps = begun.removeValue(forKey: followed.reduction.number) {
            let works = list(steps.map { "\($0.work)" })
            followed.site.fail(
                """
                \(followed.reduction.action) started \(works), which \(steps.count == 1 ? "was" : "were") not expected
                \(advice(followed, starts: steps))
                """)
        }
        return entries.compactMap { entry in
            switch entry {
            case .reduced(let reduced):
                let (reduction, steps) = (reduced.reduction, begun.removeValue(forKey: reduced.reduction.number) ?? [])
                let changes = Difference(reduction.before, reduction.after).lines + steps.map { "starts \($0.work)" }
                return Unexpected(
                    text: "received \(record.describe(reduced))", suggestion: suggestion(reduction, starts: steps),
                    changes: changes.map { "\n  \($0)" }.joined())
            case .raised(let event, let cause):
                return Unexpected(text: "\(cause) raised the event \(event)", suggestion: suggestion(event: event))
            case .begun(let step):
                // Described with its action.
                if step.isImmediate, begun[step.action] == nil { return nil }
                return Unexpected(text: step.text, suggestion: suggestion(begun: step.work))
            }
        }
    }

    func reportFailures(_ site: CallSite) {
        for failure in record.takeFailures() { site.fail("\(failure)") }
        for missing in record.takeMissingChildren() { site.fail(missing) }
    }

    private func describeMissing(
        _ expected: String, suggestion: String, _ isEndless: Bool, within duration: Duration?
    ) -> String {
        let end =
            isEndless
            ? "it has not arrived after \(endlessSteps) steps, at tick \(scheduler.clock)"
            : duration.map { "nothing arrived within \($0)" } ?? "no work is left at tick \(scheduler.clock)"
        guard let running = record.running else {
            return "expected to receive \(expected), but \(end), and no \(record.noun) is running"
        }
        let tasks = scheduler.pending.tasks.map { "\nwaiting in virtual time: \($0)" }.joined()
        let advice =
            duration == nil && !isEndless
            ? """

            If the work left virtual time, for a detached task, a queue or the main actor, wait in real time:
              await tester.receive(\(suggestion), within: .seconds(1))
            """ : ""
        return """
            expected to receive \(expected), but \(end); still running:
            \(running)\(tasks)\(advice)
            """
    }

    /// The line that expects an action, with the side effects that start with it.
    private func suggestion(_ reduction: Record.Step.Reduction, starts begun: [Record.Begun]) -> String {
        if let line = line("receive", reduction, begun) { return line }
        let condition = "tester.receive(where: \(SourceCode.condition(reduction.action)))\(changes(of: reduction))"
        let line = line("receive", reduction, []) ?? condition
        return ([line] + begun.map { suggestion(begun: $0.work) }).joined(separator: "\n")
    }

    /// The advice for side effects that started with the step that the test has followed.
    private func advice(_ followed: Followed, starts begun: [Record.Begun]) -> String {
        if let line = line(followed.call, followed.reduction, begun) {
            return "If the flow is correct, write: \(line)"
        }
        if begun.isEmpty { return "If the flow is correct, remove the argument `starts`" }
        let lines = begun.map { suggestion(begun: $0.work) }.joined(separator: "\n")
        return "If the flow is correct, write after this: \(lines)"
    }

    /// A call of `send` or `receive` with a list of side effects; `nil` if its values cannot be written as code.
    private func line(_ call: String, _ reduction: Record.Step.Reduction, _ begun: [Record.Begun]) -> String? {
        let works = begun.compactMap { Work.self is any Equatable.Type ? SourceCode.expression($0.work) : nil }
        guard works.count == begun.count, call == "send" || Received.self is any Equatable.Type,
            let action = SourceCode.expression(reduction.action)
        else { return nil }
        let starts = works.isEmpty ? "" : ", starts: \(works.joined(separator: ", "))"
        return "tester.\(call)(\(action)\(starts))\(changes(of: reduction))"
    }

    /// The closure with the changes of the state; empty if there are none.
    private func changes(of reduction: Record.Step.Reduction) -> String {
        SourceCode.closure(from: reduction.before, to: reduction.after).map { " \($0)" } ?? ""
    }

    private func suggestion(event: Event) -> String {
        if Event.self is any Equatable.Type, let code = SourceCode.expression(event) {
            return "tester.receive(event: \(code))"
        }
        return "tester.receive(eventWhere: \(SourceCode.condition(event)))"
    }

    private func suggestion(begun work: Work) -> String {
        if Work.self is any Equatable.Type, let code = SourceCode.expression(work) {
            return "tester.receive(\(record.label): \(code))"
        }
        return "tester.receive(\(record.label)Where: \(SourceCode.condition(work)))"
    }
}
