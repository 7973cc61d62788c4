import Foundation
import TestConcurrency
import Testing

@Suite("Generated sources", .limitedConcurrency)
struct GeneratedSourcesTests {
    @Test("the overloads for two to eight streams equal what the generator writes")
    func aritiesAreUpToDate() throws {
        let root = URL(filePath: #filePath)  // Tests/StreamsTests/Generated/…
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        for (path, source) in ArityGenerator.sources {
            let file = root.appending(path: path)
            if ProcessInfo.processInfo.environment["GENERATE"] != nil {
                try source.write(to: file, atomically: true, encoding: .utf8)
            }
            let isEqual = try String(contentsOf: file, encoding: .utf8) == source
            #expect(isEqual, "\(path) differs: change the generator, and run the tests with GENERATE=1")
        }
        #expect(ArityGenerator.sources.count == 5)
    }
}
