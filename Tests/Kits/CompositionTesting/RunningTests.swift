import Composition
import TestReporting

#if canImport(Testing)
    import Testing
#endif

/// The tests with the trait `.dependencies` that run now: who is asked when a read does not know its test.
enum RunningTests {
    /// One test, or one case of it.
    final class Scope: Sendable {
        let name: String
        /// What the test overrides.
        let values: DependencyValues
        /// `nil` when the test has ended.
        private let kept = Guarded<[Finding]?>([])

        init(name: String, values: DependencyValues) {
            self.name = name
            self.values = values
        }

        /// Keeps a finding until the test ends, once.
        ///
        /// - Returns: Whether it still runs.
        func keep(_ finding: Finding) -> Bool {
            kept.withLock { kept in
                if kept?.contains(finding) == false { kept?.append(finding) }
                return kept != nil
            }
        }

        /// The test ends.
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

    /// Reports what is missing in the test that runs here and now. Where that is not known, because a detached task or a
    /// queue reads, the tests that may be meant are named, and if it can be one only, that one fails.
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
            ? "It is read in a detached task or on a queue, which the override does not reach, while these tests run "
                + "that override it: "
            : "It is read in a detached task or on a queue, while these tests run: "
        let remedy =
            "Hand the overrides over: let dependencies = DependencyValues.current, outside; "
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
