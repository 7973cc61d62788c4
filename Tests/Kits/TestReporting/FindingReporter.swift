#if canImport(Testing)
    import Testing
#endif
#if canImport(XCTest)
    import XCTest
#endif

/// Receives what test kits find.
///
/// The reporter is a task-local value: exchanging it for some code reaches the tasks that this code starts, and no test
/// that runs beside it. Code on a dispatch queue or in a detached task has ``testFramework``.
///
/// ```swift
/// let printing = FindingReporter { print($0) }
/// printing.whileReporting { expectNothingSurvives { leak() } }    // prints, and fails no test
/// ```
public struct FindingReporter: Sendable {
    // The closure is in a structure: a task-local value that is itself a function crashes in optimised builds of 6.3.1.
    @TaskLocal private static var inScope: FindingReporter?

    private let receive: @Sendable (Finding) -> Void

    /// A reporter that calls `receive` with each finding, on the thread on which it was found.
    public init(_ receive: @escaping @Sendable (Finding) -> Void) {
        self.receive = receive
    }

    /// Receives what is found here and now: that of the innermost ``whileReporting(_:)-sync``, else ``testFramework``.
    public static var current: FindingReporter { inScope ?? testFramework }

    /// Fails the test that runs, in Swift Testing or in XCTest.
    ///
    /// On a thread that belongs to no test, such as one that the code under test has started, the current test of XCTest
    /// fails all the same, and with Swift Testing the whole run.
    public static let testFramework = FindingReporter { finding in
        #if canImport(Testing)
            // Without a test to belong to, it fails the run; where XCTest runs the tests, no one hears it.
            let location = SourceLocation(
                fileID: finding.fileID, filePath: finding.filePath, line: finding.line, column: finding.column)
            Issue.record(Comment(rawValue: finding.message), sourceLocation: location)
            if Test.current != nil { return }
        #endif
        #if canImport(XCTest)
            // Where no test of XCTest runs, no one hears it.
            if let path = finding.literalPath {
                XCTFail(finding.message, file: path, line: UInt(finding.line))
            } else {
                XCTFail("\(finding)")
            }
        #elseif !canImport(Testing)
            fatalError("\(finding)")
        #endif
    }

    /// Hands over a finding.
    public func report(_ finding: Finding) { receive(finding) }

    /// Runs `operation` with this reporter in place of the current one.
    public func whileReporting<Result>(_ operation: () throws -> Result) rethrows -> Result {
        try Self.$inScope.withValue(self, operation: operation)
    }

    /// Runs `operation` with this reporter in place of the current one; the tasks that it starts report here as well.
    public nonisolated(nonsending) func whileReporting<Result>(
        _ operation: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$inScope.withValue(self, operation: operation)
    }
}
