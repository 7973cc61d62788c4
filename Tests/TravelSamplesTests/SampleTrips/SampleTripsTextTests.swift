#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

import Testing
import TravelDomain

@testable import TravelSamples

@Suite("The text of sample trips")
struct SampleTripsTextTests {
    private static let header =
        "# 7 | 하루 | 2024-05-01 ~ 2024-05-02 | food art | - | 1 | under10 | - | a | 2024-05-03 08:30 | bc"
    private static let entry = "2 10:00 | 우도 | 배로 | 좋다."

    private func trips(_ lines: String...) throws -> [SampleTrip] {
        try SampleTrips.trips(in: .jeju, from: lines.joined(separator: "\n"), places: .korea)
    }

    @Test("a header and its entries in the text become a sample trip")
    func parses() throws {
        let trips = try trips(Self.header, "1 09:00 | 비양도 | 산책 | 바람이 분다.", Self.entry)
        let travel = try #require(trips.first?.travel)
        #expect(trips.count == 1)
        #expect(travel.content.title == (try Title("하루")))
        #expect(travel.content.days.count == 2)
        #expect(travel.content.themes == [.food, .art])
        #expect(travel.content.companions.isEmpty)
        #expect(travel.content.headcount == .one)
        #expect(travel.content.budget == .under10)
        #expect(travel.content.transportation == nil)
        #expect(travel.createdAt.timeIntervalSince1970 == 1_714_692_600)  // 2024-05-02T23:30:00Z
        #expect(travel.timeline.map(\.place?.name) == ["비양도", "우도"])
        #expect(trips.first?.likedBy == [SampleTrips.travelers[1].id, SampleTrips.travelers[2].id])
    }

    @Test(
        "a malformed header of a sample trip is rejected",
        arguments: [
            ("# 7", "7"), ("# 7", "# x"), ("하루", ""), ("하루", String(repeating: "길고 ", count: 30) + "긴 제목"),
            ("05-02", "04-30"),
            ("05-02", "02-30"), ("food", "foods"), ("| 1 |", "| 6 |"), ("under10", "1만원"), ("| a |", "| z |"),
            ("08:30", "25:00"), ("bc", "bz"), ("- | a", "a"),
        ])
    func refusesHeaders(part: String, replacement: String) throws {
        let header = Self.header.replacing(part, with: replacement, maxReplacements: 1)
        let error = #expect(throws: MalformedLine.self) { try trips("", header, Self.entry) }
        #expect(error?.number == 2)
    }

    @Test(
        "a malformed entry of a sample trip is rejected",
        arguments: [
            ("2 10:00", "10:00"), ("10:00", "10:60"), ("2 10", "0 10"), ("우도", "없는 섬"), ("우도", ""),
            ("배로", String(repeating: "길고 ", count: 30) + "긴 제목"), (" | 좋다.", ""),
        ])
    func refusesEntries(part: String, replacement: String) throws {
        let entry = Self.entry.replacing(part, with: replacement)
        let error = #expect(throws: MalformedLine.self) { try trips(Self.header, entry) }
        #expect(error?.number == 2)
        #expect(error?.text == entry)
    }

    @Test("an entry on a day that its sample trip does not have is reported for the header")
    func refusesDaysBeyondTheTrip() {
        let error = #expect(throws: MalformedLine.self) { try trips(Self.header, "3 10:00 | 우도 | 배로 | 좋다.") }
        #expect(error?.number == 1)
    }
}
