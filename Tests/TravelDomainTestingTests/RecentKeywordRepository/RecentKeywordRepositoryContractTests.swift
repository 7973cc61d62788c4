import TestTurns
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("The contract of recent keyword repositories", .takesTurns)
struct RecentKeywordRepositoryContractTests {
    enum Flaw {
        case changesOverlap, cancellationIsIgnored, cancelledChangesAreMade, beginsWithSome, orderIsLost
        case changesOnlyAdd, fourteenAreKept, textsAreFolded, textsAreComposed
    }

    @Test(
        "a repository that breaks a promise fails the check of that promise",
        arguments: [
            (Flaw.changesOverlap, "recent keywords: changes of several tasks at the same time are all made"),
            (.cancellationIsIgnored, "recent keywords: a look in a cancelled task ends with CancellationError"),
            (.beginsWithSome, "recent keywords: there are none to begin with"),
            (
                .cancelledChangesAreMade,
                "recent keywords: a change in a cancelled task ends with CancellationError and is not made"
            ),
            (.changesOnlyAdd, "recent keywords: what is forgotten is gone, the others stay"),
            (.changesOnlyAdd, "recent keywords: all can be forgotten at once"),
            (.fourteenAreKept, "recent keywords: of more than 15 the newest stay"),
            (.textsAreFolded, "recent keywords: what is remembered again moves to the front, as written last"),
            (.textsAreComposed, "recent keywords: texts come back scalar by scalar"),
            (.orderIsLost, "recent keywords: what was remembered last comes first"),
        ])
    func aBrokenPromiseIsFound(flaw: Flaw, check: String) async throws {
        let expected = try #require(RecentKeywordRepositoryContract.checks.first { $0.id == check })
        await #expect("\(flaw) goes unnoticed") {
            try await expected.run { FlawedRecentKeywords(flaw) }
        } throws: { error in
            (error as? ContractViolation)?.check == check
        }
    }
}

private actor FlawedRecentKeywords: RecentKeywordRepository {
    private let flaw: RecentKeywordRepositoryContractTests.Flaw
    private var recent: RecentKeywords

    init(_ flaw: RecentKeywordRepositoryContractTests.Flaw) {
        self.flaw = flaw
        recent = RecentKeywords(flaw == .beginsWithSome ? ["바다"].compactMap { Keyword($0) } : [])
    }

    func recentKeywords() async throws -> RecentKeywords {
        if flaw != .cancellationIsIgnored { try Task.checkCancellation() }
        switch flaw {
        case .orderIsLost: return RecentKeywords(recent.keywords.sorted { $0.text < $1.text })
        case .fourteenAreKept: return RecentKeywords(recent.keywords.prefix(14))
        case .textsAreFolded: return RecentKeywords(recent.keywords.compactMap { Keyword($0.folded) })
        case .textsAreComposed:
            return RecentKeywords(recent.keywords.compactMap { Keyword($0.text == "café" ? "caf\u{E9}" : $0.text) })
        default: return recent
        }
    }

    func updateRecentKeywords(_ change: @escaping @Sendable (inout RecentKeywords) -> Void) async throws {
        if flaw != .cancelledChangesAreMade { try Task.checkCancellation() }
        var changed = recent
        // Another change may come in between, and be lost.
        if flaw == .changesOverlap { for _ in 0..<50 { await Task.yield() } }
        change(&changed)
        if flaw == .changesOnlyAdd, changed.keywords.count < recent.keywords.count { return }
        recent = changed
        if flaw == .cancelledChangesAreMade { try Task.checkCancellation() }
    }
}
