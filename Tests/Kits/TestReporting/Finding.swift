#if canImport(Testing)
import Testing
#endif
#if canImport(XCTest)
import XCTest
#endif

/// A failure that a test kit found: a message, and the source position that it is about.
///
/// Kits do not fail tests themselves. They pass findings to the current ``FindingReporter``, by default
/// ``FindingReporter/testFramework``. So a test of an assertion collects its findings instead of failing:
///
/// ```swift
/// let findings = collectFindings { expectNothingSurvives { leak() } }
/// #expect(findings.map(\.message) == ["subscriptions survive:\n…"])
/// ```
public struct Finding: Error, Sendable {
    /// The problem and its remedy, in one or more lines.
    public let message: String
    /// The module and the file, as in `#fileID`.
    public let fileID: String
    /// The path of the file, as in `#filePath`.
    public let filePath: String
    /// The line, from 1.
    public let line: Int
    public let column: Int
    /// The path as the type that XCTest requires; `nil` for a position that is known only at run time.
    let literalPath: StaticString?

    /// Creates a finding about a source position; by default, that of the call.
    public init(
        _ message: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        self.message = message
        self.fileID = "\(fileID)"
        self.filePath = "\(filePath)"
        self.line = Int(line)
        self.column = Int(column)
        literalPath = filePath
    }

    /// Creates a finding about a position that is known only at run time, such as that of a `Test`.
    public init(_ message: String, atFileID fileID: String, filePath: String, line: Int, column: Int) {
        self.message = message
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
        literalPath = nil
    }
}

extension Finding: Hashable {
    public static func == (left: Finding, right: Finding) -> Bool {
        left.message == right.message && left.fileID == right.fileID && left.filePath == right.filePath
            && left.line == right.line && left.column == right.column
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(message)
        hasher.combine(filePath)
        hasher.combine(line)
        hasher.combine(column)
    }
}

extension Finding: CustomStringConvertible {
    /// The position and the message: `MyTests/SearchTests.swift:12: subscriptions survive: …`
    public var description: String { "\(fileID):\(line): \(message)" }
}

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

/// Returns the findings of kits while `body` runs, in order, without failing a test.
///
/// Use it to test assertions: it shows their findings, and that there are none where none are expected.
///
/// ```swift
/// let findings = collectFindings { expectOnlyComposes(Greedy()) { $0.count(taps) } }
/// #expect(findings.map(\.message) == ["`transform` of Greedy subscribes to the input …"])
/// ```
///
/// - Returns: The findings of `body` and of the tasks that it started, until it returns. Findings on dispatch queues
///   and in detached tasks go to ``FindingReporter/testFramework``.
public func collectFindings(_ body: () throws -> Void) rethrows -> [Finding] {
    let collection = FindingCollection()
    try FindingReporter { collection.add($0) }.whileReporting(body)
    return collection.all
}

/// Returns the findings of kits while `body` runs, in order, without failing a test.
///
/// As the synchronous form. The body runs in the caller's isolation, without a hop.
public nonisolated(nonsending) func collectFindings(
    _ body: nonisolated(nonsending) () async throws -> Void
) async rethrows -> [Finding] {
    let collection = FindingCollection()
    try await FindingReporter { collection.add($0) }.whileReporting(body)
    return collection.all
}

private final class FindingCollection: Sendable {
    private let findings = Guarded<[Finding]>([])

    var all: [Finding] { findings.withLock { $0 } }

    func add(_ finding: Finding) {
        findings.withLock { $0.append(finding) }
    }
}
