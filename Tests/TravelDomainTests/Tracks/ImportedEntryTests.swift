import Foundation
import Testing
import TravelDomain
import TravelDomainTesting

@Suite("Entries of imported tracks")
struct ImportedEntryTests {
    private func moment(
        _ kind: JourneyMoment.Kind, elevation: Double? = nil, stayed: Double = 0, distance: Double? = nil
    ) throws -> JourneyMoment {
        JourneyMoment(
            kind, day: 1, time: try TimeOfDay(hour: 9), coordinate: try Walk.place(), elevation: elevation,
            stayed: stayed, distance: distance)
    }

    private func known(_ name: String, north: Double) throws -> KnownPlace {
        try KnownPlace(
            place: Place(name: name, address: "서울 중구", coordinate: Walk.place(north: north)), englishName: "",
            region: .seoul)
    }

    private func imported(_ moment: JourneyMoment, near known: KnownPlace?) throws -> ImportedEntry {
        try ImportedEntry(moment, near: known, wording: PlainTrackWording())
    }

    @Test("an entry without a name has the words of the wording, and its coordinate as a place")
    func wording() throws {
        let entry = try imported(moment(.departure, elevation: 38.4, stayed: 60, distance: 12_345), near: nil)
        #expect(entry.title.text == "departure")
        #expect(entry.text.text == "departure, 60 s, 12345 m, 38 m high")
        #expect(entry.place.name == "37.5655, 126.9780")
        #expect(entry.place.coordinate == (try Walk.place()))
    }

    @Test("texts of a wording that are too long are cut and counted, and an empty one is invalid")
    func oddWordings() throws {
        struct Wording: TrackWording {
            let text: String
            var tripTitle: String { text }
            var photosTitle: String { text }
            func text(ofPhotos count: Int) -> String { text }
            func title(of moment: JourneyMoment) -> String { text }
            func text(of moment: JourneyMoment) -> String { text }
        }
        let long = try ImportedEntry(
            moment(.stay), near: nil, wording: Wording(text: String(repeating: "가", count: 6_000)))
        #expect(long.title.text.count == 60)
        #expect(long.text.text.count == 5_000)
        #expect(long.cuts == 2)
        #expect(throws: TravelError.invalid(.init(.title, .tooShort(minimum: 1)))) {
            try ImportedEntry(moment(.stay), near: nil, wording: Wording(text: " "))
        }
    }

    @Test("an entry takes the name of a known place within a kilometre, and keeps its coordinate")
    func knownPlace() throws {
        let near = try imported(try moment(.stay, stayed: 1_200), near: try known("서울광장", north: 900))
        #expect(near.title.text == "서울광장")
        #expect(near.place.name == "서울광장")
        #expect(near.place.address == "서울 중구")
        #expect(near.place.coordinate == (try Walk.place()))
        let far = try imported(try moment(.stay, stayed: 1_200), near: try known("남산", north: 1_100))
        #expect(far.title.text == "stay")
        #expect(far.place.address.isEmpty)
    }

    @Test(
        "the text of an entry is that of the traveller, shortened to fit",
        arguments: [
            ("찻집", "대추차가 좋았다.", "찻집", "대추차가 좋았다."),
            ("찻집", nil, "찻집", "mark"),
            ("찻집", "찻집", "찻집", "mark"),
            ("찻집", " \n", "찻집", "mark"),
            ("  두\n줄 ", "첫째\n둘째", "두 줄", "첫째\n둘째"),
            ("열네 글자보다 훨씬 더 긴 이름", nil, "열네 글자보다 훨씬 더 긴 이름", "mark"),
            (String(repeating: "긴 ", count: 40), nil, String(repeating: "긴 ", count: 29) + "긴…", "mark"),
            (nil, "이름은 모른다.", "서울광장", "이름은 모른다."),
            ("\u{7}", nil, "서울광장", "mark"),
        ] as [(String?, String?, String, String)])
    func marks(name: String?, note: String?, title: String, text: String) throws {
        let wording = try imported(
            try moment(.mark(try Walk.mark(name, 0, note: note))), near: try known("서울광장", north: 10))
        #expect(wording.title.text == title)
        #expect(wording.text.text == text)
    }

    @Test("the texts of an entry are valid for names and notes of any length and content")
    func anyText() throws {
        let odd = String(repeating: "👨‍👩‍👧‍👦\u{0}\u{2028}", count: 2_000)
        let wording = try imported(try moment(.mark(try Walk.mark(odd, 0, note: odd + odd))), near: nil)
        #expect((59...60).contains(wording.title.text.count))
        #expect((4_900...5_000).contains(wording.text.text.count))
        #expect(wording.cuts == 3)
        #expect(wording.place.name.count <= 100)
    }
}
