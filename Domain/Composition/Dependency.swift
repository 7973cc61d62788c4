/// A dependency of the type that declares it.
///
/// The value is that of the task in which the owner was made, so that what a screen was given stays with it in
/// whatever it starts later.
///
/// ```swift
/// struct Greeter {
///     @Dependency(\.greeting) private var greeting
///     func greet() -> String { greeting }
/// }
/// ```
@propertyWrapper
public struct Dependency<Value: Sendable>: Sendable {
    private let keyPath: any KeyPath<DependencyValues, Value> & Sendable
    private let values = DependencyValues.current

    /// The dependency at that key path.
    public init(_ keyPath: any KeyPath<DependencyValues, Value> & Sendable) {
        self.keyPath = keyPath
    }

    /// The value.
    public var wrappedValue: Value { values[keyPath: keyPath] }
}
