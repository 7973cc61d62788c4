import Testing
import TravelDomain

@testable import TravelSamples

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
