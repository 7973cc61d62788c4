#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

import Testing
import TravelSamples
import TravelDomain

@Suite("Sample trips")
struct SampleTripsTests {
    private let trips = SampleTrips.all

    @Test("every region of Korea has at least 4 sample trips", arguments: Region.ofKorea)
    func everyRegion(region: Region) {
        #expect(trips.count { $0.travel.content.region == region } >= 4)
    }

    @Test("every value of every filter finds at least one sample trip", arguments: criteria)
    func everyFilterFindsOne(criteria: TravelCriteria) {
        #expect(trips.contains { criteria.matches($0.travel.content) })
    }

    private static let criteria: [TravelCriteria] =
        Theme.allCases.map { TravelCriteria(themes: [$0]) }
        + Companion.allCases.map { TravelCriteria(companions: [$0]) }
        + Season.allCases.map { TravelCriteria(seasons: [$0]) }
        + Period.allCases.map { TravelCriteria(period: $0) }
        + Headcount.allCases.map { TravelCriteria(headcount: $0) }
        + Budget.allCases.map { TravelCriteria(budget: $0) }
        + Transportation.allCases.map { TravelCriteria(transportation: $0) }

    @Test("two sample trips last a month or more, and each year from 2022 to 2026 has some")
    func spread() {
        #expect(trips.count { $0.travel.content.days.period == .monthOrMore } >= 2)
        #expect(Set(trips.map { $0.travel.content.days.first.year }).isSuperset(of: 2022...2026))
    }

    @Test(
        "common keywords find titles of sample trips",
        arguments: [("바다", 5), ("%", 1), ("'", 1), ("jeju", 1), ("1박", 2), ("🌸", 1)])
    func titlesContain(text: String, count: Int) throws {
        let keyword = try #require(Keyword(text))
        #expect(trips.count { keyword.matches($0.travel.content.title) } >= count)
    }

    @Test("the titles of sample trips are distinct")
    func titlesAreDistinct() {
        #expect(Set(trips.map(\.travel.content.title)).count == trips.count)
    }

    @Test("the IDs of sample trips are distinct and never change")
    func identities() throws {
        let entries = trips.flatMap(\.travel.timeline)
        #expect(Set(trips.map(\.travel.id)).count == trips.count)
        #expect(Set(entries.map(\.id)).count == entries.count)
        #expect(Set(trips.map { $0.travel.id.description.prefix(8) }).count == trips.count)
        #expect(trips.allSatisfy { SampleTrips.contains($0.travel.id) })
        #expect(!SampleTrips.contains(Travel.ID()))
        let first = try #require(trips.first)
        #expect(first.travel.id.description == "15588770-5341-8002-804d-504c45006500")
        #expect(first.travel.timeline.first?.id.description == "583cbb64-5341-8003-804d-504c45006501")
    }

    @Test("each sample trip was recorded after its last day in Korea")
    func recordedAfterwards() {
        for trip in trips {
            let midnight = Double(trip.travel.content.days.last.daysSince1970 + 1) * 86_400 - 9 * 3_600
            #expect(trip.travel.createdAt.timeIntervalSince1970 > midnight, "\(trip.travel.content.title)")
        }
    }

    @Test("the headcounts of sample trips are consistent with their companions")
    func companionsFitTheHeadcount() {
        for trip in trips {
            let people = trip.travel.content.companions.subtracting([.pets])
            #expect((trip.travel.content.headcount == .one) == people.isEmpty, "\(trip.travel.content.title)")
        }
    }
}
