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
    /// The column, from 1.
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
    /// Whether the messages and the positions of both findings are equal.
    public static func == (left: Finding, right: Finding) -> Bool {
        left.message == right.message && left.fileID == right.fileID && left.filePath == right.filePath
            && left.line == right.line && left.column == right.column
    }

    /// Hashes the message and the position of the finding.
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
