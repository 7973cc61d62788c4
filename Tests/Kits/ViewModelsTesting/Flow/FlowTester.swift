import Composition
public import StreamsTesting
public import ViewModels

/// Runs a flow in the virtual time of a `TestScheduler`, and checks all its steps.
///
/// Exhaustive by default: the test must expect every action of a side effect, every change of the state and every
/// event, in order, and every side effect must end. Anything else fails the test, with the actual step, the
/// differences, and the code to write if the flow is correct.
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
/// It also fails for a closure that changes nothing if the action changes nothing, for an action that addresses an
/// absent row or child, for cancelling an id that no effect of the test has, and for a side effect whose stream fails.
/// Values that are not numbers count as equal.
///
/// **Time.** `receive` and `finish` advance virtual time, and take no real time. Work outside of virtual time, in a
/// `Task.detached`, on a dispatch queue or on the main actor, takes real time: `await tester.receive(…, within:)` waits
/// for it.
///
/// Use it from one thread or one actor. See ``FlowSpec`` to test a reducer without running the flow, and
/// ``MutationTester`` for a `MutationFlow`.
public final class FlowTester<F: Flow>: TestedFlow<F.Action, F.State, F.Action, F.SideEffect, F.Event>
where F.State: Equatable {
    /// Creates a tester and starts the flow.
    ///
    /// - Parameters:
    ///   - flow: Makes the flow. Its dependencies on time are those of `scheduler` (see
    ///     `DependencyValues.useVirtualTime(of:)`), unless the test has overridden them; so are those that closures of
    ///     its side effects declare, unless they run outside of virtual time. Other clocks and schedulers that are
    ///     passed to it must be of `scheduler` as well.
    ///   - initialState: The first state; by default the flow's own initial state.
    ///   - scheduler: The scheduler of virtual time; by default one with ticks of a millisecond.
    ///   - fileID: The file of the call, for the report of a failure.
    ///   - filePath: The path of that file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public init(
        _ flow: @autoclosure @escaping () -> F, initialState: F.State? = nil,
        scheduler: TestScheduler = TestScheduler(resolution: 0.001),
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let flow = Replaceable(flow, on: scheduler)
        let record = Record(noun: "side effect")
        let engine = withDependencies(from: flow.dependencies) { [current = flow.current] in
            Engine(ReplaceableFlow(current: current).traced { record.add($0) }, from: initialState, on: scheduler)
        }
        super.init(
            engine, record, flow, scheduler, CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Sends an action, and expects exactly this change of the state.
    ///
    /// Earlier steps must be expected before.
    ///
    /// ```swift
    /// tester.send(.typed("Jeju")) { $0.text = "Jeju" }
    /// tester.send(.typed("Jeju"))                         // the state stays the same
    /// ```
    ///
    /// - Parameters:
    ///   - action: The action to send.
    ///   - fileID: The file of the call, for the report of a failure.
    ///   - filePath: The path of that file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    ///   - change: Makes the expected changes. Without it, the state must stay the same.
    /// - Returns: The side effects of the action: to finish or to cancel.
    @discardableResult
    public func send(
        _ action: F.Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, _ change: ((inout F.State) -> Void)? = nil
    ) -> TestedEffects {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        check("before \(action) is sent", site)
        let group = drive { engine.send(action) }
        waitForOtherThreads { $0.hasReduction }
        guard let reduced = record.takeReduction() else {
            site.fail("\(action) was not reduced: the flow was dismissed")
            return TestedEffects(of: self, group)
        }
        follow(reduced.reduction, change, site)
        reportFailures(site)
        return TestedEffects(of: self, group)
    }
}
