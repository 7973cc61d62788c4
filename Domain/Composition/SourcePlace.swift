/// A place in the source code, such as that of a ``Dependency``.
public struct SourcePlace: Sendable {
    /// The module and the file.
    public let fileID: StaticString
    /// The path of the file.
    public let filePath: StaticString
    /// The line, from 1.
    public let line: UInt
    /// The column, from 1.
    public let column: UInt

    /// A place; by default, the one that makes it.
    public init(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }
}

extension SourcePlace: Hashable {
    /// Whether they are the same line and column of the same file.
    public static func == (left: SourcePlace, right: SourcePlace) -> Bool {
        left.line == right.line && left.column == right.column && "\(left.filePath)" == "\(right.filePath)"
    }

    /// Hashes the line and the column.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(line)
        hasher.combine(column)
    }
}
