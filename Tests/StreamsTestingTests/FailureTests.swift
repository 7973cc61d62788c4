import StreamsTesting
import Testing

@Suite("Failures")
struct FailureTests {
    private struct Message {
        let text: String
    }

    @Test("a value of a private type reads as it is written")
    func privateTypes() {
        let site = CallSite(fileID: #fileID, filePath: #filePath, line: #line, column: 9)
        withKnownIssue {
            site.fail("expected \([Message(text: "Hi")]), found nothing (but that)")
        } matching: { issue in
            issue.comments.map(\.rawValue) == [
                #"expected [Message(text: "Hi")], found nothing (but that)"#
            ]
        }
    }
}
