import Foundation
import Testing
import TravelDomain

@Suite("The wording of entries")
struct EntryWordingTests {
    private func moment(
        _ kind: JourneyMoment.Kind, elevation: Double? = nil, stayed: Double = 0, distance: Double? = nil
    ) throws -> JourneyMoment {
        JourneyMoment(
            kind, day: 1, time: try TimeOfDay(hour: 9), coordinate: try Walk.place(), elevation: elevation,
            stayed: stayed, distance: distance)
    }

    private func known(_ name: String, north: Double) throws -> KnownPlace {
        KnownPlace(
            place: try Place(name: name, address: "서울 중구", coordinate: try Walk.place(north: north)), englishName: "",
            region: .seoul)
    }

    @Test(
        "the text of an entry states the duration, the distance and the elevation in Korean",
        arguments: [
            (.departure, nil, 0, 12_345, "출발", "이날 12.3km를 이동했다."),
            (.departure, 38.4, 3_600, 999.4, "출발", "1시간 동안 머물렀다. 이날 999m를 이동했다. 해발 38m."),
            (.arrival, -3.2, 0, 999.6, "도착", "1.0km를 이동해 도착했다. 해발 -3m."),
            (.departure, nil, 0, nil, "출발", "이날의 첫 기록이다."),
            (.arrival, nil, 0, nil, "도착", "이날의 마지막 기록이다."),
            (.stay, nil, 2_100, nil, "머문 곳", "35분 동안 머물렀다."),
            (.stay, 20_000, 7_500, nil, "머문 곳", "2시간 5분 동안 머물렀다."),
            (.stay, .nan, 0, nil, "지난 곳", "이곳을 지났다."),
        ] as [(JourneyMoment.Kind, Double?, Double, Double?, String, String)])
    func facts(
        kind: JourneyMoment.Kind, elevation: Double?, stayed: Double, distance: Double?, title: String, text: String
    ) throws {
        let wording = try EntryWording(
            try moment(kind, elevation: elevation, stayed: stayed, distance: distance), near: nil)
        #expect(wording.title.text == title)
        #expect(wording.text.text == text)
        #expect(wording.place.name == "37.5655, 126.9780")
        #expect(wording.place.coordinate == (try Walk.place()))
    }

    @Test("an entry takes the name of a known place within a kilometre, and keeps its coordinate")
    func knownPlace() throws {
        let near = try EntryWording(try moment(.stay, stayed: 1_200), near: try known("서울광장", north: 900))
        #expect(near.title.text == "서울광장")
        #expect(near.place.name == "서울광장")
        #expect(near.place.address == "서울 중구")
        #expect(near.place.coordinate == (try Walk.place()))
        let far = try EntryWording(try moment(.stay, stayed: 1_200), near: try known("남산", north: 1_100))
        #expect(far.title.text == "머문 곳")
        #expect(far.place.address.isEmpty)
    }

    @Test(
        "the text of an entry is that of the traveller, shortened to fit",
        arguments: [
            ("찻집", "대추차가 좋았다.", "찻집", "대추차가 좋았다."),
            ("찻집", nil, "찻집", "이곳을 지났다."),
            ("찻집", "찻집", "찻집", "이곳을 지났다."),
            ("찻집", " \n", "찻집", "이곳을 지났다."),
            ("  두\n줄 ", "첫째\n둘째", "두 줄", "첫째\n둘째"),
            ("열네 글자보다 훨씬 더 긴 이름", nil, "열네 글자보다 훨씬 더…", "이곳을 지났다."),
            (nil, "이름은 모른다.", "서울광장", "이름은 모른다."),
            ("\u{7}", nil, "서울광장", "이곳을 지났다."),
        ] as [(String?, String?, String, String)])
    func marks(name: String?, note: String?, title: String, text: String) throws {
        let wording = try EntryWording(
            try moment(.mark(try Walk.mark(name, 0, note: note))), near: try known("서울광장", north: 10))
        #expect(wording.title.text == title)
        #expect(wording.text.text == text)
    }

    @Test("the texts of an entry are valid for names and notes of any length and content")
    func anyText() throws {
        let odd = String(repeating: "👨‍👩‍👧‍👦\u{0}\u{2028}", count: 500)
        let wording = try EntryWording(try moment(.mark(try Walk.mark(odd, 0, note: odd + odd))), near: nil)
        #expect(wording.title.text.count == 14)
        #expect((200...250).contains(wording.text.text.count))
        #expect(wording.place.name.count <= 100)
    }
}
