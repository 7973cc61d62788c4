/// What a test kit found wrong: a message, and the place in the source that it is about.
///
/// Kits do not fail tests themselves. They make findings and hand them to the current ``FindingReporter``, by default
/// ``FindingReporter/testFramework``. So a test of an assertion collects what it finds, in place of failing:
///
/// ```swift
/// let findings = collectFindings { expectNothingSurvives { leak() } }
/// #expect(findings.map(\.message) == ["subscriptions survive:\n…"])
/// ```
public struct Finding: Error, Sendable {
    /// What is wrong and how to mend it, in one or more lines.
    public let message: String
    /// The module and the file, as `#fileID` has them.
    public let fileID: String
    /// The path of the file, as `#filePath` has it.
    public let filePath: String
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int
    /// The path once more, in the type that XCTest wants; `nil` for a place that was known at run time only.
    let literalPath: StaticString?

    /// A finding about a place in the source; by default, the one that makes it.
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

    /// A finding about a place that is known at run time, such as that of a `Test`.
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
    /// Whether message and place are the same.
    public static func == (left: Finding, right: Finding) -> Bool {
        left.message == right.message && left.fileID == right.fileID && left.filePath == right.filePath
            && left.line == right.line && left.column == right.column
    }

    /// Hashes the message and the place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(message)
        hasher.combine(filePath)
        hasher.combine(line)
        hasher.combine(column)
    }
}

extension Finding: CustomStringConvertible {
    /// The place and the message: `MyTests/SearchTests.swift:12: subscriptions survive: …`
    public var description: String { "\(fileID):\(line): \(message)" }
}
