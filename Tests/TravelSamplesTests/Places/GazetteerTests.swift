import Testing
import TravelSamples
import TravelDomain

@Suite("Gazetteer")
struct GazetteerTests {
    private let places: any PlaceRepository = Gazetteer.korea

    @Test(
        "a search finds places by any part of either name, those that begin with it first",
        arguments: [
            ("해운대", ["해운대해수욕장"]),
            ("haeundae", ["해운대해수욕장"]),
            ("HAEUNDAE BEACH", ["해운대해수욕장"]),
            ("해운대 해수욕장", ["해운대해수욕장", "송정해수욕장"]),
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

    @Test("prefix matches of either name come before other matches, ordered by the Korean name")
    func prefixesComeFirst() async throws {
        let found = try await places.search("경주", limit: 10).map(\.place.name)
        #expect(found.first == "경주역")
        #expect(found.contains("국립경주박물관"))
        let palaces = try await places.search("palace", limit: 100)
        #expect(palaces.count >= 5)
        #expect(palaces.map(\.place.name) == palaces.map(\.place.name).sorted())
    }

    @Test(
        "common search texts find the intended place first",
        arguments: [
            ("남산타워", "N서울타워"), ("Namsan Tower", "N서울타워"), ("n seoul tower", "N서울타워"), ("seoul tower", "N서울타워"),
            ("tower namsan", "N서울타워"), ("ddp", "동대문디자인플라자"), ("안압지", "동궁과 월지"), ("anapji", "동궁과 월지"),
            ("제주공항", "제주국제공항"), ("incheon airport", "인천국제공항 제1터미널"), ("ICN", "인천국제공항 제1터미널"),
            ("해운대해변", "해운대해수욕장"), ("경포 해수욕장", "경포해변"), ("강릉 경포대", "경포대"), ("부산 자갈치", "자갈치시장"),
            ("경주 첨성대", "첨성대"), ("busan jagalchi", "자갈치시장"), ("하회마을", "안동 하회마을"), ("신경주역", "경주역"),
            ("gye pal", "경복궁"), ("songwol dong", "송월동 동화마을"), ("5.18", "국립5·18민주묘지"), ("518민주묘지", "국립5·18민주묘지"),
            ("롯데월드 부산", "롯데월드 어드벤처 부산"), ("서울역", "서울역"), ("우도", "우도"), ("한라산", "한라산 백록담"),
            ("부산", "부산시민공원"), ("Gyŏngbokgung", "경복궁"), ("naksansa", "낙산사"), ("KTX", ""),
        ])
    func findsWhatIsMeant(text: String, expected: String) async throws {
        #expect(try await places.search(text, limit: 10).first?.place.name ?? "" == expected)
    }

    @Test(
        "older and informal romanisations find a place if nothing else matches",
        arguments: [
            ("Pusan Station", "부산역"), ("Cheju", "제주국제공항"), ("Kyŏngbokkung", "경복궁"), ("Kyungbokgung", "경복궁"),
            ("Pulguksa", "불국사"), ("Kyungju station", "경주역"), ("Taegu Station", "대구역"), ("Ch'angdŏkkung", "창덕궁"),
            ("Sokkuram", "석굴암"), ("haeinsah", ""), ("Soowon station", "수원역"), ("Inchon station", "인천역"),
        ])
    func findsOldSpellings(text: String, expected: String) async throws {
        let found = try await places.search(text, limit: 50).map(\.place.name)
        #expect(expected.isEmpty ? found.isEmpty : found.contains(expected), "\(found)")
    }

    @Test("an older spelling is ignored if a current spelling matches")
    func todaysSpellingsComeAlone() async throws {
        let towers = try await places.search("tower", limit: 50)
        #expect(towers.allSatisfy { ([$0.englishName] + $0.otherNames).contains { $0.contains("Tower") } })
        #expect(towers.count >= 3)
    }

    @Test("a search returns at most as many places as the limit, and none for 0 or less", arguments: [-1, 0, 1, 3])
    func respectsTheLimit(limit: Int) async throws {
        #expect(try await places.search("역", limit: limit).count == max(limit, 0))
    }

    @Test("an empty text finds nothing", arguments: ["", "  ", "\n"])
    func emptyText(text: String) async throws {
        #expect(try await places.search(text, limit: 10).isEmpty)
    }

    @Test("a lookup by name requires the exact Korean name")
    func placeNamed() throws {
        let palace = try #require(Gazetteer.korea.place(named: "경복궁"))
        #expect(palace.englishName == "Gyeongbokgung Palace")
        #expect(palace.region == .seoul)
        #expect(palace.place.address == "서울 종로구 사직로 161")
        #expect(Gazetteer.korea.place(named: "경복") == nil)
        #expect(Gazetteer.korea.place(named: "Gyeongbokgung Palace") == nil)
    }

    @Test("the nearest place is found within the distance, and none beyond it")
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

    @Test("the maximum distance is inclusive, and the first of two equally near places is found")
    func nearestAtTheLimit() async throws {
        let here = try Coordinate(latitude: 37, longitude: 127)
        let there = try Coordinate(latitude: 37, longitude: 127.01)
        let twins = try ["하나", "둘"].map { name in
            try KnownPlace(
                place: Place(name: name, address: "", coordinate: there), englishName: name, region: .gyeonggi)
        }
        let gazetteer = Gazetteer(twins)
        #expect(try await gazetteer.nearest(to: here, within: here.distance(to: there)) == twins[0])
    }
}
