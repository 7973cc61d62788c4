import Dispatch
import TestReporting
import TestConcurrency
import Testing

@Suite("Findings", .limitedConcurrency)
struct FindingTests {
    @Test("findings of a block are collected in order and fail no test")
    func collected() {
        let findings = collectFindings {
            FindingReporter.current.report(Finding("one"))
            FindingReporter.current.report(Finding("two"))
        }
        #expect(findings.map(\.message) == ["one", "two"])
        #expect(findings.first?.fileID == "KitTests/FindingTests.swift")
        #expect(findings.first?.description == "KitTests/FindingTests.swift:11: one")
    }

    @Test("findings of the tasks that a block starts are collected, separately from concurrent findings")
    func collectedInTasks() async {
        async let other = collectFindings { FindingReporter.current.report(Finding("other")) }
        let findings = await collectFindings {
            await Task { FindingReporter.current.report(Finding("task")) }.value
        }
        #expect(findings.map(\.message) == ["task"])
        #expect(await other.map(\.message) == ["other"])
    }

    @Test("the innermost reporter receives findings")
    func nested() {
        var inner: [Finding] = []
        let outer = collectFindings {
            inner = collectFindings { FindingReporter.current.report(Finding("inner")) }
            FindingReporter.current.report(Finding("outer"))
        }
        #expect(inner.map(\.message) == ["inner"])
        #expect(outer.map(\.message) == ["outer"])
    }

    @Test("findings are equal if their messages and positions are, whether the position is a literal or not")
    func equality() {
        let literal = Finding("wrong", fileID: "A/B.swift", filePath: "/A/B.swift", line: 3, column: 4)
        let found = Finding("wrong", atFileID: "A/B.swift", filePath: "/A/B.swift", line: 3, column: 4)
        #expect(Set([literal, found]).count == 1)
        #expect(literal != Finding("right", atFileID: "A/B.swift", filePath: "/A/B.swift", line: 3, column: 4))
        #expect(literal != Finding("wrong", atFileID: "A/B.swift", filePath: "/A/B.swift", line: 4, column: 4))
    }
}
