/// Names one dependency, and says what it is where nobody overrides it.
///
/// ```swift
/// enum GreetingKey: DependencyKey {
///     static let liveValue = "Hello"
/// }
///
/// extension DependencyValues {
///     var greeting: String {
///         get { self[GreetingKey.self] }
///         set { self[GreetingKey.self] = newValue }
///     }
/// }
/// ```
///
/// In a module whose code is on the main actor by default, write `nonisolated extension DependencyValues`.
///
/// A `static let` is made once and shared by all, tests included. A computed property is asked for at each read, and may
/// itself use a ``Dependency``: it sees what the owner that reads was given.
public protocol DependencyKey: Sendable {
    /// What is depended on.
    associatedtype Value: Sendable

    /// The value in the running product. Where this module has none, ``fromCompositionRoot()``.
    static var liveValue: Value { get }
    /// The value in a preview; by default the live one.
    static var previewValue: Value { get }
    /// The value in tests. By default there is none: a test that reads the dependency without overriding it fails, with
    /// the key and the remedy named, and goes on with ``previewValue``.
    static var testValue: Value { get }
}

extension DependencyKey {
    /// The live value.
    public static var previewValue: Value { liveValue }

    /// Fails the test, and stands in with ``previewValue``.
    public static var testValue: Value {
        DependencyValues.current.reportMissing(Self.self)
        return previewValue
    }

    /// For the live value of a dependency that this module cannot make: the composition root has to override it.
    ///
    /// ```swift
    /// enum SearchTravelsKey: DependencyKey {
    ///     static var liveValue: SearchTravels { fromCompositionRoot() }
    /// }
    /// ```
    ///
    /// Stops the process, with the key named, when nobody did.
    public static func fromCompositionRoot() -> Value {
        fatalError(
            """
            The dependency \(Self.self) has no value of its own: the composition root has to give it one, around what it \
            makes: withDependencies { $0[\(Self.self).self] = … } operation: { … }
            """)
    }
}
