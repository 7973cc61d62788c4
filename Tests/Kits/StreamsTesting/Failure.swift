import TestReporting

/// A place in a test.
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

    /// Reports a finding about this place; by default, that makes the test fail that runs.
    package func fail(_ message: String) {
        FindingReporter.current.report(
            Finding(Self.readable(message), fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Types that are private to a file are printed with an address in place of the file: without it, a value reads as
    /// it is written.
    private static func readable(_ message: String) -> String {
        message.replacing(/[\w.]+\.\(unknown context at \$\w+\)\./, with: "")
    }
}
