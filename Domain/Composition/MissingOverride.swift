/// A read in a test of a dependency that has neither an override nor a test value.
///
/// ```swift
/// let reporter = MissingOverrideReporter { print($0.message) }
/// reporter.report(MissingOverride(of: GreetingKey.self, property: "greeting"))
/// // prints: This test uses the dependency `greeting` (GreetingKey) without overriding it. …
/// ```
public struct MissingOverride: Sendable {
    /// The key's type, by name.
    public let key: String
    /// The property of ``DependencyValues`` by which it was read; `nil` if it was read by its key.
    public let property: String?
    /// The declaration of the ``Dependency`` that was read, if any.
    public let position: SourcePosition?
    /// The key's type.
    package let keyType: ObjectIdentifier

    /// Creates a missing override of `key`, to test a reporter.
    public init<Key: DependencyKey>(of key: Key.Type, property: String? = nil, position: SourcePosition? = nil) {
        self.key = String(describing: key)
        self.property = property
        self.position = position
        keyType = ObjectIdentifier(key)
    }

    init<Key: DependencyKey>(_ key: Key.Type, _ access: DependencyAccess) {
        // A read by key, or by a function of the user, has no property name.
        let name = access.property.description
        let isNameless = name.isEmpty || name.contains { "(:.".contains($0) }
        self.init(of: key, property: isNameless ? nil : name, position: access.position)
    }

    /// The dependency, its declaration, and the remedy.
    public var message: String {
        let position = self.position.map { ", declared at \($0.fileID):\($0.line)," } ?? ""
        let name = property.map { "`\($0)` (\(key))" } ?? key
        return """
            This test uses the dependency \(name)\(position) without overriding it. \
            Override it for the test or its suite: @Test(.dependencies { \(assignment) }), with CompositionTesting; \
            or around some code: withDependencies { \(assignment) } operation: { … }; \
            or give \(key) a `testValue`.
            """
    }

    private var assignment: String { property.map { "$0.\($0) = …" } ?? "$0[\(key).self] = …" }
}
