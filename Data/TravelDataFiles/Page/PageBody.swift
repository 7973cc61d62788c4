import Foundation

/// The body of a page: heading, days, map, timeline.
struct PageBody {
    private let exported: ExportedTravel
    private let facts: [String]
    private let language: PageLanguage
    private let days: [TravelDay]
    /// The numbers of the entries in the timeline, as on the map.
    private let numbers: [TimelineEntry.ID: Int]
    private let omitted: (TravelImage) -> Void

    private var travel: RecordedTravel { exported.travel }

    init(
        _ exported: ExportedTravel, facts: [String], in language: PageLanguage, omitted: @escaping (TravelImage) -> Void
    ) {
        self.exported = exported
        self.omitted = omitted
        self.facts = facts
        self.language = language
        days = exported.travel.daysWithEntries
        let entries = exported.travel.timeline.enumerated()
        // IDs of entries are unique in a store; a travel that breaks this rule still has a page.
        numbers = Dictionary(entries.map { ($1.id, $0 + 1) }, uniquingKeysWith: { first, _ in first })
    }

    func write(to xml: inout XMLWriter) {
        xml.line()
        xml.element("header") { header(&$0) }
        if days.count > 1 { navigation(&xml) }
        xml.line()
        xml.element("main") { xml in
            let map = MapDrawing(of: travel, in: language, for: .page)
            if !map.isEmpty {
                xml.line()
                xml.element("section", ["id": "map"]) { xml in
                    xml.element("h2", text: language.map)
                    map.write(to: &xml)
                }
            }
            if days.isEmpty { xml.element("p", text: language.noEntries) }
            for day in days { section(day, &xml) }
            xml.line()
        }
        xml.line()
        xml.element("footer") { xml in
            xml.element("p", ["dir": "auto"], text: language.recorded(by: travel.author))
        }
        xml.line()
    }

    private func header(_ xml: inout XMLWriter) {
        xml.element("h1", ["dir": "auto"], text: travel.content.title.text)
        xml.element("p", ["class": "dates"], text: language.dates(travel.content.days))
        if !facts.isEmpty {
            xml.element("ul", ["class": "facts"]) { xml in
                for fact in facts { xml.element("li", text: fact) }
            }
        }
        // An image of the timeline is shown there, and not a second time.
        let chosen = exported.image(travel.content.thumbnail)
        if let chosen, !travel.timeline.contains(where: { $0.image == chosen.id }) {
            image(chosen, of: travel.content.title, &xml)
        }
    }

    private func navigation(_ xml: inout XMLWriter) {
        xml.line()
        xml.element("nav", ["aria-label": language.days]) { xml in
            for day in days {
                xml.element("a", ["href": "#day-\(day.number)"]) { xml in
                    xml.element("b", text: language.day(day.number))
                    xml.text(" \(language.shortDate(day.date))")
                }
            }
        }
    }

    private func section(_ day: TravelDay, _ xml: inout XMLWriter) {
        xml.line()
        xml.element("section", ["id": "day-\(day.number)"]) { xml in
            xml.element("h2") { xml in
                xml.text("\(language.day(day.number)) ")
                xml.element("time", ["datetime": day.date.description], text: language.date(day.date))
            }
            for entry in day.entries { article(entry, &xml) }
            xml.line()
        }
    }

    private func article(_ entry: TimelineEntry, _ xml: inout XMLWriter) {
        let number = numbers[entry.id]
        xml.line()
        xml.element("article", ["id": number.map { "stop-\($0)" }]) { xml in
            xml.element("p", ["class": "when"]) { xml in
                xml.element("time", text: entry.time.description)
                if let number { xml.element("span", ["class": "stop"], text: "\(number)") }
            }
            xml.element("h3", ["dir": "auto"], text: entry.title.text)
            if let place = entry.place {
                xml.element("p", ["class": "place", "dir": "auto"]) { xml in
                    xml.element("b", text: place.name)
                    if !place.address.isEmpty { xml.text(" \(place.address)") }
                }
            }
            if let picture = exported.image(entry.image) { image(picture, of: entry.title, &xml) }
            xml.element("p", ["class": "text", "dir": "auto"]) { xml in
                let lines = entry.text.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                for (index, line) in lines.enumerated() {
                    if index > 0 { xml.empty("br") }
                    xml.text(String(line))
                }
            }
        }
    }

    private func image(_ image: TravelImage, of title: Title, _ xml: inout XMLWriter) {
        guard let picture = SharedPicture(image) else { return omitted(image) }
        xml.empty(
            "img",
            [
                "src": "data:\(picture.mediaType);base64,\(picture.bytes.base64EncodedString())",
                "alt": language.picture(of: title),
            ])
    }
}
