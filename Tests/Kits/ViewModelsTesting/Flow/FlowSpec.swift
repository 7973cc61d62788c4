import StreamsTesting
public import ViewModels

/// Asks a flow, without running it: given a state, when an action comes, then this is the next state, and these are the
/// side effects and events.
///
/// Nothing is carried out. A failure shows what differs, and what to write if the flow is right.
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

    /// Asks `flow`, given its initial state.
    public init(_ flow: F) {
        self.init(flow, flow.initialState)
    }

    private init(_ flow: F, _ state: F.State) {
        self.flow = flow
        self.state = state
    }

    /// Given that state.
    public func given(_ state: F.State) -> FlowSpec { FlowSpec(flow, state) }

    /// Given the present state with some changes.
    public func given(_ change: (inout F.State) -> Void) -> FlowSpec {
        var state = state
        change(&state)
        return FlowSpec(flow, state)
    }

    /// When these actions come, one after the other.
    public func when(_ actions: F.Action...) -> FlowOutcome<F> {
        var state = state
        let next = actions.reduce(Next.none) { next, action in next.and(flow.reduce(&state, action)) }
        return FlowOutcome(
            flow: flow, actions: actions.map { "\($0)" }.joined(separator: ", "), before: self.state, after: state,
            next: next)
    }
}

/// What became of a state by an action; see ``FlowSpec``.
public struct FlowOutcome<F: Flow> where F.State: Equatable, F.SideEffect: Equatable, F.Event: Equatable {
    let flow: F
    let actions: String
    let before: F.State
    /// The state after the actions.
    public let after: F.State
    /// What they ask for.
    public let next: Next<F.SideEffect, F.Event>

    init(flow: F, actions: String, before: F.State, after: F.State, next: Next<F.SideEffect, F.Event>) {
        self.flow = flow
        self.actions = actions
        self.before = before
        self.after = after
        self.next = next
    }

    /// Then the state differs from the one before by these changes only, and just this is asked for: side effects
    /// and events, in this order.
    ///
    /// - Parameters:
    ///   - next: What is asked for; by default nothing.
    ///   - change: Changes the state as the actions should have; by default not at all.
    /// - Returns: A specification whose given state is the one after.
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

    /// Then that is the state, and just this is asked for.
    @discardableResult
    public func then(
        _ state: F.State, _ next: Next<F.SideEffect, F.Event> = .none, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> FlowSpec<F> {
        check(next, state, CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    private func check(_ next: Next<F.SideEffect, F.Event>, _ state: F.State, _ site: CallSite) -> FlowSpec<F> {
        var findings = StateFinding(expected: state, found: after, before: before).map { [$0.text] } ?? []
        if next != self.next {
            findings.append(
                """
                it asks for  \(self.next)
                expected     \(next)
                """)
        }
        findings += self.next.missingChildren.map { "it is for \($0), which is not there" }
        if !findings.isEmpty { site.fail("when \(actions):\n\(findings.joined(separator: "\n"))") }
        return FlowSpec(flow).given(after)
    }
}
