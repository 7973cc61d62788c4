import StreamsTesting
public import ViewModels

/// Tests the reducer of a flow without running the flow: given a state, when an action is reduced, then the next state,
/// side effects and events are as expected.
///
/// No side effect is performed. A failure shows the differences, and the code to write if the flow is correct.
///
/// ```swift
/// FlowSpec(Search())
///     .given { $0.text = "Je" }
///     .when(.typed("Jeju"))
///     .then(.latest(.search("Jeju"))) { $0.text = "Jeju" }
///     .when(.arrived(["Jeju in winter"]))
///     .then { $0.titles = ["Jeju in winter"] }
/// ```
public struct FlowSpec<F: Flow> where F.State: Equatable, F.SideEffect: Equatable, F.Event: Equatable {
    private let flow: F
    private let state: F.State

    /// Creates a specification that begins with the flow's initial state.
    public init(_ flow: F) {
        self.init(flow, flow.initialState)
    }

    private init(_ flow: F, _ state: F.State) {
        self.flow = flow
        self.state = state
    }

    /// Returns the specification with another given state.
    public func given(_ state: F.State) -> FlowSpec { FlowSpec(flow, state) }

    /// Returns the specification with a changed copy of the given state.
    public func given(_ change: (inout F.State) -> Void) -> FlowSpec {
        var state = state
        change(&state)
        return FlowSpec(flow, state)
    }

    /// Reduces these actions, one after the other.
    public func when(_ actions: F.Action...) -> FlowOutcome<F> {
        var state = state
        let next = actions.reduce(Next.none) { next, action in next.and(flow.reduce(&state, action)) }
        return FlowOutcome(
            flow: flow, actions: actions.map { "\($0)" }.joined(separator: ", "), before: self.state, after: state,
            next: next)
    }
}

/// The result of actions; see ``FlowSpec``.
///
/// ```swift
/// let outcome = FlowSpec(Search()).when(.typed("Jeju"))
/// outcome.after.text                                   // "Jeju"
/// outcome.next == .latest(.search("Jeju"))             // true
/// ```
public struct FlowOutcome<F: Flow> where F.State: Equatable, F.SideEffect: Equatable, F.Event: Equatable {
    let flow: F
    let actions: String
    let before: F.State
    /// The state after the actions.
    public let after: F.State
    /// The requests of the actions.
    public let next: Next<F.SideEffect, F.Event>

    init(flow: F, actions: String, before: F.State, after: F.State, next: Next<F.SideEffect, F.Event>) {
        self.flow = flow
        self.actions = actions
        self.before = before
        self.after = after
        self.next = next
    }

    /// Expects these changes of the state and these requests, in this order, and no others.
    ///
    /// - Parameters:
    ///   - next: The expected side effects and events; by default none.
    ///   - fileID: The file of the call, for the report of a failure.
    ///   - filePath: The path of that file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    ///   - change: Makes the expected changes; by default none.
    /// - Returns: A specification that begins with the state after the actions.
    @discardableResult
    public func then(
        _ next: Next<F.SideEffect, F.Event> = .none, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ change: (inout F.State) -> Void = { _ in }
    ) -> FlowSpec<F> {
        var expected = before
        change(&expected)
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        return check(next, expected, site)
    }

    /// Expects this state and these requests, and no others.
    @discardableResult
    public func then(
        _ state: F.State, _ next: Next<F.SideEffect, F.Event> = .none, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> FlowSpec<F> {
        check(next, state, CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    private func check(_ next: Next<F.SideEffect, F.Event>, _ state: F.State, _ site: CallSite) -> FlowSpec<F> {
        var findings = StateFinding(expected: state, found: after, before: before).map { [$0.text] } ?? []
        if !Difference.areSame(next, self.next) {
            findings.append(
                """
                requested  \(self.next)
                expected   \(next)
                """)
        }
        findings += self.next.missingChildren.map { "an action addresses \($0), which is not in the state" }
        if !findings.isEmpty { site.fail("when \(actions):\n\(findings.joined(separator: "\n"))") }
        return FlowSpec(flow).given(after)
    }
}
