public import Composition
import Streams
public import StreamsTesting
public import ViewModels

/// Runs a `MutationFlow` in the virtual world of a `TestScheduler`, and checks each change of its state.
///
/// Exhaustive by default: every side effect of every action has to be received, in order, with what it changes in the
/// state, and the stream of every action has to end.
///
/// ```swift
/// let tester = MutationTester(ProfileScreen(loadName: { "Mina" }))
/// tester.send(.refreshed)
/// tester.receive(.loading(true)) { $0.isLoading = true }
/// tester.receive(.named("Mina")) { $0.name = "Mina" }
/// tester.receive(.loading(false)) { $0.isLoading = false }
/// tester.finish()
/// ```
///
/// For time and real time see ``FlowTester``. To be used from one thread, or one actor.
public final class MutationTester<M: MutationFlow> where M.State: Equatable {
    /// Whose time it is that passes.
    public var scheduler: TestScheduler { tested.scheduler }
    /// Whether all has to be expected. If not, what is not expected passes, and the closures that change the state
    /// say what holds afterwards, not all that has changed.
    public var isExhaustive: Bool {
        get { tested.isExhaustive }
        set { tested.isExhaustive = newValue }
    }
    /// The state as far as the test has followed it: after the last side effect that was received.
    public var state: M.State { tested.state }

    private let tested: TestedFlow<MutationLoop<ReplaceableMutationFlow<M>>>
    private let flow: Replaceable<M>

    /// Begins to run a flow.
    ///
    /// - Parameters:
    ///   - flow: Makes what to run. Its dependencies on time are those of `scheduler`, unless the test has overridden them.
    ///   - initialState: What to begin with, if not the flow's own initial state.
    ///   - scheduler: Whose time it is that passes; by default one with ticks of a millisecond.
    public init(
        _ flow: @autoclosure @escaping () -> M, initialState: M.State? = nil,
        scheduler: TestScheduler = TestScheduler(resolution: 0.001),
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        self.flow = Replaceable(flow, on: scheduler)
        let record = FlowRecord<MutationLoop<ReplaceableMutationFlow<M>>>(effectNoun: "the action")
        let engine = withDependencies(from: self.flow.dependencies) { [current = self.flow.current] in
            let flow = ReplaceableMutationFlow(current: current)
            return Engine.running(flow, from: initialState, on: scheduler, tracedBy: { record.add($0) })
        }
        tested = TestedFlow(
            engine, record, scheduler, .init(action: "side effect", sideEffect: "action"),
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
        tested.drive { engine.start() }
    }

    // MARK: Sending and receiving

    /// Sends an action. What it changes is to be received.
    ///
    /// What came before has to be expected before.
    ///
    /// - Returns: The work that it leads to: to be finished or cancelled.
    @discardableResult
    public func send(
        _ action: M.Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> TestedEffects {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        tested.check("before \(action) is sent", site)
        let group = tested.drive { tested.engine.perform(action) }
        tested.reportFailures(site)
        return TestedEffects(of: tested, group)
    }

    /// Expects a side effect next, and that to change the state just so. Lets virtual time pass until one comes.
    ///
    /// - Parameter change: Changes the state as the side effect should. Without it, the state has to stay as it is.
    public func receive(
        _ sideEffect: M.SideEffect, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, _ change: ((inout M.State) -> Void)? = nil
    ) where M.SideEffect: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        tested.receive(Expected(sideEffect), site, within: nil, change)
    }

    /// Expects a side effect next that has a value at a key path: for an enumeration with a property for each case.
    public func receive<Value>(
        _ part: KeyPath<M.SideEffect, Value?>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, _ change: ((inout M.State) -> Void)? = nil
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        tested.receive(Expected(part), site, within: nil, change)
    }

    /// Expects a side effect next for which a condition holds.
    public func receive(
        where isExpected: (M.SideEffect) -> Bool, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, _ change: ((inout M.State) -> Void)? = nil
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        withoutActuallyEscaping(isExpected) {
            tested.receive(Expected(where: $0), site, within: nil, change)
        }
    }

    /// As ``receive(_:fileID:filePath:line:column:_:)``, and waits in real time as well: for work that leaves the virtual
    /// world.
    public nonisolated(nonsending) func receive(
        _ sideEffect: M.SideEffect, within duration: Duration, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ change: ((inout M.State) -> Void)? = nil
    ) async where M.SideEffect: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await tested.waitForAction({ $0 == sideEffect }, within: duration)
        tested.receive(Expected(sideEffect), site, within: duration, change)
    }

    /// Expects a side effect for which a condition holds, and waits in real time as well.
    public nonisolated(nonsending) func receive(
        where isExpected: (M.SideEffect) -> Bool, within duration: Duration, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ change: ((inout M.State) -> Void)? = nil
    ) async {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await tested.waitForAction(isExpected, within: duration)
        withoutActuallyEscaping(isExpected) {
            tested.receive(Expected(where: $0), site, within: duration, change)
        }
    }

    // MARK: What is expected

    /// Drops the side effects that came and were not expected yet, and follows the state to where it is.
    public func skipReceived() {
        tested.skipReceived()
    }

    /// Runs `body` with another exhaustivity, and then goes back to the one before.
    public func withExhaustivity<Result>(_ isExhaustive: Bool, _ body: () throws -> Result) rethrows -> Result {
        let outer = self.isExhaustive
        self.isExhaustive = isExhaustive
        defer {
            if !isExhaustive { tested.skipReceived() }
            self.isExhaustive = outer
        }
        return try body()
    }

    /// Changes dependencies from now on: the flow is made anew with them, and its state stays. See
    /// ``FlowTester/dependencies(_:)``.
    public func dependencies(_ update: (inout DependencyValues) throws -> Void) rethrows {
        try flow.update(update)
    }

    // MARK: Time

    /// Lets virtual time pass.
    public func advance(by duration: Duration) {
        tested.record.drive { scheduler.advance(by: duration) }
    }

    /// Dismisses the screen, which ends the streams of its actions.
    public func dismiss() {
        tested.drive { tested.engine.dismiss() }
    }

    /// Runs what is left to do, and fails the test unless everything was expected and the stream of every action has ended.
    ///
    /// The last call of a test. Without it the same is checked when the tester is let go, but no more time passes.
    public func finish(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        tested.finish(CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }
}
