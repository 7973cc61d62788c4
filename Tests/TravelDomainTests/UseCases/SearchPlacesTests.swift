import Testing
import TravelSamples
import TravelDomain

@Suite("Searching places", .inVirtualTime)
struct SearchPlacesTests {
    let search = SearchPlaces(places: Gazetteer.korea)

    @Test(
        "a place is found by part of its Korean or English name",
        arguments: [
            ("경복", "경복궁"), ("gyeongbok", "경복궁"), (" 해운대 ", "해운대해수욕장"), ("HAEUNDAE", "해운대해수욕장"), ("성산일출", "성산일출봉"),
        ])
    func names(text: String, name: String) async throws {
        #expect(try await search(text).first?.place.name == name)
    }

    @Test("at most 20 places are found, those whose name begins with the text first")
    func limit() async throws {
        let found = try await search("역")
        #expect(found.count == 20)
        let parks = try await search("park")
        #expect(parks.count == 20)
        let palaces = try await search("서울").map(\.place.name)
        #expect(palaces == palaces.filter { $0.hasPrefix("서울") } + palaces.filter { !$0.hasPrefix("서울") })
    }

    @Test("white space finds nothing, without a request to the repository", arguments: ["", " ", "\n\t"])
    func nothing(text: String) async throws {
        #expect(try await SearchPlaces(places: NoPlaces())(text) == [])
    }

    @Test("the nearest known place is proposed for a position, at most a kilometre away")
    func near() async throws {
        let gate = try Coordinate(latitude: 37.573, longitude: 126.9769)
        #expect(try await search(near: gate)?.place.name == "광화문광장")
        #expect(try await search(near: Coordinate(latitude: 48.8584, longitude: 2.2945)) == nil)
        await #expect(throws: NoPlaces.outage) { try await SearchPlaces(places: NoPlaces())(near: gate) }
    }

    @Test("an outage is rethrown")
    func outages() async throws {
        await #expect(throws: NoPlaces.outage) { try await SearchPlaces(places: NoPlaces())("경복") }
    }
}

/// A directory that is unavailable.
private struct NoPlaces: PlaceRepository {
    static let outage = TravelError.unavailable(.init("The directory is down.", canRetry: true))

    func search(_ text: String, limit: Int) async throws -> [KnownPlace] { throw Self.outage }
    func nearest(to coordinate: Coordinate, within meters: Double) async throws -> KnownPlace? { throw Self.outage }
}
