#if canImport(Testing)
import Testing
#endif
#if canImport(XCTest)
import XCTest
#endif

/// Receives the findings of test kits.
///
/// The current reporter is a task-local value: replacing it for some code affects the tasks that this code starts, and
/// no other test. Code on a dispatch queue or in a detached task uses ``testFramework``.
///
/// ```swift
/// let printing = FindingReporter { print($0) }
/// printing.whileReporting { expectNothingSurvives { leak() } }    // prints, and fails no test
/// ```
public struct FindingReporter: Sendable {
    // The closure is in a structure: a task-local value that is itself a function crashes in optimised builds of Swift
    // 6.3.1.
    @TaskLocal private static var inScope: FindingReporter?

    private let receive: @Sendable (Finding) -> Void

    /// Creates a reporter that calls `receive` with each finding, on the thread of the finding.
    public init(_ receive: @escaping @Sendable (Finding) -> Void) {
        self.receive = receive
    }

    /// The current reporter: that of the innermost `whileReporting`, otherwise ``testFramework``.
    public static var current: FindingReporter { inScope ?? testFramework }

    /// Fails the running test, in Swift Testing or in XCTest.
    ///
    /// A finding on a thread without a current test, such as one that the code under test has started, fails the
    /// current test of XCTest, and with Swift Testing the whole run.
    public static let testFramework = FindingReporter { finding in
        #if canImport(Testing)
        // Without a current test, this fails the run; if XCTest runs the tests, it has no effect.
        let location = SourceLocation(
            fileID: finding.fileID, filePath: finding.filePath, line: finding.line, column: finding.column)
        Issue.record(Comment(rawValue: finding.message), sourceLocation: location)
        if Test.current != nil { return }
        #endif
        #if canImport(XCTest)
        // Without a running test of XCTest, this has no effect.
        if let path = finding.literalPath {
            XCTFail(finding.message, file: path, line: UInt(finding.line))
        } else {
            XCTFail("\(finding)")
        }
        #elseif !canImport(Testing)
        fatalError("\(finding)")
        #endif
    }

    /// Passes a finding to the closure of this reporter.
    public func report(_ finding: Finding) { receive(finding) }

    /// Runs `operation` with this reporter in place of the current one.
    public func whileReporting<Result>(_ operation: () throws -> Result) rethrows -> Result {
        try Self.$inScope.withValue(self, operation: operation)
    }

    /// Runs `operation` with this reporter in place of the current one; the tasks that it starts use this reporter as
    /// well.
    public nonisolated(nonsending) func whileReporting<Result>(
        _ operation: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$inScope.withValue(self, operation: operation)
    }
}
