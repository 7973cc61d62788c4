/// A read of a dependency in a test: its declaration and property, for the message if the override is missing.
struct DependencyAccess: Sendable {
    @TaskLocal static var current = DependencyAccess()

    /// The declaration of the ``Dependency`` that is read.
    var position: SourcePosition?
    /// The property of ``DependencyValues`` that is read.
    var property: StaticString = ""
    /// The default value that is being made.
    var creation: TestValueCreation?

    /// Reads a value for the ``Dependency`` that is declared at `position`.
    static func at<Value>(_ position: SourcePosition, _ read: () -> Value) -> Value {
        $current.withValue(DependencyAccess(position: position), operation: read)
    }

    /// Reads a value through `property`.
    static func of<Value>(_ property: StaticString, creation: TestValueCreation? = nil, _ read: () -> Value) -> Value {
        $current.withValue(
            DependencyAccess(position: current.position, property: property, creation: creation), operation: read)
    }
}
