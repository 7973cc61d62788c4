import Foundation
import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataFiles

@Suite("Page writer", .takesTurns)
struct PageWriterTests {
    @Test(
        "a page is well-formed, self-contained and complete, whatever the traveller wrote",
        arguments: 0..<25 as Range<UInt64>)
    func generated(seed: UInt64) throws {
        var generated = GeneratedTravels(seed: seed)
        let exported = try generated.exported()
        for language in PageLanguage.allCases {
            let file = PageWriter(language: language).data(for: exported, facts: ["\"><script>", "부산"])
            let page = CheckedXML(file)
            #expect(page.defects == [])
            #expect(!CheckedXML.containsAddress(file))
            #expect(page.all("html").first?.attributes["lang"] == language.rawValue)
            #expect(page.all("h1").map(\.text) == [xmlText(exported.travel.content.title.text)])
            #expect(page.all("h3").map(\.text) == exported.travel.timeline.map { xmlText($0.title.text) })
            #expect(page.all("li").map(\.text) == ["\"><script>", "부산"])
            let texts = exported.travel.timeline.map { entry in
                xmlText(entry.text.text).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined()
            }
            #expect(page.all("p", class: "text").map(\.text) == texts)
        }
    }

    @Test("a page embeds each image with its media type and title")
    func images() throws {
        let (cover, photo) = try (
            TravelImage(bytes: Data(PictureFile().png)), TravelImage(bytes: Data(PictureFile().jpeg))
        )
        let travel = try TravelBuilder(seed: 1).with {
            $0.thumbnail = cover.id
            $0.timeline = [
                try TimelineEntry(
                    day: 1, time: TimeOfDay(hour: 9), title: Title("a"), text: EntryText("b"), image: photo.id)
            ]
        }.build()
        let page = CheckedXML(PageWriter().data(for: try ExportedTravel(travel, images: [photo, cover])))
        let sources = page.all("img").compactMap { $0.attributes["src"] }
        let shared = [cover, photo].compactMap { SharedPicture($0)?.bytes.base64EncodedString() }
        #expect(sources == ["data:image/png;base64,\(shared[0])", "data:image/jpeg;base64,\(shared[1])"])
        #expect(page.all("img").map { $0.attributes["alt"] } == ["Picture: Trip 1", "Picture: a"])
    }

    @Test("a page shows a chosen image of the timeline only once")
    func chosenImage() throws {
        let photo = try TravelImage(bytes: Data(PictureFile().jpeg))
        let travel = try TravelBuilder(seed: 1).with {
            $0.thumbnail = photo.id
            $0.timeline = [
                try TimelineEntry(
                    day: 1, time: TimeOfDay(hour: 9), title: Title("a"), text: EntryText("b"), image: photo.id)
            ]
        }.build()
        let page = CheckedXML(PageWriter().data(for: try ExportedTravel(travel, images: [photo])))
        #expect(page.all("img").count == 1)
    }

    @Test("a page has headings for the days in its language, with links to them and to the stops")
    func days() throws {
        let place = try Place(name: "바다", address: "부산", coordinate: Coordinate(latitude: 35, longitude: 129))
        let travel = try TravelBuilder(seed: 1).with { builder in
            builder.numberOfDays = 400
            builder.timeline = try [1, 2, 2, 365].map {
                try TimelineEntry(
                    day: $0, time: TimeOfDay(hour: 9), title: Title("a"), text: EntryText("b"), place: place)
            }
        }.build()
        let exported = try ExportedTravel(travel, images: [])
        let korean = CheckedXML(PageWriter(language: .korean).data(for: exported))
        #expect(
            korean.all("h2").map(\.text)
                == ["지도", "1일차 2024년 5월 1일 (수)", "2일차 2024년 5월 2일 (목)", "365일차 2025년 4월 30일 (수)"])
        let english = CheckedXML(PageWriter().data(for: exported))
        #expect(english.all("h2").map(\.text)[1] == "Day 1 Wed, 1 May 2024")
        #expect(
            english.all("a").compactMap { $0.attributes["href"] } == ["#day-1", "#day-2", "#day-365", "#stop-1"])
        #expect(english.defects == [])
        #expect(english.all("p", class: "place").first?.text == "바다 부산")
    }

    @Test("a page numbers all entries, and its map those with a place by the same numbers")
    func numbers() throws {
        let place = try Place(name: "바다", coordinate: Coordinate(latitude: 35, longitude: 129))
        let travel = try TravelBuilder(seed: 1).with { builder in
            builder.timeline = try [nil, place, nil].enumerated().map { index, place in
                try TimelineEntry(
                    day: 1, time: TimeOfDay(hour: 9 + index), title: Title("a"), text: EntryText("b"), place: place)
            }
        }.build()
        let page = CheckedXML(PageWriter().data(for: try ExportedTravel(travel, images: [])))
        #expect(page.all("span", class: "stop").map(\.text) == ["1", "2", "3"])
        #expect(page.all("text", class: "num").map(\.text) == ["2"])
        #expect(page.all("a").compactMap { $0.attributes["href"] } == ["#stop-2"])
        #expect(page.all("article").compactMap { $0.attributes["id"] } == ["stop-1", "stop-2", "stop-3"])
    }

    @Test("a page without entries says so, and has no map")
    func empty() throws {
        let travel = try ExportedTravel(TravelBuilder(seed: 1).build(), images: [])
        let page = CheckedXML(PageWriter().data(for: travel))
        #expect(page.defects == [])
        #expect(page.all("svg").isEmpty && page.all("nav").isEmpty)
        #expect(page.all("main").map { $0.text.trimmed } == ["There are no entries yet."])
    }

    @Test("a page forbids scripts and the network by its content security policy, and adapts to a phone")
    func policy() throws {
        let travel = try ExportedTravel(TravelBuilder(seed: 1).build(), images: [])
        let page = CheckedXML(PageWriter().data(for: travel))
        let metas = page.all("meta").map(\.attributes)
        let policy = metas.first { $0["http-equiv"] == "Content-Security-Policy" }?["content"]
        #expect(policy == "default-src 'none'; img-src data:; style-src 'unsafe-inline'")
        #expect(metas.contains { $0["name"] == "viewport" && $0["content"] == "width=device-width, initial-scale=1" })
        let style = try #require(page.all("style").first?.text)
        #expect(style.contains("prefers-color-scheme:dark") && style.contains("@media print"))
    }
}
