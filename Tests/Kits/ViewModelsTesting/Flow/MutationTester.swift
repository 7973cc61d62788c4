public import Composition
import Streams
public import StreamsTesting
public import ViewModels

/// Runs a `MutationFlow` in the virtual time of a `TestScheduler`, and checks each change of its state.
///
/// Exhaustive by default: the test must receive every side effect of every action, in order, with its changes of the
/// state, and the stream of every action must end.
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
/// For virtual and real time see ``FlowTester``. Use it from one thread or one actor.
public final class MutationTester<M: MutationFlow> where M.State: Equatable {
    /// The scheduler whose virtual time the flow uses.
    public var scheduler: TestScheduler { tested.scheduler }
    /// Whether the test must expect every step. If not, unexpected steps pass, and the closures that change the state
    /// define its expected values afterwards, not all its changes.
    public var isExhaustive: Bool {
        get { tested.isExhaustive }
        set { tested.isExhaustive = newValue }
    }
    /// The state after the last side effect that the test received.
    public var state: M.State { tested.state }

    private let tested: TestedFlow<M.Action, M.State, M.SideEffect, M.Action, Never>
    private let flow: Replaceable<M>

    /// Creates a tester and starts the flow.
    ///
    /// - Parameters:
    ///   - flow: Makes the flow. Its dependencies on time are those of `scheduler`, unless the test has overridden
    ///     them.
    ///   - initialState: The first state; by default the flow's own initial state.
    ///   - scheduler: The scheduler of virtual time; by default one with ticks of a millisecond.
    ///   - fileID: The file of the call, for the report of a failure.
    ///   - filePath: The path of that file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public init(
        _ flow: @autoclosure @escaping () -> M, initialState: M.State? = nil,
        scheduler: TestScheduler = TestScheduler(resolution: 0.001),
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        self.flow = Replaceable(flow, on: scheduler)
        let record = FlowRecord<M.State, M.SideEffect, M.Action, Never>(effectNoun: "the action")
        let traced = ReplaceableMutationFlow(current: self.flow.current).traced { record.add(FlowStep($0)) }
        let engine = withDependencies(from: self.flow.dependencies) {
            MutationEngine(traced, from: initialState, on: scheduler)
        }
        tested = TestedFlow(
            engine, record, scheduler, .init(action: "side effect", sideEffect: "action"),
            CallSite(fileID: fileID, filePath: filePath, line: line, column: column),
            dependencies: { [flow = self.flow] in flow.dependencies })
        tested.drive { engine.start(traced) }
    }

    // MARK: Sending and receiving

    /// Sends an action. Receive its side effects afterwards.
    ///
    /// Earlier steps must be expected before.
    ///
    /// ```swift
    /// tester.send(.refreshed)
    /// tester.receive(.loading(true)) { $0.isLoading = true }
    /// ```
    ///
    /// - Returns: The work of the action: to finish or to cancel.
    @discardableResult
    public func send(
        _ action: M.Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> TestedEffects {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        tested.check("before \(action) is sent", site)
        let group = tested.drive { tested.engine.send(action) }
        tested.reportFailures(site)
        return TestedEffects(of: tested, group)
    }

    /// Expects the next side effect, and exactly this change of the state. Advances virtual time until one arrives.
    ///
    /// ```swift
    /// tester.receive(.named("Mina")) { $0.name = "Mina" }
    /// ```
    ///
    /// - Parameters:
    ///   - sideEffect: The expected side effect.
    ///   - fileID: The file of the call, for the report of a failure.
    ///   - filePath: The path of that file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    ///   - change: Makes the expected changes. Without it, the state must stay the same.
    public func receive(
        _ sideEffect: M.SideEffect, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, _ change: ((inout M.State) -> Void)? = nil
    ) where M.SideEffect: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        tested.receive(Expected(sideEffect), site, within: nil, change)
    }

    /// Expects the next side effect to have a value at a key path: for an enumeration with a property for each case.
    ///
    /// ```swift
    /// tester.receive(\.named) { $0.name = "Mina" }
    /// // with: var named: String? { if case .named(let name) = self { name } else { nil } }
    /// ```
    public func receive<Value>(
        _ part: KeyPath<M.SideEffect, Value?>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, _ change: ((inout M.State) -> Void)? = nil
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        tested.receive(Expected(part), site, within: nil, change)
    }

    /// Expects the next side effect to satisfy a condition.
    ///
    /// ```swift
    /// tester.receive(where: { if case .named = $0 { true } else { false } }) { $0.name = "Mina" }
    /// ```
    public func receive(
        where isExpected: (M.SideEffect) -> Bool, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, _ change: ((inout M.State) -> Void)? = nil
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        withoutActuallyEscaping(isExpected) {
            tested.receive(Expected(where: $0), site, within: nil, change)
        }
    }

    /// Expects the next side effect, as `receive` without `within`, but also waits in real time: for work
    /// outside of virtual time.
    ///
    /// ```swift
    /// await tester.receive(.named("Mina"), within: .seconds(5)) { $0.name = "Mina" }
    /// ```
    public nonisolated(nonsending) func receive(
        _ sideEffect: M.SideEffect, within duration: Duration, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ change: ((inout M.State) -> Void)? = nil
    ) async where M.SideEffect: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await tested.waitForAction({ $0 == sideEffect }, within: duration)
        tested.receive(Expected(sideEffect), site, within: duration, change)
    }

    /// Expects the next side effect to satisfy a condition, and also waits in real time.
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

    // MARK: Exhaustivity

    /// Drops the side effects that were not expected yet, and updates ``state``.
    ///
    /// ```swift
    /// tester.send(.refreshed)
    /// tester.skipReceived()    // the side effects so far, which this test is not about
    /// ```
    public func skipReceived() {
        tested.skipReceived()
    }

    /// Runs `body` with another exhaustivity, and then restores the previous one.
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

    /// Changes dependencies from now on: the flow is made again with them, and its state stays. See
    /// ``FlowTester/dependencies(_:)``.
    public func dependencies(_ update: (inout DependencyValues) throws -> Void) rethrows {
        try flow.update(update)
    }

    // MARK: Time

    /// Advances virtual time, running the work that becomes due, in order.
    ///
    /// ```swift
    /// tester.advance(by: .milliseconds(300))    // the time of a debounced action
    /// ```
    public func advance(by duration: Duration) {
        tested.advance(by: duration)
    }

    /// Dismisses the screen, which ends the streams of its actions.
    ///
    /// ```swift
    /// tester.dismiss()    // as if the person had left the screen
    /// tester.finish()     // fails the test if the stream of an action survives
    /// ```
    public func dismiss() {
        tested.drive { tested.engine.dismiss() }
    }

    /// Runs the remaining work, and fails the test unless every step was expected and the stream of every action has
    /// ended.
    ///
    /// The last call of a test. Without it, releasing the tester makes the same check, but advances no time.
    public func finish(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        tested.finish(CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }
}

extension FlowStep where Event == Never {
    /// A step of a mutation flow in the terms of a flow: its side effects are reduced, and its actions run.
    fileprivate init(_ step: MutationStep<State, SideEffect, Action>) {
        switch step {
        case .reduced(let reduction):
            self = .reduced(
                Reduction(
                    number: reduction.number, action: reduction.sideEffect,
                    cause: reduction.action.map { .effect($0) } ?? .sent, before: reduction.before,
                    after: reduction.after, next: .none))
        case .action(let action, let number, let change):
            self = .effect(Effect(number: number, sideEffect: action, action: 0), Change(change))
        case .dismissed: self = .dismissed
        }
    }
}

extension FlowStep.Change {
    fileprivate init<S, A, E>(_ change: MutationStep<S, A, E>.Change) {
        self =
            switch change.kind {
            case .began: .started
            case .ended: .ended
            case .cancelled: .cancelled
            case .failed(let failure): .failed(failure)
            }
    }
}
