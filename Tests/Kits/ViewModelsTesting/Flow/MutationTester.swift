import Composition
public import StreamsTesting
public import ViewModels

/// Runs a `MutationFlow` in the virtual time of a `TestScheduler`, and checks each change of its state.
///
/// Exhaustive by default: the test must receive every side effect of every action, in order, with its changes of the
/// state, and every action that the flow sends to itself; and the stream of every action must end.
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
public final class MutationTester<M: MutationFlow>: TestedFlow<M.Action, M.State, M.SideEffect, M.Action, Never>
where M.State: Equatable {
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
        scheduler: TestScheduler? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        // Made here, so that its failures are at the line of the test.
        let scheduler =
            scheduler
            ?? TestScheduler(
                resolution: 0.001, fileID: fileID, filePath: filePath, line: line, column: column)
        let flow = Replaceable(flow, on: scheduler)
        let record = Record(noun: "action")
        let traced = ReplaceableMutationFlow(current: flow.current, onSend: { record.addSent($0) })
            .traced { record.add(FlowStep($0)) }
        let engine = withDependencies(from: flow.dependencies) {
            MutationEngine(traced, from: initialState, on: scheduler)
        }
        super.init(engine, record, flow, scheduler, site)
        drive { engine.start(traced) }
    }

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
        check("before \(action) is sent", site)
        let group = drive { engine.send(action) }
        reportFailures(site)
        return TestedEffects(of: self, group)
    }

    /// Expects this action next among those that the flow sends to itself. Advances virtual time until it sends one.
    ///
    /// ```swift
    /// tester.send(.deleteTapped(3))
    /// tester.receive(action: .reloaded)    // `transform` calls `send(.reloaded)`
    /// ```
    public func receive(
        action: M.Action, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) where M.Action: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        receive(begun: Expected(action), site, within: nil)
    }

    /// Expects the next action that the flow sends to itself to satisfy a condition.
    public func receive(
        actionWhere isExpected: (M.Action) -> Bool, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        withoutActuallyEscaping(isExpected) { receive(begun: Expected(where: $0), site, within: nil) }
    }

    /// Expects this action next among those that the flow sends to itself, and also waits in real time.
    public nonisolated(nonsending) func receive(
        action: M.Action, within duration: Duration, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async where M.Action: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await wait(within: duration) { $0.has(.begun) }
        receive(begun: Expected(action), site, within: duration)
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
