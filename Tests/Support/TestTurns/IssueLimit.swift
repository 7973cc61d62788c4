import Synchronization
import Testing

/// Limits the number of issues that a test reports.
final class IssueLimit: Sendable {
    static let limit = 10
    private let count = Atomic(0)

    /// Returns the issue; `nil` if the limit is reached.
    @Sendable func bounded(_ issue: Issue) -> Issue? {
        let number = count.add(1, ordering: .relaxed).newValue
        guard number >= Self.limit else { return issue }
        guard number == Self.limit else { return nil }
        var issue = issue
        issue.comments.append("further issues of this test are not reported")
        return issue
    }
}
