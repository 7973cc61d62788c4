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
    /// - The overrides hold in all that the test runs, and in the suite's own properties; each test and each of its
    ///   cases gets its own. Those of a test go before those of its suite.
    /// - Reading in order to override is allowed: `.dependencies { $0.client.load = { … } }` sets one member. What it does
    ///   not set is that of the key's `testValue`, or without one of its preview; give the key a `testValue` whose members
    ///   fail, to hear of those that a test forgets.
    /// - Default test values are made once for each test and each of its cases.
    /// - A dependency that is read and neither overridden nor has a test value fails the test at its declaration, by a
    ///   message that names the key and the remedy, once for each declaration, and the test goes on. That holds without
    ///   the trait as well. With it, a read on a thread or in a task that does not know which test it belongs to fails
    ///   the right one too, when the test ends: by an owner that the test has made, always; by an owner that a detached
    ///   task or a queue has made, if one test alone can be meant, and else the finding names those that can.
    /// - In XCTest, override in `invokeTest`: `withDependencies { … } operation: { super.invokeTest() }`.
    ///
    /// It is part of the kit, and not of `Composition`, because production code must not link a testing framework.
    public struct DependenciesTrait: TestTrait, SuiteTrait, TestScoping {
        let update: @Sendable (inout DependencyValues) throws -> Void

        /// Applies to the tests of sub-suites as well.
        public var isRecursive: Bool { true }

        /// Runs a test with the overrides.
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
        /// Overrides dependencies for a test, or for each test of a suite.
        ///
        /// - Parameter update: Sets what the test depends on; called anew for each test and each of its cases. What it
        ///   throws fails the test.
        public static func dependencies(
            _ update: @escaping @Sendable (inout DependencyValues) throws -> Void
        ) -> Self {
            DependenciesTrait(update: update)
        }
    }
#endif
