import Foundation
import StreamsTesting
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Showing a trip", .inVirtualTime)
struct ShowTripTests {
    let trips = InMemoryTripRepository()
    let session = InMemorySession(signedIn: User.ID(seed: 2))
    let id = Trip.ID(seed: 1)
    let author = User.ID(seed: 1)

    init() async throws {
        try await trips.add((1...2).map { try TripBuilder(seed: $0).build() })
    }

    @Test("a trip is emitted with its timeline, as the signed-in user sees it, after each change")
    func watching() async throws {
        try await watch(ShowTrip(trips: trips, session: session)(id)) { inbox in
            let first = try await inbox.next()
            #expect(first.trip == (try await trips.trip(id, viewer: User.ID(seed: 2))))
            #expect(first.timeline == [])
            try await trips.setLiked(true, trip: id, by: User.ID(seed: 2))
            #expect(try await inbox.next().trip.isLiked)
            let entry = try TimelineEntry(seed: 1)
            try await trips.update(id, by: author) { trip throws(TravelError) in try trip.saving(entry) }
            let third = try await inbox.next()
            #expect(third.timeline == [entry])
            #expect(third.trip.version == .first.next)
            try await trips.rename(author, to: Nickname("Sora"), by: author)
            #expect(try await inbox.next().trip.author.nickname.text == "Sora")
        }
    }

    @Test("a removed trip ends the observation with notFound")
    func removals() async throws {
        var values = ShowTrip(trips: trips, session: session)(id).makeAsyncIterator()
        _ = try await values.next(isolation: nil)
        try await trips.update(id, by: author) { _ in nil }
        await #expect(throws: TravelError.notFound(.trip(id))) { try await values.next(isolation: nil) }
        #expect(try await values.next(isolation: nil) == nil)
    }

    @Test("a trip is shown to everyone when nobody is signed in, unless it is hidden")
    func visitors() async throws {
        var values = ShowTrip(trips: trips, session: .signedOut)(id).makeAsyncIterator()
        #expect(try await values.next(isolation: nil)?.trip.isLiked == false)
        for user in UInt64(10)...15 {
            try await trips.add(User(seed: user))
            try await trips.report(id, by: User.ID(seed: user))
        }
        await #expect(throws: TravelError.notFound(.trip(id))) { try await values.next(isolation: nil) }
    }

    @Test("the trip and the timeline of each value belong to one version, while someone edits", arguments: 1...8)
    func consistency(seed: UInt64) throws {
        let scheduler = TestScheduler(resolution: 0.001, seed: seed)
        let store = InMemoryTripRepository()
        let shown = try scheduler.run {
            try await store.add([TripBuilder(seed: 1).build()])
            return try await withThrowingTaskGroup(of: [TripDetails].self) { group in
                group.addTask {
                    var shown: [TripDetails] = []
                    for try await details in ShowTrip(trips: store, session: .signedOut)(id) {
                        shown.append(details)
                        if details.timeline.count == 20 { break }
                    }
                    return shown
                }
                group.addTask {
                    for seed in UInt64(1)...20 {
                        let entry = try TimelineEntry(seed: seed)
                        try await store.update(id, by: author) { trip throws(TravelError) in
                            try trip.saving(entry)
                        }
                    }
                    return []
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
        }
        #expect(shown.last?.timeline.count == 20)
        for details in shown { #expect(details.trip.version.number == details.timeline.count + 1) }
        scheduler.expectIdle()
    }
}
