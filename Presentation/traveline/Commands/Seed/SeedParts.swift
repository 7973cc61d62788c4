import Synchronization
import TravelSamples
import TravelDomain

/// The sample trips or made-up trips as parts to be written into any store, one after the other.
final class SeedParts: Sendable {
    private struct State {
        var people: ArraySlice<User>
        var samples: ArraySlice<SampleTrip> = []
        var travels: GeneratedTravels?
        var remaining = 0
        var travelCount = 0
    }

    private let state: Mutex<State>
    private let people: [User]

    /// The parts of `count` made-up trips; those of the sample trips without a count.
    init(count: Int?, seed: UInt64) throws(TravelError) {
        if let count {
            let travels = try GeneratedTravels(seed: seed, forCount: count)
            people = travels.people
            state = Mutex(State(people: travels.people[...], travels: travels, remaining: count))
        } else {
            people = SampleTrips.travelers
            state = Mutex(State(people: SampleTrips.travelers[...], samples: SampleTrips.all[...]))
        }
    }

    /// The next part, `nil` after the last; and the number of travels up to it.
    func next() throws(TravelError) -> (part: StoredPart?, travels: Int) {
        try state.withLock { state throws(TravelError) in
            if let person = state.people.popFirst() { return (.person(person, avatar: nil), 0) }
            if let sample = state.samples.popFirst() {
                state.travelCount += 1
                return (.travel(StoredTravel(sample.travel, likedBy: sample.likedBy)), state.travelCount)
            }
            guard state.remaining > 0, let travel = try state.travels?.next() else { return (nil, state.travelCount) }
            state.remaining -= 1
            state.travelCount += 1
            let likedBy = travel.likers.map { people[$0].id }
            return (.travel(StoredTravel(travel.travel, likedBy: likedBy)), state.travelCount)
        }
    }
}
