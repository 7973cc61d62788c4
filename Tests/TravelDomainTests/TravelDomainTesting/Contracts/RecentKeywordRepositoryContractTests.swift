import TestTurns
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Contract of recent keyword repositories", .takesTurns)
struct RecentKeywordRepositoryContractTests {
    enum Flaw {
        case changesOverlap, cancellationIsIgnored, cancelledChangesAreMade, beginsWithSome, orderIsLost
        case changesOnlyAdd, fourteenAreKept, textsAreFolded, textsAreComposed
    }

    @Test(
        "a recent keyword repository with a flaw fails the check for it",
        arguments: [
            (Flaw.changesOverlap, "recent keywords: concurrent changes by several tasks are all applied"),
            (.cancellationIsIgnored, "recent keywords: a lookup in a cancelled task throws CancellationError"),
            (.beginsWithSome, "recent keywords: there are no keywords at first"),
            (
                .cancelledChangesAreMade,
                "recent keywords: a change in a cancelled task throws CancellationError and is not applied"
            ),
            (.changesOnlyAdd, "recent keywords: forgetting a keyword keeps the others"),
            (.changesOnlyAdd, "recent keywords: all keywords can be removed at once"),
            (.fourteenAreKept, "recent keywords: only the newest 15 keywords are kept"),
            (.textsAreFolded, "recent keywords: a repeated keyword moves to the front in its latest spelling"),
            (.textsAreComposed, "recent keywords: texts are returned scalar by scalar"),
            (.orderIsLost, "recent keywords: the latest keyword comes first"),
        ])
    func flawIsFound(flaw: Flaw, check: String) async throws {
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
        // Another change may happen in between, and be lost.
        if flaw == .changesOverlap { for _ in 0..<50 { await Task.yield() } }
        change(&changed)
        if flaw == .changesOnlyAdd, changed.keywords.count < recent.keywords.count { return }
        recent = changed
        if flaw == .cancelledChangesAreMade { try Task.checkCancellation() }
    }
}
