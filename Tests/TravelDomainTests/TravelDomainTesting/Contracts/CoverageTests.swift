import Foundation
import Testing
import TestConcurrency
import TravelDataInMemory
import TravelDomainTesting
import XCTest

@Suite("Coverage of generated histories", .limitedConcurrency)
struct CoverageTests {
    private static let operations: [String: [String]] = [
        "an addition of a user": ["done", "nickname taken"],
        "a return of a user": ["done", "nickname taken"],
        "an addition of an existing user": ["conflict of user"],
        "an addition of trips": [
            "done", "conflict of trip", "conflict of entry", "conflict of image", "no such image",
        ],
        "a like": ["done", "no such trip", "no such user"],
        "a report": ["new", "repeated", "failed", "done", "forbidden trip", "no such trip", "no such user"],
        "a block": ["new", "repeated", "failed", "done", "forbidden user", "no such user"],
        "unblock": ["blocked", "not blocked"],
        "a renaming": ["done", "nickname taken", "forbidden user", "no such user"],
        "a picture": ["done", "forbidden user", "no such user", "conflict of image"],
        "the deletion of an account": ["done", "forbidden user", "no such user"],
        "an edit of content": [
            "done", "unchanged", "outdated", "forbidden trip", "no such trip", "no such image", "conflict of image",
            "invalid dates",
        ],
        "an entry saved": [
            "done", "outdated", "forbidden trip", "no such trip", "no such image", "conflict of image",
            "conflict of entry", "invalid day",
        ],
        "an entry deleted": ["done", "outdated", "forbidden trip", "no such trip", "no such entry"],
        "an entry moved": [
            "done", "unchanged", "outdated", "forbidden trip", "no such trip", "no such entry", "invalid time",
        ],
        "a trip shared": ["done", "unchanged", "outdated", "forbidden trip", "no such trip"],
        "a trip deleted": ["done", "outdated", "forbidden trip", "no such trip"],
    ]

    private static let reads: [String: [String]] = [
        "a trip": ["done", "no such trip"], "a timeline": ["done", "no such trip"],
        "a track": ["done", "no such trip"],
        "a linked trip": ["done", "no such trip"], "a linked timeline": ["done", "no such trip"],
        "a linked track": ["done", "no such trip"], "linked details": ["done", "no such trip"],
        "a linked image": ["done", "no such image"], "a link": ["opened"],
        "an image": ["done", "no such image"], "a user": ["done", "no such user"], "the blocked users": ["done"],
        "nickname": ["taken", "free"], "titles": ["none", "all", "more than asked for"],
        "search by newest": ["first page", "next page"], "search by mostLiked": ["first page", "next page"],
        "search by tripDate": ["first page", "next page"],
        "search by keyword": ["found by title", "found by entry"],
        "search": ["found", "reported", "blocked", "liked", "mine", "thumbnail"],
    ]

    private static let filters = TripCriteria.names.filter { $0 != "sort" }

    /// The number of histories: `TRAVEL_SEEDS`, by default 25.
    private static let count = ProcessInfo.processInfo.environment["TRAVEL_SEEDS"].flatMap(UInt64.init) ?? 25

    @Test("generated histories reach every possible outcome of every operation")
    func everything() async throws {
        let coverage = try await TravelStoreContract.coverage(seeds: 1...Self.count) { InMemoryTripRepository() }
        let outcomes = Self.operations.merging(Self.reads) { $1 }.flatMap { what, outcomes in
            outcomes.map { "\(what): \($0)" }
        }
        let searches = Self.filters.flatMap { ["search by \($0): something found", "search by \($0): nothing found"] }
        let additions = [
            "an addition under another nickname", "an addition of a removed trip",
            "a like of a hidden trip is taken back",
        ]
        let known = Set(outcomes + searches + additions)
        for outcome in known { #expect(coverage[outcome, default: 0] >= max(1, Self.count / 15), "\(outcome)") }
        #expect(Set(coverage.keys) == known, "an outcome is missing in the tables above")
    }
}

/// Runs a part of the contract in XCTest, as the documentation of `ContractCheck` shows.
final class XCTestUsageTests: XCTestCase {
    func testInMemoryTripsKeepTheContract() async throws {
        for check in TripRepositoryContract.checks where check.area == "viewer" {
            try await check.run { InMemoryTripRepository() }
        }
    }
}
