import Testing
import TravelDataInMemory
import TravelDomain

@Suite("Gazetteer")
struct GazetteerTests {
    private let places: any PlaceRepository = Gazetteer.korea

    @Test(
        "finds places by part of either name, those that begin with it first",
        arguments: [
            ("해운대", ["해운대해수욕장"]),
            ("haeundae", ["해운대해수욕장"]),
            ("HAEUNDAE BEACH", ["해운대해수욕장"]),
            ("해운대 해수욕장", ["해운대해수욕장"]),
            ("\u{1112}\u{1162}\u{110B}\u{116E}\u{11AB}\u{1103}\u{1162}", ["해운대해수욕장"]),
            ("수원", ["수원 팔달문", "수원역", "수원화성 장안문"]),
            ("경포", ["경포대", "경포해변"]),
            ("궁남", ["궁남지"]),
            ("everland", ["에버랜드"]),
            ("63", ["63빌딩"]),
            ("빵", []),
            ("%", []),
            ("_", []),
        ])
    func searches(text: String, expected: [String]) async throws {
        #expect(try await places.search(text, limit: 10).map(\.place.name) == expected)
    }

    @Test("a prefix of either name goes before a match inside of one, in the order of the Korean names")
    func prefixesComeFirst() async throws {
        let found = try await places.search("경주", limit: 10).map(\.place.name)
        #expect(found == ["경주역", "국립경주박물관"])
        let palaces = try await places.search("palace", limit: 100)
        #expect(palaces.count >= 5)
        #expect(palaces.map(\.place.name) == palaces.map(\.place.name).sorted())
    }

    @Test("answers with as many places as asked for, and with none for a limit of 0 or less", arguments: [-1, 0, 1, 3])
    func respectsTheLimit(limit: Int) async throws {
        #expect(try await places.search("역", limit: limit).count == max(limit, 0))
    }

    @Test("nothing is found for nothing", arguments: ["", "  ", "\n"])
    func emptyText(text: String) async throws {
        #expect(try await places.search(text, limit: 10).isEmpty)
    }

    @Test("knows a place by its exact Korean name alone")
    func placeNamed() throws {
        let palace = try #require(Gazetteer.korea.place(named: "경복궁"))
        #expect(palace.englishName == "Gyeongbokgung Palace")
        #expect(palace.region == .seoul)
        #expect(palace.place.address == "서울 종로구 사직로 161")
        #expect(Gazetteer.korea.place(named: "경복") == nil)
        #expect(Gazetteer.korea.place(named: "Gyeongbokgung Palace") == nil)
    }

    @Test("finds the nearest place within the distance, and none beyond it")
    func nearest() async throws {
        let gate = try Coordinate(latitude: 37.5760, longitude: 126.9769)
        #expect(try await places.nearest(to: gate, within: 1_000)?.place.name == "광화문광장")
        #expect(try await places.nearest(to: gate, within: 100) == nil)
        let atSea = try Coordinate(latitude: 36, longitude: 125)
        #expect(try await places.nearest(to: atSea, within: 20_000) == nil)
        #expect(try await places.nearest(to: atSea, within: .infinity) != nil)
        #expect(try await places.nearest(to: gate, within: .nan) == nil)
        #expect(try await places.nearest(to: gate, within: -1) == nil)
    }

    @Test("the distance itself is near enough, and of two equally near places the first is found")
    func nearestAtTheLimit() async throws {
        let here = try Coordinate(latitude: 37, longitude: 127)
        let there = try Coordinate(latitude: 37, longitude: 127.01)
        let twins = try ["하나", "둘"].map { name in
            KnownPlace(
                place: try Place(name: name, address: "", coordinate: there), englishName: name, region: .gyeonggi)
        }
        let gazetteer = Gazetteer(twins)
        #expect(try await gazetteer.nearest(to: here, within: here.distance(to: there)) == twins[0])
    }
}
