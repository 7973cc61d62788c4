public import TravelDomain

/// Every promise of `RecentKeywordRepository`, as checks for any implementation.
///
/// Each check wants a new, empty repository. ``ContractCheck`` shows how to run them.
public enum RecentKeywordRepositoryContract {
    /// All checks.
    public static let checks: [ContractCheck<any RecentKeywordRepository>] = [
        check("there are none to begin with") { store in
            try await expectRecent([], in: store)
        },
        check("what was remembered last comes first") { store in
            for text in ["바다", "산", "섬"] { try await remember(text, in: store) }
            try await expectRecent(["섬", "산", "바다"], in: store)
        },
        check("what is remembered again moves to the front, as written last") { store in
            for text in ["sea", "산", "SEA"] { try await remember(text, in: store) }
            try await expectRecent(["SEA", "산"], in: store)
        },
        check("of more than 15 the newest stay") { store in
            for number in 1...20 { try await remember("\(number)", in: store) }
            try await expectRecent((6...20).reversed().map { "\($0)" }, in: store)
        },
        check("what is forgotten is gone, the others stay") { store in
            for text in ["바다", "산", "섬"] { try await remember(text, in: store) }
            try await store.updateRecentKeywords { recent in Keyword("산").map { recent.forget($0) } }
            try await expectRecent(["섬", "바다"], in: store)
        },
        check("all can be forgotten at once") { store in
            for text in ["바다", "산"] { try await remember(text, in: store) }
            try await store.updateRecentKeywords { $0 = RecentKeywords() }
            try await expectRecent([], in: store)
        },
        check("texts come back scalar by scalar") { store in
            let texts = ["100% '\"\\", "cafe\u{301}", "\u{1107}\u{116E}", "👨‍👩‍👧", "a  b"]
            for text in texts { try await remember(text, in: store) }
            try await expectRecent(texts.reversed(), in: store)
        },
        check("changes of several tasks at the same time are all made") { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...15 { group.addTask { try await remember("\(number)", in: store) } }
                try await group.waitForAll()
            }
            let texts = try await store.recentKeywords().keywords.map(\.text)
            try expect(Set(texts), equals: Set((1...15).map { "\($0)" }), "the recent keywords")
        },
        check("a look in a cancelled task ends with CancellationError") { store in
            try await expectCancellation(of: "a look at recent keywords") { _ = try await store.recentKeywords() }
        },
        check("a change in a cancelled task ends with CancellationError and is not made") { store in
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
