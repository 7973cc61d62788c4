import Composition
public import StreamsTesting
public import ViewModels

/// Runs a flow in the virtual time of a `TestScheduler`, and checks all its steps.
///
/// Exhaustive by default: the test must expect every side effect that starts, every action of a side effect, every
/// change of the state and every event, in the order in which they happen, and every side effect must end. Anything else
/// fails the test, with the actual step, the differences, and the code to write if the flow is correct.
///
/// ```swift
/// @Test(.dependencies { $0.titles = .inWinter })
/// func typingFinds() {
///     let tester = FlowTester(Search())    // sleeps on `@Dependency(\.clock)`, which is the tester's
///
///     tester.send(.typed("Jeju"), starts: .search("Jeju")) { $0.text = "Jeju" }
///     tester.receive(.arrived(["Jeju in winter"])) { $0.titles = ["Jeju in winter"] }
///     tester.finish()
/// }
/// ```
///
/// A side effect that starts with an action is an argument of the line that sends or receives the action: `starts`. One
/// that starts later, after a delay or when another has ended, is a step of its own: `receive(sideEffect:)`. An ignored
/// side effect, and one that is cancelled before it starts, is none.
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
        let record = Record(noun: "side effect")
        let engine = withDependencies(from: flow.dependencies) { [current = flow.current] in
            Engine(ReplaceableFlow(current: current).traced { record.add($0) }, from: initialState, on: scheduler)
        }
        super.init(engine, record, flow, scheduler, site)
    }

    /// Sends an action, and expects exactly this change of the state.
    ///
    /// Earlier steps must be expected before, and side effects that it starts by `receive(sideEffect:)` afterwards.
    ///
    /// ```swift
    /// tester.send(.titleTyped("Jeju")) { $0.title = "Jeju" }
    /// tester.send(.titleTyped("Jeju"))                         // the state stays the same
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
        send(action, nil, CallSite(fileID: fileID, filePath: filePath, line: line, column: column), change)
    }

    /// Sends an action, and expects exactly these side effects to start with it, in this order, and exactly this change
    /// of the state.
    ///
    /// ```swift
    /// tester.send(.deleteTapped(2), starts: .delete(2), .log("deleted")) { $0.rows = [1, 3] }
    /// ```
    ///
    /// Their order among the events of the action is not checked. If the test is not exhaustive, the action may start
    /// others as well.
    @discardableResult
    public func send(
        _ action: F.Action, starts sideEffect: F.SideEffect, _ others: F.SideEffect...,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, _ change: ((inout F.State) -> Void)? = nil
    ) -> TestedEffects where F.SideEffect: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        return send(action, ([sideEffect] + others).map { Expected($0) }, site, change)
    }

    private func send(
        _ action: F.Action, _ started: [Expected<F.SideEffect>]?, _ site: CallSite,
        _ change: ((inout F.State) -> Void)?
    ) -> TestedEffects {
        check("before \(action) is sent", site)
        let group = drive { engine.send(action) }
        waitForOtherThreads { $0.hasReduction }
        guard let reduced = record.takeReduction() else {
            site.fail("\(action) was not reduced: the flow was dismissed")
            return TestedEffects(of: self, group)
        }
        follow(reduced, change, starts: started, "send", site)
        reportFailures(site)
        return TestedEffects(of: self, group)
    }

    // MARK: Receiving side effects

    /// Expects the next action of a side effect, exactly these side effects to start with it, in this order, and exactly
    /// this change of the state. Advances virtual time until an action arrives.
    ///
    /// ```swift
    /// tester.receive(.signedIn, starts: .load) { $0.isSignedIn = true }
    /// ```
    public func receive(
        _ action: F.Action, starts sideEffect: F.SideEffect, _ others: F.SideEffect...,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, _ change: ((inout F.State) -> Void)? = nil
    ) where F.Action: Equatable, F.SideEffect: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        receive(Expected(action), site, within: nil, starts: ([sideEffect] + others).map { Expected($0) }, change)
    }

    /// Expects this side effect to start next. Advances virtual time until one starts.
    ///
    /// For a side effect that starts later than its action: after a delay, or when another one has ended.
    ///
    /// ```swift
    /// tester.send(.typed("Je")) { $0.text = "Je" }    // .latest(.search("Je"), after: .milliseconds(300))
    /// tester.send(.typed("Jeju")) { $0.text = "Jeju" }
    /// tester.receive(sideEffect: .search("Jeju"))
    /// ```
    public func receive(
        sideEffect: F.SideEffect, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) where F.SideEffect: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        receive(begun: Expected(sideEffect), site, within: nil)
    }

    /// Expects the next side effect that starts to satisfy a condition: for side effects that are not `Equatable`,
    /// whether they start with an action or later.
    ///
    /// ```swift
    /// tester.send(.uploadTapped)
    /// tester.receive(sideEffectWhere: { if case .upload = $0 { true } else { false } })
    /// ```
    public func receive(
        sideEffectWhere isExpected: (F.SideEffect) -> Bool, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        withoutActuallyEscaping(isExpected) { receive(begun: Expected(where: $0), site, within: nil) }
    }

    /// Expects this side effect to start next, and also waits in real time.
    public nonisolated(nonsending) func receive(
        sideEffect: F.SideEffect, within duration: Duration, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async where F.SideEffect: Equatable {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        await wait(within: duration) { $0.has(.begun) }
        receive(begun: Expected(sideEffect), site, within: duration)
    }
}
