/// What a test reads without overriding it, and which has no test value.
public struct MissingOverride: Sendable {
    /// The key's type, by name.
    public let key: String
    /// The property of ``DependencyValues`` by which it was read; `nil` if by its key.
    public let property: String?
    /// Where the dependency is declared that was read, if by a ``Dependency``.
    public let place: SourcePlace?
    /// The key's type.
    package let keyType: ObjectIdentifier

    /// A missing override of `key`, for tests of a reporter.
    public init<Key: DependencyKey>(of key: Key.Type, property: String? = nil, place: SourcePlace? = nil) {
        self.key = String(describing: key)
        self.property = property
        self.place = place
        keyType = ObjectIdentifier(key)
    }

    init<Key: DependencyKey>(_ key: Key.Type, _ use: Use) {
        // Read by its key, or by a function of one's own, it has no property that could be named.
        let name = use.property.description
        let isNameless = name.isEmpty || name.contains { "(:.".contains($0) }
        self.init(of: key, property: isNameless ? nil : name, place: use.place)
    }

    /// What is wrong, where, and how to mend it.
    public var message: String {
        let place = self.place.map { ", declared at \($0.fileID):\($0.line)," } ?? ""
        let name = property.map { "`\($0)` (\(key))" } ?? key
        return """
            This test uses the dependency \(name)\(place) without overriding it. \
            Override it for the test or its suite: @Test(.dependencies { \(assignment) }), with CompositionTesting; \
            or around some code: withDependencies { \(assignment) } operation: { … }; \
            or give \(key) a `testValue`.
            """
    }

    private var assignment: String { property.map { "$0.\($0) = …" } ?? "$0[\(key).self] = …" }
}
