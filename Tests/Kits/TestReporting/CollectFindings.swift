/// Returns what kits find while `body` runs, in order, and fails no test for it.
///
/// For tests of assertions: they say what is found, and that nothing is found where nothing should be.
///
/// ```swift
/// let findings = collectFindings { expectOnlyComposes(Greedy()) { $0.count(taps) } }
/// #expect(findings.map(\.message) == ["`transform` of Greedy subscribes to the input …"])
/// ```
///
/// - Returns: What is found by `body` itself and by tasks that it started, until it returns. What code on dispatch
///   queues and in detached tasks finds goes to ``FindingReporter/testFramework``.
public func collectFindings(_ body: () throws -> Void) rethrows -> [Finding] {
    let collection = FindingCollection()
    try FindingReporter { collection.add($0) }.whileReporting(body)
    return collection.all
}

/// Returns what kits find while `body` runs, in order, and fails no test for it.
///
/// As the synchronous form. The body runs where the caller does: on its actor, without a hop.
public nonisolated(nonsending) func collectFindings(
    _ body: nonisolated(nonsending) () async throws -> Void
) async rethrows -> [Finding] {
    let collection = FindingCollection()
    try await FindingReporter { collection.add($0) }.whileReporting(body)
    return collection.all
}

private final class FindingCollection: Sendable {
    private let findings = Guarded<[Finding]>([])

    var all: [Finding] { findings.withLock { $0 } }

    func add(_ finding: Finding) {
        findings.withLock { $0.append(finding) }
    }
}
