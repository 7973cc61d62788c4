#if canImport(Testing)
import Streams
public import Testing
import TestReporting

/// Fails each test that leaves a subscription behind: `expectNothingSurvives` for a whole test, or for all tests of
/// a suite.
///
/// ```swift
/// @Suite(.nothingSurvives) struct CardsTests {
///     @Test func badge() { … }    // its screen and all its subscriptions must be gone at the end
/// }
/// ```
///
/// Subscriptions are recorded in debug builds only; release builds check nothing.
public struct NothingSurvivesTrait: TestTrait, SuiteTrait, TestScoping {
    /// Creates a trait for one test, or for all tests of a suite.
    public init() {}

    /// Applies to the tests of sub-suites as well.
    public var isRecursive: Bool { true }

    /// Runs a test, and reports the subscriptions that survive it; throws what the test throws.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let scope = SubscriptionScope()
        try await SubscriptionScope.$current.withValue(scope.withCurrent, operation: function)
        let survivors = scope.live
        if survivors.isEmpty { return }
        let place = test.sourceLocation
        let finding = Finding(
            """
            subscriptions survive the test:
            \(LiveSubscriptions.draw(survivors))
            Dispose them, or release the bag or screen that holds them, before the test ends.
            """,
            atFileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
        FindingReporter.current.report(finding)
    }
}

extension Trait where Self == NothingSurvivesTrait {
    /// Fails each test that leaves a subscription behind.
    public static var nothingSurvives: Self { Self() }
}
#endif
