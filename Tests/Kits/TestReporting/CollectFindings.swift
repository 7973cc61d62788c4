/// Returns the findings of kits while `body` runs, in order, without failing a test.
///
/// Use it to test assertions: it shows their findings, and that there are none where none are expected.
///
/// ```swift
/// let findings = collectFindings { expectOnlyComposes(Greedy()) { $0.count(taps) } }
/// #expect(findings.map(\.message) == ["`transform` of Greedy subscribes to the input …"])
/// ```
///
/// - Returns: The findings of `body` and of the tasks that it started, until it returns. Findings on dispatch queues
///   and in detached tasks go to ``FindingReporter/testFramework``.
public func collectFindings(_ body: () throws -> Void) rethrows -> [Finding] {
    let collection = FindingCollection()
    try FindingReporter { collection.add($0) }.whileReporting(body)
    return collection.all
}

/// Returns the findings of kits while `body` runs, in order, without failing a test.
///
/// As the synchronous form. The body runs in the caller's isolation, without a hop.
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
