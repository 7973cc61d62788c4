/// A value that a test asks for: where, and by which property. Noted in tests alone, for the message when it is missing.
struct Use: Sendable {
    @TaskLocal static var current = Use()

    /// Where the ``Dependency`` is declared that is read.
    var place: SourcePlace?
    /// The property of ``DependencyValues`` that is read.
    var property: StaticString = ""
    /// The default value that is being made.
    var making: MakingTestValue?

    /// Reads a value, for a ``Dependency`` that is declared at `place`.
    static func at<Value>(_ place: SourcePlace, _ read: () -> Value) -> Value {
        $current.withValue(Use(place: place), operation: read)
    }

    /// Reads a value by `property`.
    static func of<Value>(_ property: StaticString, making: MakingTestValue? = nil, _ read: () -> Value) -> Value {
        $current.withValue(Use(place: current.place, property: property, making: making), operation: read)
    }
}
