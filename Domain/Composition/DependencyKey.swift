/// Identifies one dependency, and defines its default values.
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
/// A `static let` is initialised once per process and shared by all code, including tests. A computed `liveValue` or
/// `previewValue` is created at each read. A computed `testValue` is created once per test: tests share nothing, and
/// all reads in one test return the same value. A computed value may itself use a ``Dependency``, which takes its
/// value from the scope of the owner that reads the computed one.
public protocol DependencyKey: Sendable {
    /// The type of the dependency.
    associatedtype Value: Sendable

    /// The value in the app. If this module cannot create one, use ``fromCompositionRoot(placeholder:)``.
    static var liveValue: Value { get }
    /// The value in a preview; by default the live one.
    static var previewValue: Value { get }
    /// The value in tests. By default there is none: a test that reads the dependency without overriding it fails, with
    /// a message that names the key and the remedy, and continues with ``previewValue``.
    ///
    /// Created once per test, at the first read; if two threads read it first at the same time, both may create one,
    /// but both receive the same. The test is known if `CompositionTesting` is linked or `withDependencies` surrounds
    /// the read; otherwise the value is created at each read.
    static var testValue: Value { get }
}

extension DependencyKey {
    /// The live value.
    public static var previewValue: Value { liveValue }

    /// Fails the test, and returns ``previewValue``.
    public static var testValue: Value {
        DependencyValues.current.reportMissing(Self.self)
        return previewValue
    }

    /// The live value of a dependency that this module cannot create: the composition root must provide it.
    ///
    /// ```swift
    /// enum SearchTravelsKey: DependencyKey {
    ///     static var liveValue: SearchTravels { fromCompositionRoot(placeholder: .findingNothing) }
    /// }
    /// ```
    ///
    /// The composition root provides the value by ``DependencyValues/prepare(_:)`` or `withDependencies`. In an app, a
    /// read without it stops the process with a message that names the key. A test that reads it fails and continues
    /// with `placeholder`; a preview uses `placeholder`.
    public static func fromCompositionRoot(placeholder: @autoclosure () -> Value) -> Value {
        guard DependencyValues.current.context == .live else { return placeholder() }
        fatalError(
            """
            The dependency \(Self.self) has no value of its own: the composition root must provide one, once at launch: \
            DependencyValues.prepare { $0[\(Self.self).self] = … }; or around the code that needs it: \
            withDependencies { $0[\(Self.self).self] = … } operation: { … }
            """)
    }
}
