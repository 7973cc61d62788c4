import ContractTesting
import Foundation
import Synchronization
import Testing
import TestConcurrency
import TravelDomain
import TravelDomainTesting

@Suite("Source text of values", .limitedConcurrency)
struct SourceTextTests {
    private enum Shape {
        case point, circle(radius: Int), box(Int, Int), named(String)
    }

    @Test("values are written as source code")
    func values() throws {
        #expect(sourceText(1) == "1")
        #expect(sourceText(0.5) == "0.5")
        #expect(sourceText(true) == "true")
        #expect(sourceText([1, 2]) == "[1, 2]")
        #expect(sourceText(Set(["b", "a"])) == #"["a", "b"]"#)
        #expect(sourceText(["a": 1]) == #"["a": 1]"#)
        #expect(sourceText([String: Int]()) == "[:]")
        #expect(sourceText(Int?.none as Any) == "nil")
        #expect(sourceText(Int?.some(1) as Any) == "1")
        #expect(sourceText(Shape.point) == ".point")
        #expect(sourceText(Shape.circle(radius: 2)) == ".circle(radius: 2)")
        #expect(sourceText(Shape.box(1, 2)) == ".box(1, 2)")
        #expect(sourceText(Shape.named("a")) == #".named("a")"#)
        #expect(sourceText(Region.jeju) == ".jeju")
    }

    @Test(
        "a string literal distinguishes strings that look the same",
        arguments: [
            ("바다", #""바다""#), ("a\"b\\", #""a\"b\\""#), ("a\nb", #""a\nb""#), ("e\u{301}", #""e\u{301}""#),
            ("\u{1107}\u{116E}", #""\u{1107}\u{116E}""#), ("a\u{200B}", #""a\u{200B}""#), ("a b", #""a b""#),
            ("a\u{A0}b", #""a\u{A0}b""#),
        ])
    func strings(text: String, literal: String) {
        #expect(sourceText(text) == literal)
    }

    @Test("values of the domain are written as initializer calls")
    func domain() throws {
        let user = try User(id: User.ID(seed: 1), nickname: Nickname("Mina"))
        #expect(sourceText(user) == "User(id: User.ID(\"\(user.id)\")!, nickname: Nickname(\"Mina\"), avatar: nil)")
        let days = try DayRange(CalendarDay("2024-03-01"), through: CalendarDay("2024-03-02"))
        #expect(sourceText(days) == #"DayRange(CalendarDay("2024-03-01"), through: CalendarDay("2024-03-02"))"#)
        #expect(sourceText(try TimeOfDay(hour: 9)) == #"TimeOfDay("09:00")"#)
        #expect(
            sourceText(TravelError.notFound(.trip(Trip.ID(seed: 1))))
                == ".notFound(.trip(Trip.ID(\"\(Trip.ID(seed: 1))\")!))")
        #expect(
            sourceText(TravelError.unavailable(.init("Full.", canRetry: true)))
                == #".unavailable(.init("Full.", canRetry: true))"#)
        #expect(sourceText(TravelError.invalid(.init(.track, .empty))) == ".invalid(.init(.track, .empty))")
    }

    @Test("a difference names the part and omits equal parts")
    func differences() throws {
        let trips = try (UInt64(1)...100).map { seed in
            let recorded = try TripBuilder(seed: seed).build()
            return try Trip(
                id: recorded.id, author: recorded.author, content: recorded.content, createdAt: recorded.createdAt,
                likeCount: 0, isLiked: false, isMine: false)
        }
        var liked = trips
        liked[3] = try Trip(
            id: trips[3].id, author: trips[3].author, content: trips[3].content,
            createdAt: trips[3].createdAt, likeCount: 2, isLiked: true, isMine: false)
        let (expected, page) = (TripPage(trips: trips, next: nil), TripPage(trips: liked, next: nil))
        #expect(
            valueDifference(of: page, from: expected) == [
                "trips[3].likeCount: expected 0, got 2", "trips[3].isLiked: expected false, got true",
            ])
        #expect(
            valueDifference(of: TripPage(trips: trips.dropLast(), next: nil), from: expected).map {
                $0.prefix(37)
            }
                == ["trips: expected 100 elements, got 99", "trips[99] is missing: Trip(id: Trip.I"])
        #expect(valueDifference(of: [2, 1], from: [1, 2]).first == "the same elements in another order")
        #expect(valueDifference(of: Set([1, 2]), from: Set([2, 3])) == ["missing 3", "unexpected 1"])
        #expect(
            valueDifference(
                of: Result<TripPage, TravelError>.success(page),
                from: Result<TripPage, TravelError>.success(expected)
            ).first
                == "trips[3].likeCount: expected 0, got 2")
        #expect(valueDifference(of: 1, from: 2) == ["expected 2, got 1"])
        #expect(valueDifference(of: "e\u{301}", from: "é") == [#"expected "é", got "e\u{301}""#])
    }

    @Test("of many differences, only the first ones and the number of the others are reported, on short lines")
    func manyDifferences() throws {
        let lines = valueDifference(of: Array(0..<1_000), from: Array(1...1_000), limit: 10)
        #expect(lines.count == 10)
        #expect(lines.last == "and 991 more differences")
        let long = valueDifference(of: [String(repeating: "a", count: 10_000)], from: [""])
        #expect(long.allSatisfy { $0.count < 500 })
    }
}

