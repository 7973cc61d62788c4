import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting

@Suite("How searches find trips", .limitedConcurrency)
struct TripMatchTests {
    private func entry(_ seed: UInt64, _ title: String, at place: String? = nil) throws -> TimelineEntry {
        try TimelineEntry(seed: seed, title: title, place: place.map { try Place(name: $0, address: "바다로") })
    }

    @Test("a keyword is found in the title first, then in the first entry that has it in its title or its place")
    func order() throws {
        let sea = try #require(Keyword("바다"))
        let timeline = [try entry(1, "점심"), try entry(2, "저녁", at: "밤바다"), try entry(3, "바다")]
        #expect(sea.match(title: try Title("부산 바다"), timeline: timeline) == .title)
        #expect(sea.match(title: try Title("부산"), timeline: timeline) == .entry(MatchedEntry(timeline[1])))
        #expect(sea.match(title: try Title("부산"), timeline: [timeline[2]]) == .entry(MatchedEntry(timeline[2])))
        #expect(sea.match(title: try Title("부산"), timeline: [timeline[0]]) == nil)
        #expect(sea.match(title: try Title("부산"), timeline: []) == nil)
        let found = MatchedEntry(timeline[1])
        #expect(found.title.text == "저녁" && found.placeName == "밤바다" && found.day == 1)
    }

    @Test("criteria find a trip by an entry only if it meets every filter, and without a keyword by its title")
    func filters() throws {
        let recorded = try TripBuilder(seed: 1).with { $0.timeline = [try entry(1, "바다")] }.build()
        let (content, timeline) = (recorded.content, recorded.timeline)
        #expect(TripCriteria(keyword: Keyword("바다")).match(content, timeline: timeline)?.rank == .entry)
        #expect(TripCriteria(keyword: Keyword("바다"), regions: [.jeju]).match(content, timeline: timeline) == nil)
        #expect(TripCriteria(regions: [.seoul]).match(content, timeline: timeline) == .title)
        #expect(!TripCriteria(keyword: Keyword("바다")).matches(content))
    }

    @Test("a text matches as its folded form does, whatever it consists of", arguments: 1...20 as ClosedRange<UInt64>)
    func plainTexts(seed: UInt64) throws {
        let parts = [
            "가", "각", "힣", "a", "A", "ß", " ", "\u{3000}", "\u{200B}", "1", "%", "é", "e\u{301}", "\u{1100}\u{1161}",
            "\u{11A8}", "ㄱ", "🌊", "👍🏽", "７", "ﾊ", "\u{AC00}\u{11A8}", "京", "\u{D7A4}", "\u{ABFF}", "Z", "-",
        ]
        var random = SeededGenerator(seed: seed)
        func text(_ lengths: ClosedRange<Int>, of parts: [String]) -> String {
            (0..<Int.random(in: lengths, using: &random)).map { _ in
                parts[Int.random(in: parts.indices, using: &random)]
            }.joined()
        }
        for round in 0..<500 {
            // Of few parts, so that many match; of those that are compared by their bytes, in half of the rounds.
            let parts = round % 2 == 0 ? Array(parts.shuffled(using: &random).prefix(4)) : ["가", "각", "a", "A", " "]
            guard let title = try? Title(text(1...12, of: parts)), let keyword = Keyword(text(1...3, of: parts)) else {
                continue
            }
            #expect(
                keyword.matches(title) == keyword.matches(folded: Keyword.folded(title.text)),
                "'\(keyword.text)' in '\(title.text)'")
        }
    }

    @Test("a cursor among trips that entries find comes after all that are found by their titles")
    func cursors() throws {
        let recorded = try (UInt64(1)...3).map { try TripBuilder(seed: $0).build() }
        let trips = try recorded.map { recorded in
            try Trip(
                id: recorded.id, author: recorded.author, content: recorded.content, createdAt: recorded.createdAt,
                likeCount: 0, isLiked: false, isMine: false)
        }
        for sort in TripSort.allCases {
            let (titled, byEntry) = (
                TripCursor(after: trips[1], in: sort), TripCursor(after: trips[1], in: sort, rank: .entry)
            )
            #expect(trips.map { titled.precedes($0) } == [true, false, false])
            #expect(trips.map { titled.precedes($0, rank: .entry) } == [true, true, true])
            #expect(trips.map { byEntry.precedes($0) } == [false, false, false])
            #expect(trips.map { byEntry.precedes($0, rank: .entry) } == [true, false, false])
            // Without a keyword, no entry is compared.
            _ = try TripQuery(TripCriteria(keyword: Keyword("바다"), sort: sort), viewer: nil, after: byEntry)
            #expect(throws: TravelError.invalid(Violation(.cursor, .foreignCursor))) {
                try TripQuery(TripCriteria(sort: sort), viewer: nil, after: byEntry)
            }
        }
    }
}
