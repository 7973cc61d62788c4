/// A test that reads a dependency which it does not override and which has no test value.
package struct MissingOverride: Sendable {
    /// The key's type.
    package let key: String
    /// The property of ``DependencyValues`` by which it was read; `nil` if by its key.
    package let property: String?
    /// Where the dependency is declared that was read, if by a ``Dependency``.
    package let place: SourcePlace?

    init<Key: DependencyKey>(_ key: Key.Type, _ use: Use) {
        self.key = String(describing: key)
        place = use.place
        // Read by its key, or by a function of one's own, it has no property that could be named.
        let name = use.property.description
        property = name.isEmpty || name.contains { "(:.".contains($0) } ? nil : name
    }

    /// What is wrong, where, and how to mend it.
    package var message: String {
        let place = self.place.map { ", declared at \($0.fileID):\($0.line)," } ?? ""
        let name = property.map { "`\($0)` (\(key))" } ?? key
        return """
            This test uses the dependency \(name)\(place) without overriding it. \
            Override it for the test or its suite: @Test(.dependencies { \(assignment) }), with ViewModelsTesting; \
            or around some code: withDependencies { \(assignment) } operation: { … }; \
            or give \(key) a `testValue`.
            """
    }

    private var assignment: String { property.map { "$0.\($0) = …" } ?? "$0[\(key).self] = …" }
}

/// What a test kit makes of a missing override. Found by the name of the type that conforms, see ``LinkedTestKit``.
package protocol MissingOverrideReporting: SendableMetatype {
    /// Makes the test that runs fail.
    static func report(_ missing: MissingOverride)
}

/// The test kit that is linked into this process, if one is.
///
/// This module must not link a testing framework, and a kit that is only linked runs no code by itself. So the kit's
/// type is looked up in the process by its name.
enum LinkedTestKit {
    static let reporter: (any MissingOverrideReporting.Type)? =
        // The mangled name of ViewModelsTesting.MissingOverrideIssues, an enumeration.
        _typeByName("17ViewModelsTesting21MissingOverrideIssuesO") as? any MissingOverrideReporting.Type
}

extension DependencyValues {
    /// Fails the test for reading a key that has no test value.
    func reportMissing<Key: DependencyKey>(_ key: Key.Type) {
        let missing = MissingOverride(key, Use.current)
        if let reportMissingOverride { return reportMissingOverride(missing) }
        guard let reporter = LinkedTestKit.reporter else { fatalError(missing.message) }
        reporter.report(missing)
    }
}
