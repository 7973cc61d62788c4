import TestReporting
import Testing

/// An assertion of one's own, as kits write them: it reports where it was called.
nonisolated func expectShort(
    _ text: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
) {
    guard text.count > 5 else { return }
    FindingReporter.current.report(
        Finding("\(text) is long", fileID: fileID, filePath: filePath, line: line, column: column))
}

@Suite("Findings of assertions")
struct FindingTests {
    @Test("a test of an assertion collects its findings")
    func collecting() async {
        let findings = collectFindings {
            expectShort("short")
            expectShort("a long text")
        }
        #expect(findings.map(\.message) == ["a long text is long"])
        #expect(
            findings[0].fileID.hasSuffix("FindingTests.swift") && findings[0].filePath.hasSuffix("FindingTests.swift"))
        #expect(findings[0].line > 0 && findings[0].column > 0)
        let later = await collectFindings {
            await Task.yield()
            expectShort("another long text")
        }
        #expect(later.count == 1 && later != findings)
    }

    @Test("a reporter receives what is found while it is current")
    func reporters() async {
        let found = Finding("wrong", atFileID: "Module/File.swift", filePath: "/File.swift", line: 3, column: 5)
        await confirmation(expectedCount: 2) { received in
            let reporter = FindingReporter { finding in
                #expect(finding == found)
                received()
            }
            reporter.whileReporting { FindingReporter.current.report(found) }
            await reporter.whileReporting {
                await Task.yield()
                FindingReporter.current.report(found)
            }
        }
    }

    @Test("without another reporter, a finding fails the test")
    func failing() {
        withKnownIssue { FindingReporter.testFramework.report(Finding("wrong")) }
    }

    @Test("the same seed gives the same numbers")
    func seeds() {
        var (first, second) = (SeededGenerator(seed: 7), SeededGenerator(seed: 7))
        #expect(first.next() == second.next())
        #expect([1, 2, 3].shuffled(using: &first) == [1, 2, 3].shuffled(using: &second))
    }
}
