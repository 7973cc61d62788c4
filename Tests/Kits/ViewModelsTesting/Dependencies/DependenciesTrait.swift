#if canImport(Testing)
    public import Composition
    import StreamsTesting
    import Synchronization
    public import Testing

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
    /// - A dependency that is read and neither overridden nor has a test value fails the test at its declaration, by a
    ///   message that names the key and the remedy, and the test goes on. That holds without the trait as well; with it,
    ///   a read on a thread or in a task that does not know which test it belongs to fails the right one too, when the
    ///   test ends.
    /// - In XCTest, override them in `invokeTest`: `withDependencies { … } operation: { super.invokeTest() }`.
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
            let strays = StrayIssues()
            defer { strays.report() }
            try await withDependencies {
                try update(&$0)
                $0.reportMissingOverride = { strays.report($0) }
            } operation: {
                try await function()
            }
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

    /// Missing overrides found where it is not known which test runs: kept until the test ends, and reported then.
    private final class StrayIssues: Sendable {
        /// `nil` when the test has ended.
        private let kept = Mutex<[MissingOverride]?>([])

        func report(_ missing: MissingOverride) {
            let isKept = Test.current == nil && kept.withLock { $0?.append(missing) } != nil
            if !isKept { MissingOverrideIssues.report(missing) }
        }

        /// The test ends.
        func report() {
            for missing in kept.withLock({ $0.take() }) ?? [] { MissingOverrideIssues.report(missing) }
        }
    }
#endif
