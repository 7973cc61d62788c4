import Testing
import TestConcurrency
import TravelDomain
import TravelDomainTesting
@testable import TravelSamples

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

@Suite("The text of a gazetteer")
struct GazetteerTextTests {
    @Test("each line of a gazetteer becomes a place, and blank lines are skipped")
    func parses() throws {
        let places = try Gazetteer.places(
            in: .jeju,
            from: """

                우도 | Udo Island | 제주 제주시 우도면 | 33.5040 | 126.9530
                    마라도|Marado Island|제주 서귀포시 대정읍|33.118|126.2677
                """)
        #expect(places.map(\.place.name) == ["우도", "마라도"])
        #expect(places.map(\.englishName) == ["Udo Island", "Marado Island"])
        #expect(places.allSatisfy { $0.region == .jeju })
        #expect(places[1].coordinate == (try Coordinate(latitude: 33.118, longitude: 126.2677)))
    }

    @Test("the sixth field of a gazetteer contains other names, separated by commas")
    func parsesOtherNames() throws {
        let places = try Gazetteer.places(
            in: .seoul,
            from: """
                N서울타워 | N Seoul Tower | 서울 용산구 남산공원길 105 | 37.5512 | 126.9882 | 남산타워 , Namsan Tower
                종묘 | Jongmyo Shrine | 서울 종로구 종로 157 | 37.5744 | 126.9941
                """)
        #expect(places.map(\.otherNames) == [["남산타워", "Namsan Tower"], []])
    }

    @Test(
        "a malformed line of a gazetteer is rejected, and the error names it",
        arguments: [
            "우도 | Udo Island | 제주 제주시 우도면 | 33.5040",
            "우도 | Udo Island | 제주 제주시 | 우도면 | 33.5040 | 126.9530",
            "우도 | | 제주 제주시 우도면 | 33.5040 | 126.9530",
            "우도 | Udo Island | 제주 제주시 우도면 | 33,5040 | 126.9530",
            "우도 | Udo Island | 제주 제주시 우도면 | 133.5040 | 126.9530",
            "우도 | Udo Island | 제주 제주시 우도면 | 33.5040 | 126.9530 |",
            "우도 | Udo Island | 제주 제주시 우도면 | 33.5040 | 126.9530 | 소섬,",
            "우도 | Udo Island | 제주 제주시 우도면 | 33.5040 | 126.9530 | 소섬 | Soseom",
        ])
    func refuses(line: String) {
        let error = #expect(throws: MalformedLine.self) {
            try Gazetteer.places(in: .jeju, from: "마라도 | Marado | 제주 서귀포시 | 33.1 | 126.2\n" + line)
        }
        #expect(error?.number == 2)
        #expect(error?.text == line)
        #expect(error?.description.hasPrefix("line 2 (") == true)
    }
}

@Suite("The gazetteer fulfils the contract of places", .limitedConcurrency)
struct ContractTests {
    @Test(arguments: PlaceRepositoryContract.checks)
    func fulfilsPlaceRepositoryContract(check: ContractCheck<PlaceRepositoryContract.Subject>) async throws {
        try await check.run { { places in Gazetteer(places) } }
    }
}

/// The coordinates of well-known places in public sources, for comparison with the gazetteer.
struct PublicCoordinate: Sendable {
    let name: String
    let source: String
    let coordinate: Coordinate

    /// One per line: the name, the source, the latitude and the longitude in degrees. The sources are
    ///
    /// - `register`: the national standard data of tourist sites (전국관광지정보표준데이터, Ministry of the Interior and Safety),
    /// - `tourism`: the sites of the Korea Tourism Organization,
    /// - `geocoded`: the addresses of the Korea Tourism Organization, geocoded on a map,
    /// - `temples`: the addresses of the Templestay programme, geocoded on a map,
    /// - `beaches`: the bathing beaches of the Korea Meteorological Administration,
    /// - `railway`: the stations of the Korea Railroad Corporation.
    static func all() throws -> [PublicCoordinate] {
        try TextLine.lines(of: text).map { line in
            let fields = try line.fields(4)
            return PublicCoordinate(
                name: fields[0], source: fields[1],
                coordinate: try Coordinate(latitude: Double(fields[2]) ?? .nan, longitude: Double(fields[3]) ?? .nan))
        }
    }

