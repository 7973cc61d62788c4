/// Where code runs, as far as dependencies are concerned: which of a key's values holds where nobody overrides it.
///
/// Found out once for a process: a test runner is known by its name and by a test kit that is linked into it, a preview
/// by the environment it is given. Set ``DependencyValues/context`` to choose another for some code.
public enum DependencyContext: Sendable {
    /// In the product.
    case live
    /// In a preview.
    case preview
    /// In a test.
    case test
}
