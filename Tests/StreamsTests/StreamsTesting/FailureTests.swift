import StreamsTesting
import TestReporting
import Testing

@Suite("Failures")
struct FailureTests {
    private struct Message {
        let text: String
    }

    @Test("a failure prints a value of a private type without its address")
    func privateTypes() {
        let site = CallSite(fileID: #fileID, filePath: #filePath, line: #line, column: 9)
        let findings = collectFindings {
            site.fail("expected \([Message(text: "Hi")]), found nothing (but that)")
        }
        #expect(findings.map(\.message) == [#"expected [Message(text: "Hi")], found nothing (but that)"#])
        #expect(findings.first?.line == Int(site.line))
    }
}