    private static let text = """
        N서울타워 | register | 37.55112 | 126.98787
        봉은사 | temples | 37.51485 | 127.05738
        조계사 | temples | 37.57384 | 126.98220
        경복궁 | geocoded | 37.58124 | 126.97700
        63빌딩 | tourism | 37.51987 | 126.94033
        범어사 | register | 35.28304 | 129.06762
        송도해수욕장 | register | 35.07682 | 129.01805
        자갈치시장 | register | 35.09661 | 129.03058
        감천문화마을 | register | 35.09749 | 129.01061
        해동용궁사 | geocoded | 35.18846 | 129.22320
        팔공산 동화사 | temples | 35.99291 | 128.70400
        달성공원 | register | 35.87332 | 128.57538
        이월드 | geocoded | 35.85356 | 128.56500
        계산성당 | tourism | 35.86798 | 128.58777
        소래포구 | register | 37.39883 | 126.74038
        을왕리해수욕장 | beaches | 37.44714 | 126.37209
        석모도 보문사 | geocoded | 37.68827 | 126.32176
        강화 전등사 | temples | 37.63179 | 126.48455
        무등산 증심사 | temples | 35.12875 | 126.96990
        국립아시아문화전당 | geocoded | 35.14708 | 126.92021
        충장로 | tourism | 35.14883 | 126.91514
        광주송정역 | railway | 35.13740 | 126.79100
        동춘당 | register | 36.36538 | 127.44129
        오월드 | register | 36.28750 | 127.39850
        한밭수목원 | register | 36.36647 | 127.38802
        대전역 | railway | 36.33212 | 127.43414
        진하해수욕장 | register | 35.38385 | 129.34602
        일산해수욕장 | beaches | 35.49559 | 129.43100
        태화강국가정원 | geocoded | 35.54903 | 129.29119
        석남사 | tourism | 35.61745 | 129.04039
        울산역 | railway | 35.55133 | 129.13874
        영평사 | temples | 36.47335 | 127.22777
        국립세종수목원 | tourism | 36.49811 | 127.28581
        금강보행교 | tourism | 36.48360 | 127.28880
        베어트리파크 | tourism | 36.67206 | 127.20921
        에버랜드 | register | 37.29407 | 127.20213
        임진각 | register | 37.88954 | 126.74019
        두물머리 | register | 37.53362 | 127.31747
        광명동굴 | register | 37.42468 | 126.86343
        헤이리예술마을 | tourism | 37.78807 | 126.69931
        낙산사 | temples | 38.12462 | 128.62805
        월정사 | temples | 37.73194 | 128.59289
        경포해변 | beaches | 37.80433 | 128.90983
        안목해변 | beaches | 37.77322 | 128.94735
        안반데기 | geocoded | 37.62281 | 128.73931
        정동진역 | railway | 37.69140 | 129.03280
        법주사 | register | 36.53994 | 127.83063
        고수동굴 | geocoded | 36.98871 | 128.38158
        의림지 | tourism | 37.17416 | 128.20810
        오송역 | railway | 36.62016 | 127.32753
        제천역 | railway | 37.12810 | 128.20540
        해미읍성 | register | 36.71356 | 126.55038
        수덕사 | temples | 36.66302 | 126.62255
        만리포해수욕장 | beaches | 36.78802 | 126.14317
        공산성 | tourism | 36.46300 | 127.12681
        정림사지 | tourism | 36.27973 | 126.91326
        천안아산역 | railway | 36.79438 | 127.10452
        미륵사지 | register | 36.01154 | 127.02871
        선운사 | temples | 35.49694 | 126.57823
        내소사 | temples | 35.61745 | 126.58733
        남원 광한루원 | geocoded | 35.40251 | 127.37959
        전동성당 | tourism | 35.81331 | 127.14922
        덕유산 향적봉 | tourism | 35.86038 | 127.74632
        순천만습지 | register | 34.88580 | 127.50928
        낙안읍성 | register | 34.90640 | 127.34182
        여수 진남관 | register | 34.74134 | 127.73657
        화엄사 | register | 35.25732 | 127.49772
        대흥사 | temples | 34.47601 | 126.61630
        목포역 | railway | 34.79194 | 126.38722
        불국사 | temples | 35.78988 | 129.33189
        석굴암 | geocoded | 35.79552 | 129.35034
        첨성대 | geocoded | 35.83471 | 129.21842
        부석사 | geocoded | 36.99918 | 128.68749
        직지사 | temples | 36.11704 | 128.00448
        호미곶 | register | 36.07608 | 129.56653
        포항역 | railway | 36.07170 | 129.34170
        해인사 | register | 35.80150 | 128.09763
        통도사 | temples | 35.48795 | 129.06434
        쌍계사 | temples | 35.23250 | 127.65058
        밀양 영남루 | register | 35.49155 | 128.75561
        외도 보타니아 | register | 34.76951 | 128.71294
        상주은모래비치 | beaches | 34.72031 | 127.98821
        협재해수욕장 | register | 33.39350 | 126.23860
        함덕해수욕장 | beaches | 33.54344 | 126.66945
        김녕해수욕장 | beaches | 33.55799 | 126.75973
        성산일출봉 | tourism | 33.45811 | 126.94152
        만장굴 | tourism | 33.52805 | 126.77068
        마라도 | tourism | 33.11863 | 126.26743
        """
}
