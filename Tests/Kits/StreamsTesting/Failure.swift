import TestReporting

/// A source location in a test.
package struct CallSite: Sendable {
    package let fileID: StaticString
    package let filePath: StaticString
    package let line: UInt
    package let column: UInt

    package init(fileID: StaticString, filePath: StaticString, line: UInt, column: UInt) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }

    /// Reports an issue at this location. By default this fails the current test.
    package func fail(_ message: String) {
        FindingReporter.current.report(
            Finding(Self.readable(message), fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Removes the addresses with which file-private types are printed, so that a value is printed as it is written in
    /// the source.
    private static func readable(_ message: String) -> String {
        message.replacing(/[\w.]+\.\(unknown context at \$\w+\)\./, with: "")
    }
}
