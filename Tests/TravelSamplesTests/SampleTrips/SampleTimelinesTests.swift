import Testing
import TravelSamples
import TravelDomain

@Suite("Timelines of the sample trips")
struct SampleTimelinesTests {
    private let travels = SampleTrips.all.map(\.travel)

    @Test("each sample timeline has 3 to 8 entries, the first one on the first day")
    func entryCounts() {
        for travel in travels {
            #expect((3...8).contains(travel.timeline.count), "\(travel.content.title)")
            #expect(travel.timeline.first?.day == 1, "\(travel.content.title)")
        }
    }

    @Test("each entry of a sample trip is at a known place of its region")
    func placesAreInTheRegion() throws {
        for travel in travels {
            for entry in travel.timeline {
                let place = try #require(entry.place)
                let known = try #require(Gazetteer.korea.place(named: place.name))
                #expect(known.place == place)
                #expect(known.region == travel.content.region, "\(travel.content.title): \(place.name)")
            }
        }
    }

    @Test("the times of a sample trip are distinct, and none is between midnight and 05:00")
    func times() {
        for travel in travels {
            let moments = travel.timeline.map { $0.day * 1_440 + $0.time.minutes }
            #expect(Set(moments).count == moments.count, "\(travel.content.title)")
            #expect(travel.timeline.allSatisfy { $0.time.hour >= 5 }, "\(travel.content.title)")
        }
    }

    @Test("the time between two entries of a sample trip is enough to travel between their places")
    func travelTimes() throws {
        for travel in travels {
            for (from, to) in zip(travel.timeline, travel.timeline.dropFirst()) {
                let meters = try #require(from.coordinate).distance(to: try #require(to.coordinate))
                let minutes = (to.day - from.day) * 1_440 + to.time.minutes - from.time.minutes
                #expect(
                    meters / 1_000 <= Double(minutes) / 60 * 60,
                    "\(travel.content.title): \(Int(meters)) m from \(from.title) to \(to.title)")
            }
        }
    }

    @Test("the texts of sample entries are distinct")
    func textsAreDistinct() {
        let entries = travels.flatMap(\.timeline)
        #expect(Set(entries.map(\.text)).count == entries.count)
    }
}
