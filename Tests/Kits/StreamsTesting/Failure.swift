#if canImport(Testing)
    import Testing
#endif
#if canImport(XCTest)
    import XCTest
#endif

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

    /// Makes the test that runs fail here, in whichever framework it is written.
    ///
    /// Where it is not known which test runs, as on a thread that the code under test has started, a test of XCTest
    /// fails all the same, and with Swift Testing the whole run.
    package func fail(_ message: String) {
        let message = Self.readable(message)
        #if canImport(Testing)
            // Without a test to belong to, it fails the run; where XCTest runs the tests, no one hears it.
            let location = SourceLocation(
                fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
            Issue.record(Comment(rawValue: message), sourceLocation: location)
            if Test.current != nil { return }
        #endif
        #if canImport(XCTest)
            // Where no test of XCTest runs, no one hears it.
            XCTFail(message, file: filePath, line: line)
        #elseif !canImport(Testing)
            fatalError(message, file: filePath, line: line)
        #endif
    }

    /// Types that are private to a file are printed with an address in place of the file: without it, a value reads as
    /// it is written.
    private static func readable(_ message: String) -> String {
        message.replacing(/[\w.]+\.\(unknown context at \$\w+\)\./, with: "")
    }
}
