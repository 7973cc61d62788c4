import Testing
import TravelSamples
import TravelDomain

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
        #expect(Set(trips.map(\.travel.author)) == Set(travelers))
    }

    @Test("only sample travellers like sample trips, each trip at most once, and never their own")
    func likes() {
        let known = Set(travelers.map(\.id))
        for trip in trips {
            #expect(known.isSuperset(of: trip.likedBy), "\(trip.travel.content.title)")
            #expect(Set(trip.likedBy).count == trip.likedBy.count, "\(trip.travel.content.title)")
            #expect(!trip.likedBy.contains(trip.travel.author.id), "\(trip.travel.content.title)")
        }
    }

    @Test("the likes of sample trips range from none to all other travellers")
    func likeCountsVary() {
        let counts = Set(trips.map(\.likedBy.count))
        #expect(counts.isSuperset(of: 0...6))
        #expect(counts.max() == 13)
    }
}
