import Testing
import TravelDomain
@testable import TravelSamples

@Suite("Sample trips")
struct SampleTripsTests {
    private let trips = SampleTrips.all

    @Test("every region of Korea has at least 4 sample trips", arguments: Region.ofKorea)
    func everyRegion(region: Region) {
        #expect(trips.count { $0.trip.content.region == region } >= 4)
    }

    @Test("every value of every filter finds at least one sample trip", arguments: criteria)
    func everyFilterFindsOne(criteria: TripCriteria) {
        #expect(trips.contains { criteria.matches($0.trip.content) })
    }

    private static let criteria: [TripCriteria] =
        Theme.allCases.map { TripCriteria(themes: [$0]) }
        + Companion.allCases.map { TripCriteria(companions: [$0]) }
        + Season.allCases.map { TripCriteria(seasons: [$0]) }
        + Period.allCases.map { TripCriteria(period: $0) }
        + Headcount.allCases.map { TripCriteria(headcount: $0) }
        + Budget.allCases.map { TripCriteria(budget: $0) }
        + Transportation.allCases.map { TripCriteria(transportation: $0) }

    @Test("two sample trips last a month or more, and each year from 2022 to 2026 has some")
    func spread() {
        #expect(trips.count { $0.trip.content.days.period == .monthOrMore } >= 2)
        #expect(Set(trips.map { $0.trip.content.days.first.year }).isSuperset(of: 2022...2026))
    }

    @Test(
        "common keywords find titles of sample trips",
        arguments: [("바다", 5), ("%", 1), ("'", 1), ("jeju", 1), ("1박", 2), ("🌸", 1)])
    func titlesContain(text: String, count: Int) throws {
        let keyword = try #require(Keyword(text))
        #expect(trips.count { keyword.matches($0.trip.content.title) } >= count)
    }

    @Test("the titles of sample trips are distinct")
    func titlesAreDistinct() {
        #expect(Set(trips.map(\.trip.content.title)).count == trips.count)
    }

    @Test("the IDs of sample trips are distinct and never change")
    func identities() throws {
        let entries = trips.flatMap(\.trip.timeline)
        #expect(Set(trips.map(\.trip.id)).count == trips.count)
        #expect(Set(entries.map(\.id)).count == entries.count)
        #expect(Set(trips.map { $0.trip.id.description.prefix(8) }).count == trips.count)
        #expect(trips.allSatisfy { SampleTrips.contains($0.trip.id) })
        #expect(!SampleTrips.contains(Trip.ID()))
        let first = try #require(trips.first)
        #expect(first.trip.id.description == "15588770-5341-8002-804d-504c45006500")
        #expect(first.trip.timeline.first?.id.description == "583cbb64-5341-8003-804d-504c45006501")
    }

    @Test("each sample trip was recorded after its last day in Korea")
    func recordedAfterwards() {
        for sample in trips {
            let midnight = Double(sample.trip.content.days.last.daysSince1970 + 1) * 86_400 - 9 * 3_600
            #expect(sample.trip.createdAt.timeIntervalSince1970 > midnight, "\(sample.trip.content.title)")
        }
    }

    @Test("the headcounts of sample trips are consistent with their companions")
    func companionsFitTheHeadcount() {
        for sample in trips {
            let people = sample.trip.content.companions.subtracting([.pets])
            #expect((sample.trip.content.headcount == .one) == people.isEmpty, "\(sample.trip.content.title)")
        }
    }
}

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
        let trip = try #require(trips.first?.trip)
        #expect(trips.count == 1)
        #expect(trip.content.title == (try Title("하루")))
        #expect(trip.content.days.count == 2)
        #expect(trip.content.themes == [.food, .art])
        #expect(trip.content.companions.isEmpty)
        #expect(trip.content.headcount == .one)
        #expect(trip.content.budget == .under10)
        #expect(trip.content.transportation == nil)
        #expect(trip.createdAt.timeIntervalSince1970 == 1_714_692_600)  // 2024-05-02T23:30:00Z
        #expect(trip.timeline.map(\.place?.name) == ["비양도", "우도"])
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

@Suite("Timelines of the sample trips")
struct SampleTimelinesTests {
    private let trips = SampleTrips.all.map(\.trip)

    @Test("each sample timeline has 3 to 8 entries, the first one on the first day")
    func entryCounts() {
        for trip in trips {
            #expect((3...8).contains(trip.timeline.count), "\(trip.content.title)")
            #expect(trip.timeline.first?.day == 1, "\(trip.content.title)")
        }
    }

    @Test("each entry of a sample trip is at a known place of its region")
    func placesAreInTheRegion() throws {
        for trip in trips {
            for entry in trip.timeline {
                let place = try #require(entry.place)
                let known = try #require(Gazetteer.korea.place(named: place.name))
                #expect(known.place == place)
                #expect(known.region == trip.content.region, "\(trip.content.title): \(place.name)")
            }
        }
    }

    @Test("the times of a sample trip are distinct, and none is between midnight and 05:00")
    func times() {
        for trip in trips {
            let moments = trip.timeline.map { $0.day * 1_440 + $0.time.minutes }
            #expect(Set(moments).count == moments.count, "\(trip.content.title)")
            #expect(trip.timeline.allSatisfy { $0.time.hour >= 5 }, "\(trip.content.title)")
        }
    }

    @Test("the time between two entries of a sample trip is enough to travel between their places")
    func travelTimes() throws {
        for trip in trips {
            for (from, to) in zip(trip.timeline, trip.timeline.dropFirst()) {
                let meters = try #require(from.coordinate).distance(to: try #require(to.coordinate))
                let minutes = (to.day - from.day) * 1_440 + to.time.minutes - from.time.minutes
                #expect(
                    meters / 1_000 <= Double(minutes) / 60 * 60,
                    "\(trip.content.title): \(Int(meters)) m from \(from.title) to \(to.title)")
            }
        }
    }

    @Test("the texts of sample entries are distinct")
    func textsAreDistinct() {
        let entries = trips.flatMap(\.timeline)
        #expect(Set(entries.map(\.text)).count == entries.count)
    }
}

@Suite("Travellers of the sample trips")
struct SampleTravelersTests {
    private let trips = SampleTrips.all
    private let travelers = SampleTrips.travelers

    @Test("there are 14 sample travellers, with distinct nicknames and IDs")
    func travelersAreDistinct() {
        #expect(travelers.count == 14)
        #expect(Set(travelers.map(\.id)).count == 14)
        #expect(Set(travelers.map(\.nickname)).count == 14)
    }

    @Test("the sample travellers are exactly the authors of the sample trips")
    func authors() {
        #expect(Set(trips.map(\.trip.author)) == Set(travelers))
    }

    @Test("only sample travellers like sample trips, each trip at most once, and never their own")
    func likes() {
        let known = Set(travelers.map(\.id))
        for sample in trips {
            #expect(known.isSuperset(of: sample.likedBy), "\(sample.trip.content.title)")
            #expect(Set(sample.likedBy).count == sample.likedBy.count, "\(sample.trip.content.title)")
            #expect(!sample.likedBy.contains(sample.trip.author.id), "\(sample.trip.content.title)")
        }
    }

    @Test("the likes of sample trips range from none to all other travellers")
    func likeCountsVary() {
        let counts = Set(trips.map(\.likedBy.count))
        #expect(counts.isSuperset(of: 0...6))
        #expect(counts.max() == 13)
    }
}
