/// A dependency of the type that declares it.
///
/// ```swift
/// struct Greeter {
///     @Dependency(\.greeting) private var greeting
///     func greet(_ name: String) -> String { "\(greeting), \(name)" }
/// }
///
/// let greeter = withDependencies { $0.greeting = "Hi" } operation: { Greeter() }
/// greeter.greet("Mina")    // Hi, Mina
/// ```
///
/// - **Which value**: the one in effect where the owner, the instance that declares the dependency, is created. The
///   owner keeps it: every stream, task and callback that the owner starts later reads the same value, on any thread.
///   The owner captures the overrides; a default value is created when it is read, so a dependency that is never read
///   needs none.
/// - **Owners created later**, by work that the first one starts, use the dependencies in effect in that work. So does a
///   dependency that is declared in a closure, which is created when the closure runs. Declare it in the type instead, or
///   pass the overrides on with `withDependencies(from:)`.
/// - **A class that is `Sendable`** cannot have a property wrapper, whose storage is a variable. There, write
///   `private let greeting = Dependency(\.greeting)`, and read `greeting.wrappedValue`.
/// - **Static and global owners** are created once, by the first access, and keep the dependencies in effect there.
///   Avoid them.
/// - **Cost**: creating an owner looks up one task-local value for each dependency; reading an override compares at
///   most as many pointers as there are overrides, without a lock, hashing or an allocation.
/// - **Alternative**: an argument of the initializer, to pass values from one module to another.
@propertyWrapper
public struct Dependency<Value: Sendable>: Sendable {
    @usableFromInline let read: @Sendable (DependencyValues) -> Value
    @usableFromInline let values = DependencyValues.current
    let position: SourcePosition

    /// Creates a dependency on a property of ``DependencyValues``.
    ///
    /// `\.self` is a dependency on all of them, to pass them on to owners that are created later.
    public init(
        _ property: @escaping @Sendable (DependencyValues) -> Value, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        read = property
        position = SourcePosition(fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Creates a dependency on a key, for one without a property of ``DependencyValues``.
    @inlinable
    public init<Key: DependencyKey>(
        _ key: Key.Type, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) where Key.Value == Value {
        self.init({ $0[key, ""] }, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// The value. Reading it fails a test that neither overrides it nor has a test value for it.
    @inlinable
    public var wrappedValue: Value {
        values.overrides.context == .test ? readInTest() : read(values)
    }

    @usableFromInline
    func readInTest() -> Value {
        DependencyAccess.at(position) { read(values) }
    }
}

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
