/// The context in which code runs, which selects the default value of a key without an override.
///
/// The process determines its context once: it recognises a test runner by its name and by a linked test kit, and a
/// preview by its environment. Set ``DependencyValues/context`` to choose another context for some code.
///
/// ```swift
/// withDependencies { $0.context = .preview } operation: { TravelScreen() }    // uses preview values
/// ```
public enum DependencyContext: Sendable {
    /// In an app or a tool.
    case live
    /// In a preview.
    case preview
    /// In a test.
    case test
}
