#if canImport(Testing)
public import Composition
public import Testing
import TestReporting

/// Overrides dependencies for a test, or for each test of a suite.
///
/// ```swift
/// @Suite(.dependencies { $0.uuid = .incrementing })
/// struct DraftTests {
///     @Test(.dependencies { $0.date = .constant(Date(timeIntervalSince1970: 0)) })
///     func aDraftIsStamped() { … }
/// }
/// ```
///
/// - The overrides apply to all code that the test runs, and to the suite's own properties; each test and each of
///   its cases has its own. The overrides of a test take precedence over those of its suite.
/// - Reading in order to override is allowed: `.dependencies { $0.client.load = { … } }` sets one member. The other
///   members are those of the key's `testValue`, or without one of its preview value; give the key a `testValue`
///   whose members fail, to find those that a test does not override.
/// - Default test values are made once for each test and each of its cases, with or without the trait. The trait
///   releases them at the end of the test. Without it, the process keeps them, because Swift Testing reports no end of a
///   test: `.dependencies` alone limits the memory of a suite with very many cases.
/// - Reading a dependency that is neither overridden nor has a test value fails the test at the declaration, once
///   for each declaration, with a message that names the key and the remedy; the test continues. This also applies
///   without the trait. With it, a read on a thread or in a task without a current test fails the right test too,
///   when that test ends: always if the test made the owner; if a detached task or a queue made the owner, only if
///   a single test is possible, and otherwise the finding names the possible tests.
/// - In XCTest, override in `invokeTest`: `withDependencies { … } operation: { super.invokeTest() }`.
///
/// It belongs to the kit, and not to `Composition`, because production code must not link a testing framework.
public struct DependenciesTrait: TestTrait, SuiteTrait, TestScoping {
    let update: @Sendable (inout DependencyValues) throws -> Void

    /// Applies to the tests of sub-suites as well.
    public var isRecursive: Bool { true }

    /// Runs a test with the overrides of the trait; throws what the test throws.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        var values = DependencyValues.current
        values.beginTest()
        values = try withDependencies(from: values) { try withDependencies(update) { DependencyValues.current } }
        let name = test.displayName ?? test.name
        let scope = RunningTests.Scope(name: name, values: values)
        RunningTests.begin(scope)
        defer { RunningTests.end(scope) }
        values.reportMissingOverridesOfTest { missing in
            let finding = missing.finding()
            let isStray = Test.current == nil
            if !(isStray && scope.keep(finding)) { FindingReporter.current.report(finding) }
        }
        try await withDependencies(from: values) { try await function() }
    }
}

extension Trait where Self == DependenciesTrait {
    /// Releases the default values of each test at its end, and overrides nothing.
    ///
    /// ```swift
    /// @Test(.dependencies, arguments: 0..<100_000)
    /// func everyDraftIsSaved(seed: Int) { … }    // keeps the stores of the running cases only
    /// ```
    public static var dependencies: Self { DependenciesTrait { _ in } }

    /// Overrides dependencies for a test, or for each test of a suite.
    ///
    /// - Parameter update: Sets the dependencies of the test; called for each test and each of its cases. An error
    ///   that it throws fails the test.
    public static func dependencies(
        _ update: @escaping @Sendable (inout DependencyValues) throws -> Void
    ) -> Self {
        DependenciesTrait(update: update)
    }
}
#endif
