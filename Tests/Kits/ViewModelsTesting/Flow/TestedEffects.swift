import StreamsTesting
import ViewModels

/// The side effects that an action led to in a test, and those that their actions led to in turn.
///
/// `send` of a ``FlowTester`` or ``MutationTester`` returns them.
///
/// ```swift
/// let search = tester.send(.typed("Jeju")) { $0.text = "Jeju" }
/// search.cancel()          // no action arrives
/// search.areFinished       // true
/// ```
public struct TestedEffects {
    private let group: EffectGroup?
    private let run: (_ condition: () -> Bool) -> Void
    private let wait: nonisolated(nonsending) (_ duration: Duration, _ condition: () -> Bool) async -> Void
    private let cancelGroup: (EffectGroup) -> Void
    private let running: () -> String?

    init<Sent, State, Action, SideEffect, Event>(
        of tested: TestedFlow<Sent, State, Action, SideEffect, Event>, _ group: EffectGroup?
    ) {
        self.group = group
        run = { condition in tested.wait { _ in condition() } }
        wait = { duration, condition in await tested.wait(within: duration) { _ in condition() } }
        cancelGroup = { group in tested.drive { tested.engine.cancel(group) } }
        running = { tested.record.running }
    }

    /// Whether all of them have ended or were cancelled.
    public var areFinished: Bool { group?.isFinished ?? true }

    /// Advances virtual time until all of them have ended; fails the test if they do not. The test must still receive
    /// their actions.
    public func finish(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        run { areFinished }
        check(CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Advances virtual time, and waits in real time, until all of them have ended; fails the test if they do not.
    public nonisolated(nonsending) func finish(
        within duration: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) async {
        await wait(duration) { areFinished }
        check(CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Cancels the side effects of the action that have not ended.
    ///
    /// ```swift
    /// let search = tester.send(.typed("Jeju")) { $0.text = "Jeju" }
    /// search.cancel()
    /// search.areFinished    // true
    /// ```
    public func cancel() {
        if let group { cancelGroup(group) }
    }

    private func check(_ site: CallSite) {
        if areFinished { return }
        site.fail(
            """
            expected the side effects to end; still running:
            \(running() ?? "  nothing")
            Let them end, cancel them, or dismiss the screen: tester.dismiss()
            """)
    }
}
