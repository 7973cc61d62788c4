/// Names one dependency, and says what it is where nobody overrides it.
///
/// ```swift
/// private enum GreetingKey: DependencyKey {
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
public protocol DependencyKey: Sendable {
    /// What is depended on.
    associatedtype Value: Sendable

    /// The value in the running product.
    static var liveValue: Value { get }
    /// The value in a preview. By default the live one.
    static var previewValue: Value { get }
    /// The value in tests; by default `nil`: each test that uses the dependency has to override it.
    static var testValue: Value? { get }
}

extension DependencyKey {
    /// The live value.
    public static var previewValue: Value { liveValue }
    /// `nil`: each test that uses the dependency has to override it.
    public static var testValue: Value? { nil }
}

/// Where code runs, as far as dependencies are concerned.
public enum DependencyContext: Sendable {
    /// In the product.
    case live
    /// In a preview.
    case preview
    /// In a test.
    case test
}
