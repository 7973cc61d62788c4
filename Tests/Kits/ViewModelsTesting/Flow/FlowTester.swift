public import Composition
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
/// It fails, too, for a closure that changes nothing where nothing changed, for an action that is for a row or a child that
/// is not there, and for a side effect whose stream fails.
///
/// **Time.** `receive` and `finish` let virtual time pass, and no real time. Work that leaves the virtual world, in a
/// `Task.detached`, on a dispatch queue or on the main actor, takes real time: `await tester.receive(…, within:)` waits for it.
///
/// To be used from one thread, or one actor. See ``FlowSpec`` for a flow that is asked and not run, and ``MutationTester``
/// for a `MutationFlow`.
public final class FlowTester<F: Flow> where F.State: Equatable {
    /// Whose time it is that passes.
    public var scheduler: TestScheduler { tested.scheduler }
    /// Whether all has to be expected. If not, what is not expected passes, and the closures that change the state
    /// say what holds afterwards, not all that has changed.
    public var isExhaustive: Bool {
        get { tested.isExhaustive }
        set { tested.isExhaustive = newValue }
    }
    /// The state as far as the test has followed it: after the last action that was sent or received.
    public var state: F.State { tested.state }

    private let tested: TestedFlow<TracedFlow<ReplaceableFlow<F>>>
    private let flow: Replaceable<F>

    /// Begins to run a flow.
    ///
    /// - Parameters:
    ///   - flow: Makes what to run. Its dependencies on time are those of `scheduler` (see
    ///     `DependencyValues.useVirtualTime(of:)`), unless the test has overridden them. What it is handed
    ///     otherwise to measure time by, has to be of `scheduler` as well.
    ///   - initialState: What to begin with, if not the flow's own initial state.
    ///   - scheduler: Whose time it is that passes; by default one with ticks of a millisecond.
    public init(
        _ flow: @autoclosure @escaping () -> F, initialState: F.State? = nil,
        scheduler: TestScheduler = TestScheduler(resolution: 0.001),
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        self.flow = Replaceable(flow, on: scheduler)
        let record = FlowRecord<TracedFlow<ReplaceableFlow<F>>>(effectNoun: "the side effect")
        let engine = withDependencies(from: self.flow.dependencies) { [current = self.flow.current] in
            Engine(ReplaceableFlow(current: current).traced { record.add($0) }, from: initialState, on: scheduler)
        }
        tested = TestedFlow(
            engine, record, scheduler, .init(action: "action", sideEffect: "side effect"),
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    // MARK: Sending

    /// Sends an action, and expects it to change the state just so.
    ///
    /// What came before has to be expected before.
    ///
    /// - Parameter change: Changes the state as the action should. Without it, the state has to stay as it is.
    /// - Returns: The side effects of the action: to be finished or cancelled.
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
            site.fail("\(action) is not reduced: the flow was dismissed")
            return TestedEffects(of: tested, group)
        }
        tested.follow(reduced.reduction, change, site)
        tested.reportFailures(site)
        return TestedEffects(of: tested, group)
    }

    // MARK: Receiving actions

    /// Expects a side effect to send an action next, and that to change the state just so. Lets virtual time pass until
    /// an action comes.
    ///
    /// - Parameter change: Changes the state as the action should. Without it, the state has to stay as it is.
    public func receive(
        _ action: F.Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, _ change: ((inout F.State) -> Void)? = nil
    ) where F.Action: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        tested.receive(Expected(action), site, within: nil, change)
    }

    /// Expects an action next that has a value at a key path: for an enumeration with a property for each case.
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

    /// Expects an action next for which a condition holds.
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

    /// As ``receive(_:fileID:filePath:line:column:_:)``, and waits in real time as well: for work that leaves the virtual
    /// world.
    ///
    /// - Parameter duration: How long to wait at most.
    public nonisolated(nonsending) func receive(
        _ action: F.Action, within duration: Duration, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ change: ((inout F.State) -> Void)? = nil
    ) async where F.Action: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await tested.waitForAction({ $0 == action }, within: duration)
        tested.receive(Expected(action), site, within: duration, change)
    }

    /// Expects an action that has a value at a key path, and waits in real time as well.
    public nonisolated(nonsending) func receive<Value>(
        _ part: KeyPath<F.Action, Value?>, within duration: Duration, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ change: ((inout F.State) -> Void)? = nil
    ) async {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await tested.waitForAction({ $0[keyPath: part] != nil }, within: duration)
        tested.receive(Expected(part), site, within: duration, change)
    }

    /// Expects an action for which a condition holds, and waits in real time as well.
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

    /// Expects an event to be raised next. Lets virtual time pass until one is.
    public func receive(
        event: F.Event, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) where F.Event: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        tested.receive(event: Expected(event), site, within: nil)
    }

    /// Expects an event next for which a condition holds.
    public func receive(
        eventWhere isExpected: (F.Event) -> Bool, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        withoutActuallyEscaping(isExpected) { tested.receive(event: Expected(where: $0), site, within: nil) }
    }

    /// Expects an event to be raised next, and waits in real time as well.
    public nonisolated(nonsending) func receive(
        event: F.Event, within duration: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) async where F.Event: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await tested.wait(within: duration) { $0.hasEvent }
        tested.receive(event: Expected(event), site, within: duration)
    }

    // MARK: What is expected

    /// Drops the actions and events that came and were not expected yet, and follows the state to where it is.
    ///
    /// Side effects go on; nothing fails.
    public func skipReceived() {
        tested.skipReceived()
    }

    /// Runs `body` with another exhaustivity, and then goes back to the one before.
    ///
    /// What came inside and was not expected there passes, if that was not exhaustive.
    public func withExhaustivity<Result>(_ isExhaustive: Bool, _ body: () throws -> Result) rethrows -> Result {
        let outer = self.isExhaustive
        self.isExhaustive = isExhaustive
        defer {
            if !isExhaustive { tested.skipReceived() }
            self.isExhaustive = outer
        }
        return try body()
    }

    /// Changes dependencies from now on: the flow is made anew with them, and its state stays.
    ///
    /// ```swift
    /// tester.dependencies { $0.titles = .failing }
    /// tester.send(.retryTapped)
    /// ```
    ///
    /// Side effects that run go on with what they had. The flow is made by what the tester was given, so that has to make
    /// it, as in `FlowTester(Search())`; one that was made before stays as it is.
    public func dependencies(_ update: (inout DependencyValues) throws -> Void) rethrows {
        try flow.update(update)
    }

    // MARK: Time

    /// Lets virtual time pass.
    public func advance(by duration: Duration) {
        tested.record.drive { scheduler.advance(by: duration) }
    }

    /// Dismisses the screen, which ends its side effects.
    public func dismiss() {
        tested.drive { tested.engine.dismiss() }
    }

    /// Runs what is left to do, and fails the test unless everything was expected and every side effect has ended.
    ///
    /// The last call of a test. Without it the same is checked when the tester is let go, but no more time passes.
    public func finish(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        tested.finish(CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }
}