@Suite("Shrinking of failing histories", .limitedConcurrency)
struct ShrinkingTests {
    private func message<Subject>(
        of checks: [ContractCheck<Subject>], _ make: @Sendable () async throws -> Subject
    ) async throws -> String {
        for check in checks {
            do { try await check.run(make) } catch let violation as ContractViolation { return violation.message }
        }
        throw Unnoticed(check: checks.first?.id ?? "")
    }

    private func calls(in message: String) -> [String] {
        message.split(separator: "\n").filter { $0.hasPrefix("    try await") }.map { String($0.dropFirst(4)) }
    }

    @Test("a failing history is shrunk and reported as source code, with its seed and the number of calls")
    func histories() async throws {
        // Takes two people, a trip, a like, and the removal of the user who likes it. A few steps more may remain,
        // because a step without another one draws other people.
        let message = try await message(of: TravelStoreContract.generated(seeds: 1...30)) {
            FlawedStore(.accountDeletionKeepsLikes)
        }
        let calls = calls(in: message)
        #expect((5...12).contains(calls.count), "\(message)")
        #expect(calls.contains { $0.hasPrefix("try await store.setLiked(true, trip: ") }, "\(message)")
        #expect(calls.contains { $0.hasPrefix("try await store.add(User(id: User.ID(\"") }, "\(message)")
        #expect(calls.contains { $0.hasPrefix("try await store.add([RecordedTrip(id: Trip.ID(\"") }, "\(message)")
        #expect(calls.contains { $0.hasPrefix("try await store.removeUser(User.ID(\"") }, "\(message)")
        #expect(message.contains(" steps of seed "), "\(message)")
        #expect(message.contains("\n\(calls.count) calls are sufficient, of a history of "), "\(message)")
        #expect(message.split(separator: "\n").count <= 50, "\(message)")
    }

    @Test("failing operations of a repository are shrunk to an addition, two likes and a lookup")
    func operations() async throws {
        let message = try await message(of: TripRepositoryContract.generated(seeds: 1...30)) {
            FlawedTripRepository(.likesAddUp)
        }
        let calls = calls(in: message)
        #expect((3...6).contains(calls.count), "\(message)")
        #expect(calls.filter { $0.hasPrefix("try await store.setLiked(true, trip: ") }.count >= 2, "\(message)")
        #expect(message.split(separator: "\n").count <= 50, "\(message)")
    }

    @Test("failing edits are shrunk to the existing trips and one edit")
    func edits() async throws {
        let message = try await message(of: TripEditingContract.generated(seeds: 1...5)) {
            FlawedStore(.removalHidesOnly)
        }
        #expect(calls(in: message).count <= 4, "\(message)")
        #expect(message.split(separator: "\n").count <= 50, "\(message)")
    }

    @Test("a long call is reported whole, so that it can be copied")
    func longCalls() async throws {
        let message = try await message(of: TravelStoreContract.generated(seeds: 1...30)) {
            FlawedStore(.imagesAreCut)
        }
        let calls = calls(in: message)
        #expect(calls.contains { $0.count > 1_000 }, "no call is long")
        #expect(calls.allSatisfy { $0.hasSuffix(")") && !$0.contains("…") }, "\(message)")
    }

    @Test("a history that does not fail again is reported with the calls of its first failure")
    func unrepeatable() async throws {
        let isFirst = Atomic(true)
        let message = try await message(of: TravelStoreContract.generated(seeds: 1...30)) {
            // The first store only: those of the attempts to shrink its history are sound. Its flaw shows early.
            FlawedStore(isFirst.exchange(false, ordering: .relaxed) ? .versionsStay : nil)
        }
        #expect(
            message.contains("did not fail again, so the results vary between attempts. The calls were:"), "\(message)")
        #expect(!calls(in: message).isEmpty, "\(message)")
    }

    @Test("each attempt of shrinking uses a new store")
    func newStores() async throws {
        let history = try #require(TravelStoreContract.generated(seeds: [1]).first)
        // No store is reused: a second history in it would find the people of the first.
        try await history.run { FlawedStore(nil) }
    }

    @Test("the message of a failing check has at most 50 lines", arguments: FlawedStore.Flaw.allCases.prefix(12))
    func messagesAreShort(flaw: FlawedStore.Flaw) async throws {
        let written = TripEditingContract.checks + []
        let checks = written.filter { !$0.promise.contains("of seed") }
        for violation in try await checks.violations(of: { FlawedStore(flaw) }) {
            #expect(violation.description.split(separator: "\n").count <= 50)
            #expect(violation.description.count <= 20_000)
        }
    }
}
