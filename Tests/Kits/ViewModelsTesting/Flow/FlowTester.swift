public import Composition
import Streams
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
/// absent row or child, and for a side effect whose stream fails.
///
/// **Time.** `receive` and `finish` advance virtual time, and take no real time. Work outside of virtual time, in a
/// `Task.detached`, on a dispatch queue or on the main actor, takes real time: `await tester.receive(…, within:)` waits
/// for it.
///
/// Use it from one thread or one actor. See ``FlowSpec`` to test a reducer without running the flow, and
/// ``MutationTester`` for a `MutationFlow`.
public final class FlowTester<F: Flow> where F.State: Equatable {
    /// The scheduler whose virtual time the flow uses.
    public var scheduler: TestScheduler { tested.scheduler }
    /// Whether the test must expect every step. If not, unexpected steps pass, and the closures that change the state
    /// define its expected values afterwards, not all its changes.
    public var isExhaustive: Bool {
        get { tested.isExhaustive }
        set { tested.isExhaustive = newValue }
    }
    /// The state after the last action that the test sent or received.
    public var state: F.State { tested.state }

    private let tested: TestedFlow<F.Action, F.State, F.Action, F.SideEffect, F.Event>
    private let flow: Replaceable<F>

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
        self.flow = Replaceable(flow, on: scheduler)
        let record = FlowRecord<F.State, F.Action, F.SideEffect, F.Event>(effectNoun: "the side effect")
        let engine = withDependencies(from: self.flow.dependencies) { [current = self.flow.current] in
            Engine(ReplaceableFlow(current: current).traced { record.add($0) }, from: initialState, on: scheduler)
        }
        tested = TestedFlow(
            engine, record, scheduler, .init(action: "action", sideEffect: "side effect"),
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column),
            dependencies: { [flow = self.flow] in flow.dependencies })
    }

    // MARK: Sending

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
        tested.check("before \(action) is sent", site)
        let group = tested.drive { tested.engine.send(action) }
        tested.waitForOtherThreads { $0.hasReduction }
        guard let reduced = tested.record.takeReduction() else {
            site.fail("\(action) was not reduced: the flow was dismissed")
            return TestedEffects(of: tested, group)
        }
        tested.follow(reduced.reduction, change, site)
        tested.reportFailures(site)
        return TestedEffects(of: tested, group)
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
        _ action: F.Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, _ change: ((inout F.State) -> Void)? = nil
    ) where F.Action: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        tested.receive(Expected(action), site, within: nil, change)
    }

    /// Expects the next action to have a value at a key path: for an enumeration with a property for each case.
    ///
    /// ```swift
    /// tester.receive(\.arrived) { $0.titles = ["Jeju in winter"] }
    /// // with: var arrived: [String]? { if case .arrived(let titles) = self { titles } else { nil } }
    /// ```
    public func receive<Value>(
        _ part: KeyPath<F.Action, Value?>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, _ change: ((inout F.State) -> Void)? = nil
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        tested.receive(Expected(part), site, within: nil, change)
    }

    /// Expects the next action to satisfy a condition.
    ///
    /// ```swift
    /// tester.receive(where: { if case .arrived = $0 { true } else { false } }) { $0.titles = ["Jeju in winter"] }
    /// ```
    public func receive(
        where isExpected: (F.Action) -> Bool, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, _ change: ((inout F.State) -> Void)? = nil
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        withoutActuallyEscaping(isExpected) {
            tested.receive(Expected(where: $0), site, within: nil, change)
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
        _ action: F.Action, within duration: Duration, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ change: ((inout F.State) -> Void)? = nil
    ) async where F.Action: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await tested.waitForAction({ $0 == action }, within: duration)
        tested.receive(Expected(action), site, within: duration, change)
    }

    /// Expects the next action to have a value at a key path, and also waits in real time.
    public nonisolated(nonsending) func receive<Value>(
        _ part: KeyPath<F.Action, Value?>, within duration: Duration, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ change: ((inout F.State) -> Void)? = nil
    ) async {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await tested.waitForAction({ $0[keyPath: part] != nil }, within: duration)
        tested.receive(Expected(part), site, within: duration, change)
    }

    /// Expects the next action to satisfy a condition, and also waits in real time.
    public nonisolated(nonsending) func receive(
        where isExpected: (F.Action) -> Bool, within duration: Duration, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ change: ((inout F.State) -> Void)? = nil
    ) async {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await tested.waitForAction(isExpected, within: duration)
        withoutActuallyEscaping(isExpected) {
            tested.receive(Expected(where: $0), site, within: duration, change)
        }
    }

    // MARK: Receiving events

    /// Expects this event next. Advances virtual time until one is raised.
    public func receive(
        event: F.Event, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) where F.Event: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        tested.receive(event: Expected(event), site, within: nil)
    }

    /// Expects the next event to satisfy a condition.
    public func receive(
        eventWhere isExpected: (F.Event) -> Bool, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        withoutActuallyEscaping(isExpected) { tested.receive(event: Expected(where: $0), site, within: nil) }
    }

    /// Expects this event next, and also waits in real time.
    public nonisolated(nonsending) func receive(
        event: F.Event, within duration: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) async where F.Event: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await tested.wait(within: duration) { $0.hasEvent }
        tested.receive(event: Expected(event), site, within: duration)
    }

    // MARK: Exhaustivity

    /// Drops the actions and events that were not expected yet, and updates ``state``.
    ///
    /// Side effects continue; nothing fails.
    ///
    /// ```swift
    /// tester.skipReceived()    // of the first search, which this test is not about
    /// tester.send(.typed("Busan")) { $0.text = "Busan" }
    /// ```
    public func skipReceived() {
        tested.skipReceived()
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
            if !isExhaustive { tested.skipReceived() }
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
        tested.advance(by: duration)
    }

    /// Dismisses the screen, which ends its side effects.
    ///
    /// ```swift
    /// tester.send(.typed("Jeju")) { $0.text = "Jeju" }
    /// tester.dismiss()    // ends the search
    /// tester.finish()
    /// ```
    public func dismiss() {
        tested.drive { tested.engine.dismiss() }
    }

    /// Runs the remaining work, and fails the test unless every step was expected and every side effect has ended.
    ///
    /// The last call of a test. Without it, releasing the tester makes the same check, but advances no time.
    public func finish(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        tested.finish(CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }
}
