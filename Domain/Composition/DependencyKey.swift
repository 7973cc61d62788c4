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
/// A `static let` is made once a process and shared by all, tests included. A computed `liveValue` or `previewValue` is
/// made at each read. A computed `testValue` is made once a test: its tests share nothing, and all that one test reads is
/// the same value. What is computed may itself use a ``Dependency``: it sees what the owner that reads was given.
public protocol DependencyKey: Sendable {
    /// What is depended on.
    associatedtype Value: Sendable

    /// The value in the running product. Where this module has none, ``fromCompositionRoot(placeholder:)``.
    static var liveValue: Value { get }
    /// The value in a preview; by default the live one.
    static var previewValue: Value { get }
    /// The value in tests. By default there is none: a test that reads the dependency without overriding it fails, with
    /// the key and the remedy named, and goes on with ``previewValue``.
    ///
    /// Made once a test, when it is first read; two threads that read it first at the same time may both make one, and
    /// both are given the same. A test is known where `CompositionTesting` is linked or `withDependencies` is around it;
    /// elsewhere the value is made at each read.
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

    /// For the live value of a dependency that this module cannot make: the composition root gives it.
    ///
    /// ```swift
    /// enum SearchTravelsKey: DependencyKey {
    ///     static var liveValue: SearchTravels { fromCompositionRoot(placeholder: .findingNothing) }
    /// }
    /// ```
    ///
    /// In the product, reading it stops the process, with the key named, when the composition root gave none: neither by
    /// ``DependencyValues/prepare(_:)`` nor by `withDependencies`. A test that reads it fails and goes on with
    /// `placeholder`; a preview has `placeholder`.
    public static func fromCompositionRoot(placeholder: @autoclosure () -> Value) -> Value {
        if DependencyValues.current.context == .live { stopWithoutValue() }
        return placeholder()
    }

    /// As ``fromCompositionRoot(placeholder:)``, without a value to go on with: a test that reads it stops the process
    /// as well, after it has failed.
    @available(*, deprecated, message: "Give a value for tests and previews: fromCompositionRoot(placeholder: …)")
    public static func fromCompositionRoot() -> Value { stopWithoutValue() }

    private static func stopWithoutValue() -> Never {
        fatalError(
            """
            The dependency \(Self.self) has no value of its own: the composition root has to give it one, once at launch: \
            DependencyValues.prepare { $0[\(Self.self).self] = … }; or around what it makes: \
            withDependencies { $0[\(Self.self).self] = … } operation: { … }
            """)
    }
}
