import Composition
import Streams
public import StreamsTesting
public import ViewModels

/// Runs a flow in the virtual world of a `TestScheduler`, and checks all that it does.
///
/// Exhaustive by default: every action that comes back from a side effect, every change of the state and every event
/// has to be expected, in order, and every side effect has to end. What is not, fails the test, with what came, what
/// differs, and what to write if the flow is right.
///
/// ```swift
/// @Test(.dependencies { $0.titles = .inWinter })
/// func typingFinds() {
///     let tester = FlowTester(Search())    // debounced on `@Dependency(\.clock)`, which is the tester's
///
///     tester.send(.typed("Jeju")) { $0.text = "Jeju" }
///     tester.receive(.arrived(["Jeju in winter"])) { $0.titles = ["Jeju in winter"] }
///     tester.finish()
/// }
/// ```
///
/// To be used from one thread, or one actor. See ``FlowSpec`` for a flow that is asked and not run.
public final class FlowTester<F: Flow> where F.State: Equatable, F.Action: Equatable, F.Event: Equatable {
    /// Whose time it is that passes.
    public let scheduler: TestScheduler
    /// Whether all has to be expected. If not, what is not expected passes, and the closures that change the state
    /// say what holds afterwards, not all that has changed.
    public var isExhaustive = true
    /// The state as far as the test has followed it: after the last action that was sent or received.
    public private(set) var state: F.State

    private let engine: Engine<Traced<F>>
    private let record: FlowRecord<F>
    private let origin: CallSite
    private var isFinished = false

    /// Begins to run a flow.
    ///
    /// - Parameters:
    ///   - flow: Makes what to run. Its dependencies on time are those of `scheduler` (see
    ///     `DependencyValues.useVirtualTime(of:)`), unless the test has overridden them. What it is handed
    ///     otherwise to measure time by, has to be of `scheduler` as well.
    ///   - initialState: What to begin with, if not the flow's own initial state.
    ///   - scheduler: Whose time it is that passes; by default one with ticks of a millisecond.
    public init(
        _ flow: @autoclosure () -> F, initialState: F.State? = nil,
        scheduler: TestScheduler = TestScheduler(resolution: 0.001),
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let record = FlowRecord<F>()
        let flow = withDependencies {
            $0.overrideOthers { $0.useVirtualTime(of: scheduler) }
        } operation: {
            flow()
        }
        let engine = Engine(flow.traced { record.add($0) }, from: initialState, on: scheduler)
        self.scheduler = scheduler
        self.engine = engine
        self.record = record
        state = engine.currentState
        origin = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    }

    deinit {
        if !isFinished { check("at the end of the test", origin, isEnd: true) }
        engine.dismiss()
    }

    // MARK: Acting and expecting

    /// Sends an action, and expects it to change the state just so.
    ///
    /// What came before has to be expected before.
    ///
    /// - Parameter change: Changes the state as the action should; by default not at all.
    public func send(
        _ action: F.Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, _ change: (inout F.State) -> Void = { _ in }
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        check("before \(action) is sent", site)
        scheduler.perform { engine.send(action) }
        guard let reduction = record.takeReduction() else {
            return site.fail("\(action) is not reduced: the flow was dismissed")
        }
        follow(reduction, change, site)
        reportFailures(site)
    }

    /// Expects a side effect to send an action next, and that to change the state just so. Lets time pass until an
    /// action comes.
    ///
    /// - Parameter change: Changes the state as the action should; by default not at all.
    public func receive(
        _ action: F.Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, _ change: (inout F.State) -> Void = { _ in }
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        while true {
            wait { $0.hasReduction }
            guard let reduction = record.takeReduction() else {
                site.fail(
                    """
                    \(action) is expected, and does not come: nothing is left to do at tick \(scheduler.clock)
                    \(record.describeRunning())
                    """)
                break
            }
            if reduction.action == action {
                follow(reduction, change, site)
                break
            }
            state = reduction.after
            if isExhaustive {
                site.fail(
                    """
                    \(action) is expected, but there comes \(record.describe(reduction)), at tick \(scheduler.clock)
                    \(Difference(action, reduction.action).lines.map { "  \($0)" }.joined(separator: "\n"))
                    If the flow is right, say so before: tester.receive(.\(reduction.action))
                    """)
                break
            }
        }
        reportFailures(site)
    }

    /// Expects an event to be raised next. Lets time pass until one is.
    public func receive(
        event: F.Event, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        while true {
            wait { $0.hasEvent }
            guard let raised = record.takeEvent() else {
                site.fail(
                    """
                    the event \(event) is expected, and is not raised: nothing is left to do at tick \(scheduler.clock)
                    """)
                break
            }
            if raised.event == event { break }
            if isExhaustive {
                site.fail(
                    """
                    the event \(event) is expected, but there is raised \(raised.event), by \(raised.cause)
                    If the flow is right, say so before: tester.receive(event: .\(raised.event))
                    """)
                break
            }
        }
        reportFailures(site)
    }

    // MARK: Time

    /// Lets time pass.
    public func advance(by duration: Duration) {
        scheduler.advance(by: duration)
    }

    /// Dismisses the screen, which ends its side effects.
    public func dismiss() {
        scheduler.perform { engine.dismiss() }
    }

    /// Runs what is left to do, and fails the test unless everything was expected and every side effect has ended.
    ///
    /// The last call of a test. Without it the same is checked when the tester is let go, but no more time passes.
    public func finish(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        wait { isExhaustive && ($0.hasReduction || $0.hasEvent) }
        check("at the end of the test", site, isEnd: true)
        isFinished = true
        dismiss()
    }

    // MARK: Parts

    private func wait(until isThere: (FlowRecord<F>) -> Bool) {
        record.stopping = scheduler
        while !isThere(record) {
            let steps = record.steps
            scheduler.start()
            if record.steps == steps { break }
        }
        record.stopping = nil
    }

    private func follow(_ reduction: F.Step.Reduction, _ change: (inout F.State) -> Void, _ site: CallSite) {
        var expected = isExhaustive ? reduction.before : reduction.after
        change(&expected)
        state = reduction.after
        if let finding = StateFinding(expected: expected, found: reduction.after) {
            site.fail("after \(reduction.action) \(finding.text)")
        }
    }

    /// Fails if something came that was not expected; drops it.
    private func check(_ moment: String, _ site: CallSite, isEnd: Bool = false) {
        let isToBeIdle = isExhaustive && isEnd && !record.hasReduction && !record.hasEvent
        while let reduction = record.takeReduction() {
            state = reduction.after
            guard isExhaustive else { continue }
            let changes = Difference(reduction.before, reduction.after).lines.map { "\n  \($0)" }.joined()
            site.fail(
                """
                \(moment) there is \(record.describe(reduction)), which is not expected\(changes)
                If the flow is right, say so: tester.receive(.\(reduction.action))
                """)
        }
        while let raised = record.takeEvent() {
            guard isExhaustive else { continue }
            site.fail(
                """
                \(moment) there is the event \(raised.event), raised by \(raised.cause), which is not expected
                If the flow is right, say so: tester.receive(event: .\(raised.event))
                """)
        }
        if isToBeIdle, !record.isIdle {
            site.fail(
                """
                \(moment), at tick \(scheduler.clock), \(record.describeRunning())
                Let them end, cancel them, or end them with the screen: tester.dismiss()
                """)
        }
        reportFailures(site)
    }

    private func reportFailures(_ site: CallSite) {
        for failure in record.takeFailures() { site.fail("\(failure)") }
    }
}
