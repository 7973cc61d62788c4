import Foundation
import TestConcurrency
import Testing
import TravelDataInMemory

@testable import TravelSamples

@Suite("Generated trips", .limitedConcurrency)
struct GeneratedTripsTests {
    @Test("a seed gives the same trips on every machine and in every version")
    func seedsAreStable() throws {
        var trips = try GeneratedTrips(seed: 7, forCount: 1_000)
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for _ in 0..<1_000 {
            let next = try trips.next()
            let text = "\(next.trip.id) \(next.trip.content.title) \(next.author) \(next.likedBy)"
            // FNV-1a.
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        #expect(hash == 18_208_586_112_222_396_877)
    }

    @Test("the nicknames of a seed's users are unique, however many there are")
    func nicknamesOfOneSeed() throws {
        let users = try GeneratedTrips(seed: 7, forCount: 3_000_000).users
        #expect(users.count == 60_010)
        #expect(Set(users.map(\.nickname.folded)).count == users.count)
    }

    @Test("the longest name of a seed fits with the greatest number")
    func longestNicknames() throws {
        let nicknames = try GeneratedWords.names.map { try Nickname("\($0)\(GeneratedTrips.mostUsers)") }
        #expect(nicknames.map(\.text.count).max() == Nickname.length.upperBound)
    }

    @Test(
        "a seed has at most as many users as numbers",
        .enabled(if: ProcessInfo.processInfo.environment["TRAVEL_SEEDS"] != nil))
    func mostUsers() throws {
        #expect(try GeneratedTrips(seed: 7, forCount: 60_000_000).users.count == GeneratedTrips.mostUsers)
    }

    @Test("all values of a trip stay the same for a seed, not only its title")
    func contentsAreStable() throws {
        var source = try GeneratedTrips(seed: 7, forCount: 1_000)
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for generated in try source.next(1_000) {
            let (trip, content) = (generated.trip, generated.trip.content)
            var text =
                "\(trip.id) \(trip.author.nickname) \(trip.createdAt.timeIntervalSince1970) \(content.region)"
            text += " \(content.days.first.daysSince1970) \(content.days.count)"
            text += " \(content.themes.map(\.rawValue).sorted()) \(content.companions.map(\.rawValue).sorted())"
            text += " \(content.headcount?.rawValue ?? 0) \(content.budget?.rawValue ?? "")"
            text += " \(content.transportation?.rawValue ?? "")"
            for entry in trip.timeline {
                text += " \(entry.id) \(entry.day) \(entry.time.minutes) \(entry.title.text) \(entry.text.text)"
                if let place = entry.place, let coordinate = place.coordinate {
                    text += " \(place.name) \(coordinate.latitude) \(coordinate.longitude)"
                }
            }
            // FNV-1a.
            for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        #expect(hash == 5_071_242_095_089_166_481)
    }

    @Test("the size of the batches does not change the trips")
    func batches() throws {
        var (one, batches) = (try GeneratedTrips(seed: 7, forCount: 60), try GeneratedTrips(seed: 7, forCount: 60))
        let expected = try (0..<60).map { _ in try one.next() }
        let found = try [1, 0, 17, 42].flatMap { try batches.next($0) }
        #expect(found.map(\.trip) == expected.map(\.trip))
        #expect(found.map(\.likedBy) == expected.map(\.likedBy))
        #expect(found.map(\.author) == expected.map(\.author))
    }

    @Test("any store takes them in batches, and its counts are those of the source")
    func anyStore() async throws {
        let trips = InMemoryTripRepository()
        var source = try GeneratedTrips(seed: 7, forCount: 60)
        for user in source.users { try await trips.add(user) }
        for _ in 0..<3 {
            let batch = try source.next(20)
            try await trips.add(batch.map(\.trip))
            for generated in batch {
                for index in generated.likedBy {
                    try await trips.setLiked(true, trip: generated.trip.id, by: source.users[index].id)
                }
                let stored = try await trips.trip(generated.trip.id, viewer: nil)
                #expect(stored.likeCount == generated.likedBy.count)
                #expect(stored.author == source.users[generated.author])
            }
        }
    }

    @Test("other nicknames of a user are valid, of their pattern, and those of nobody else")
    func otherNicknames() throws {
        let source = try GeneratedTrips(seed: 7, forCount: 50)
        let taken = Set(source.users.dropFirst(3).map(\.nickname.folded)).union(
            source.users.prefix(2).map(\.nickname.folded))
        let others = Array(source.nicknames(forUserAt: 2).prefix(40))
        #expect(others.count == 40)
        #expect(others.prefix(12).map(\.text) == GeneratedWords.names.map { "\($0)3" })
        #expect(others[12].text == GeneratedWords.names[0] + "14")
        #expect(taken.isDisjoint(with: others.map(\.folded)))
    }
}
