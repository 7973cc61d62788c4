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
/// - **Which value**: the one that holds where the owner is made. It stays with the owner for life: what a screen was
///   given, it has in every stream, task and callback that it starts later, on whatever thread. The owner captures the
///   overrides; a default value is asked for when it is read, so a dependency that is never read need not exist.
/// - **Owners made later**, by something the first one starts, see what holds there and then. Hand the overrides down
///   with `withDependencies(from:)`.
/// - **A class that is `Sendable`** has no room for a property wrapper, whose storage is a variable. There, write
///   `private let greeting = Dependency(\.greeting)`, and read `greeting.wrappedValue`.
/// - **Static and global owners** are made once, by whoever comes first, and keep what held there. Avoid them.
/// - **Cost**: making an owner looks up one task-local value for each dependency; reading an override compares as many
///   pointers as there are overrides. No lock, no hashing, no allocation.
/// - **Alternative**: an argument of the initializer, which is the way from one module to another.
@propertyWrapper
public struct Dependency<Value: Sendable>: Sendable {
    @usableFromInline let read: @Sendable (DependencyValues) -> Value
    @usableFromInline let values = DependencyValues.current
    @usableFromInline let place: SourcePlace

    /// The dependency that is that property of ``DependencyValues``.
    ///
    /// With `\.self`, all of them: to hand on to owners that are made later.
    public init(
        _ property: @escaping @Sendable (DependencyValues) -> Value, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        read = property
        place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// The dependency of that key, for one that has no property of ``DependencyValues``.
    @inlinable
    public init<Key: DependencyKey>(
        _ key: Key.Type, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) where Key.Value == Value {
        self.init({ $0[key, ""] }, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// The value. In a test that neither overrides it nor has a test value for it, reading it fails the test.
    @inlinable
    public var wrappedValue: Value {
        values.overrides.context == .test ? readInTest() : read(values)
    }

    @usableFromInline
    func readInTest() -> Value {
        Use.at(place) { read(values) }
    }
}
