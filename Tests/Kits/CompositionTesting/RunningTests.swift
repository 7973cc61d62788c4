import Composition
import TestReporting

#if canImport(Testing)
import Testing
#endif

/// The running tests with the trait `.dependencies`: candidates for a read without a current test.
enum RunningTests {
    /// One test, or one case of it.
    final class Scope: Sendable {
        let name: String
        /// The overrides of the test.
        let values: DependencyValues
        /// `nil` after the end of the test.
        private let kept = Guarded<[Finding]?>([])

        init(name: String, values: DependencyValues) {
            self.name = name
            self.values = values
        }

        /// Stores a finding until the test ends, once.
        ///
        /// - Returns: Whether the test is still running.
        func keep(_ finding: Finding) -> Bool {
            kept.withLock { kept in
                if kept?.contains(finding) == false { kept?.append(finding) }
                return kept != nil
            }
        }

        /// Ends the test; returns its findings.
        func end() -> [Finding] { kept.withLock { $0.take() } ?? [] }
    }

    private static let scopes = Guarded<[ObjectIdentifier: Scope]>([:])

    static func begin(_ scope: Scope) {
        scopes.withLock { $0[ObjectIdentifier(scope)] = scope }
    }

    static func end(_ scope: Scope) {
        _ = scopes.withLock { $0.removeValue(forKey: ObjectIdentifier(scope)) }
        for finding in scope.end() { FindingReporter.current.report(finding) }
    }

    /// Reports a missing override to the current test. Without one, because a detached task or a queue reads, the
    /// finding names the possible tests; if there is only one, that test fails.
    static func report(_ missing: MissingOverride) {
        if isInTest { return FindingReporter.current.report(missing.finding()) }
        let running = scopes.withLock { Array($0.values) }
        let overriding = running.filter { $0.values.isOverridden(missing.keyType) }
        let candidates = (overriding.isEmpty ? running : overriding).sorted { $0.name < $1.name }
        if candidates.isEmpty { return FindingReporter.current.report(missing.finding()) }
        let finding = missing.finding(remark: remark(candidates, doOverride: !overriding.isEmpty))
        if candidates.count == 1, candidates[0].keep(finding) { return }
        FindingReporter.current.report(finding)
    }

    private static func remark(_ candidates: [Scope], doOverride: Bool) -> String {
        let names = candidates.prefix(5).map { "\"\($0.name)\"" }.joined(separator: ", ")
        let more = candidates.count > 5 ? ", and \(candidates.count - 5) more" : ""
        let what =
            doOverride
            ? "A detached task or a queue, which the override does not reach, reads it while these tests, which "
                + "override it, are running: "
            : "A detached task or a queue reads it while these tests are running: "
        let remedy =
            "Pass the overrides on: let dependencies = DependencyValues.current, outside; "
            + "withDependencies(from: dependencies) { … }, inside."
        return "\n\(what)\(names)\(more).\n\(remedy)"
    }

    private static var isInTest: Bool {
        #if canImport(Testing)
        Test.current != nil
        #else
        false
        #endif
    }
}
