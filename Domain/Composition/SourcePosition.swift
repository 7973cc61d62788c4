/// A position in the source code, such as the declaration of a ``Dependency``.
///
/// ```swift
/// SourcePosition(line: 3, column: 5) == SourcePosition(line: 3, column: 5)    // true, in one file
/// ```
public struct SourcePosition: Sendable {
    /// The module and the file.
    public let fileID: StaticString
    /// The path of the file.
    public let filePath: StaticString
    /// The line, from 1.
    public let line: UInt
    /// The column, from 1.
    public let column: UInt

    /// Creates a position; by default, that of the call.
    public init(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }
}

extension SourcePosition: Hashable {
    /// Whether both have the same line, column and file path.
    public static func == (left: SourcePosition, right: SourcePosition) -> Bool {
        left.line == right.line && left.column == right.column && "\(left.filePath)" == "\(right.filePath)"
    }

    /// Hashes the line and the column; positions in different files may have the same hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(line)
        hasher.combine(column)
    }
}
