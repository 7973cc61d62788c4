import StreamsTesting
import ViewModels

/// The side effects that an action has led to in a test, and those that their actions have led to in turn.
///
/// What `send` of a ``FlowTester`` or ``MutationTester`` gives back.
public struct TestedEffects {
    private let group: EffectGroup?
    private let run: (_ isThere: () -> Bool) -> Void
    private let wait: nonisolated(nonsending) (_ duration: Duration, _ isThere: () -> Bool) async -> Void
    private let cancelGroup: (EffectGroup) -> Void
    private let running: () -> String?

    init<F: Flow>(of tested: TestedFlow<F>, _ group: EffectGroup?) {
        self.group = group
        run = { isThere in tested.wait { _ in isThere() } }
        wait = { duration, isThere in await tested.wait(within: duration) { _ in isThere() } }
        cancelGroup = { group in tested.drive { tested.engine.cancel(group) } }
        running = { tested.record.running }
    }

    /// Whether all of them have ended or were cancelled.
    public var areFinished: Bool { group?.isFinished ?? true }

    /// Lets virtual time pass until all of them have ended; fails the test if they do not. What they send is to be
    /// received all the same.
    public func finish(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        run { areFinished }
        check(CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Lets virtual time pass, and real time, until all of them have ended; fails the test if they do not.
    public nonisolated(nonsending) func finish(
        within duration: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) async {
        await wait(duration) { areFinished }
        check(CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Cancels them.
    public func cancel() {
        if let group { cancelGroup(group) }
    }

    private func check(_ site: CallSite) {
        if areFinished { return }
        site.fail("expected the side effects to end, but there is still running\n\(running() ?? "  nothing")")
    }
}
