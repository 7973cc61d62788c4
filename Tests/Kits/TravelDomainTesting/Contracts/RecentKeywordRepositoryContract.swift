public import TravelDomain

/// The contract of `RecentKeywordRepository`, as checks for any implementation.
///
/// Each check requires a new, empty repository. `ContractCheck` shows how to run them.
///
/// ```swift
/// @Test(arguments: RecentKeywordRepositoryContract.checks)
/// func fulfilsItsContract(check: ContractCheck<any RecentKeywordRepository>) async throws {
///     try await check.run { InMemoryRecentKeywordRepository() }
/// }
/// ```
public enum RecentKeywordRepositoryContract {
    /// All checks.
    public static let checks: [ContractCheck<any RecentKeywordRepository>] = [
        check("there are no keywords at first") { store in
            try await expectRecent([], in: store)
        },
        check("the latest keyword comes first") { store in
            for text in ["바다", "산", "섬"] { try await remember(text, in: store) }
            try await expectRecent(["섬", "산", "바다"], in: store)
        },
        check("a repeated keyword moves to the front in its latest spelling") { store in
            for text in ["sea", "산", "SEA"] { try await remember(text, in: store) }
            try await expectRecent(["SEA", "산"], in: store)
        },
        check("only the newest 15 keywords are kept") { store in
            for number in 1...20 { try await remember("\(number)", in: store) }
            try await expectRecent((6...20).reversed().map { "\($0)" }, in: store)
        },
        check("forgetting a keyword keeps the others") { store in
            for text in ["바다", "산", "섬"] { try await remember(text, in: store) }
            try await store.updateRecentKeywords { recent in Keyword("산").map { recent.forget($0) } }
            try await expectRecent(["섬", "바다"], in: store)
        },
        check("all keywords can be removed at once") { store in
            for text in ["바다", "산"] { try await remember(text, in: store) }
            try await store.updateRecentKeywords { $0 = RecentKeywords() }
            try await expectRecent([], in: store)
        },
        check("texts are returned scalar by scalar") { store in
            let texts = ["100% '\"\\", "cafe\u{301}", "\u{1107}\u{116E}", "👨‍👩‍👧", "a  b"]
            for text in texts { try await remember(text, in: store) }
            try await expectRecent(texts.reversed(), in: store)
        },
        check("concurrent changes by several tasks are all applied") { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...15 { group.addTask { try await remember("\(number)", in: store) } }
                try await group.waitForAll()
            }
            let texts = try await store.recentKeywords().keywords.map(\.text)
            try expect(Set(texts), equals: Set((1...15).map { "\($0)" }), "the recent keywords")
        },
        check("a lookup in a cancelled task throws CancellationError") { store in
            try await expectCancellation(of: "a lookup of recent keywords") { _ = try await store.recentKeywords() }
        },
        check("a change in a cancelled task throws CancellationError and is not applied") { store in
            try await remember("바다", in: store)
            try await expectCancellation(of: "a change of recent keywords") { try await remember("산", in: store) }
            try await expectRecent(["바다"], in: store)
        },
    ]

    private static func check(
        _ promise: String, _ body: @escaping @Sendable (any RecentKeywordRepository) async throws -> Void
    ) -> ContractCheck<any RecentKeywordRepository> {
        ContractCheck("recent keywords", promise, body)
    }

    private static func remember(_ text: String, in store: any RecentKeywordRepository) async throws {
        try await store.updateRecentKeywords { recent in Keyword(text).map { recent.remember($0) } }
    }

    private static func expectRecent(_ texts: [String], in store: any RecentKeywordRepository) async throws {
        let recent = try await store.recentKeywords().keywords.map { Array($0.text.unicodeScalars) }
        try expect(recent, equals: texts.map { Array($0.unicodeScalars) }, "the recent keywords")
    }
}
