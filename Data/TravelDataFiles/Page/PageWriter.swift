public import Foundation

/// Writes a travel as one self-contained HTML page for people: the timeline by day, with its images and a map.
///
/// ```swift
/// let file = PageWriter(language: .korean).data(for: exported, facts: ["부산", "1박 2일", "2인"])
/// try file.write(to: URL(fileURLWithPath: "부산 밤바다.html"))
/// ```
///
/// The page needs nothing besides its file: images are part of it (`data:` addresses), the map is inline SVG, and there
/// is no script and no address on a network; a content security policy in the page forbids both. It is readable on a
/// phone, follows the reader's light or dark setting, and has a style for printing. It is HTML that is also well-formed
/// XML.
///
/// What the traveller wrote appears as text, whatever it contains, each piece with a direction of its own.
///
/// Images look as they do in the travel, and say nothing else: the place and the time of a photo, its camera, comments,
/// thumbnails and the film of a motion photo are left out. JPEG, PNG, GIF and WebP are embedded. HEIC and AVIF become
/// JPEG on Apple platforms; elsewhere they are not in the page, and neither are damaged images. ``TravelJSONWriter``
/// keeps every image exactly.
public struct PageWriter: Sendable {
    private let language: PageLanguage

    public init(language: PageLanguage = .english) {
        self.language = language
    }

    /// Returns a page with `exported`, in UTF-8: the same travel always has the same bytes.
    ///
    /// - Parameters:
    ///   - exported: The travel with its images.
    ///   - facts: The lines below the title, in the language of the reader: region, themes and so on. This module knows
    ///     no names for them; `TravelPresentation` does.
    ///   - omitted: Called for each image that is not in the page, because it is damaged or its format has no place in
    ///     one.
    public func data(
        for exported: ExportedTravel, facts: [String] = [], omitted: (TravelImage) -> Void = { _ in }
    ) -> Data {
        var xml = XMLWriter()
        xml.markup("<!DOCTYPE html>\n")
        xml.element("html", ["lang": language.tag, "xmlns": "http://www.w3.org/1999/xhtml"]) { xml in
            xml.line()
            xml.element("head") { head(of: exported.travel, &$0) }
            xml.line()
            withoutActuallyEscaping(omitted) { omitted in
                let body = PageBody(exported, facts: facts, in: language, omitted: omitted)
                xml.element("body") { body.write(to: &$0) }
            }
            xml.line()
        }
        xml.line()
        return Data(xml.output.utf8)
    }

    private func head(of travel: RecordedTravel, _ xml: inout XMLWriter) {
        let metadata: [XMLWriter.Attributes] = [
            ["charset": "utf-8"], ["name": "viewport", "content": "width=device-width, initial-scale=1"],
            [
                "http-equiv": "Content-Security-Policy",
                "content": "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
            ],
            ["name": "color-scheme", "content": "light dark"], ["name": "generator", "content": "traveline"],
        ]
        for attributes in metadata {
            xml.line()
            xml.empty("meta", attributes)
        }
        xml.line()
        xml.element("title", text: travel.content.title.text)
        xml.line()
        xml.element("style") { $0.markup("\n\(PageStyle.css)\n") }
        xml.line()
    }
}

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

/// The language of the labels in a map or a page. The texts of the traveller are not translated.
public enum PageLanguage: String, CaseIterable, Hashable, Sendable {
    case english = "en"
    case korean = "ko"
}

extension PageLanguage {
    /// The language tag (BCP 47), which is also the value of the attribute `lang`.
    var tag: String { rawValue }

    /// `Day 2`, `2일차`.
    func day(_ number: Int) -> String { choose("Day \(number)", "\(number)일차") }

    /// `Fri, 5 May 2023`, `2023년 5월 5일 (금)`.
    func date(_ day: CalendarDay) -> String {
        let (year, month, number) = day.components
        return choose(
            "\(weekday(of: day)), \(number) \(Self.months[month - 1]) \(year)",
            "\(year)년 \(month)월 \(number)일 (\(weekday(of: day)))")
    }

    /// The first and the last day, or the one day of a day trip.
    func dates(_ days: DayRange) -> String {
        days.count == 1 ? date(days.first) : "\(date(days.first)) – \(date(days.last))"
    }

    /// `05 Fri`, `05 금`.
    func shortDate(_ day: CalendarDay) -> String {
        "\(day.day < 10 ? "0" : "")\(day.day) \(weekday(of: day))"
    }

    /// `12 stops on 2 days`, `2일 동안 12곳`.
    func summary(stops: Int, days: Int) -> String {
        choose(
            "\(stops) \(stops == 1 ? "stop" : "stops") on \(days) \(days == 1 ? "day" : "days")",
            "\(days)일 동안 \(stops)곳")
    }

    /// `Map: Night sea`, `지도: 부산 밤바다`.
    func mapTitle(_ title: Title) -> String { choose("Map: \(title)", "지도: \(title)") }

    var map: String { choose("Map", "지도") }
    var days: String { choose("Days", "날짜") }
    var noPlaces: String { choose("No entry has a place.", "장소가 있는 기록이 없습니다.") }
    var noEntries: String { choose("There are no entries yet.", "아직 기록이 없습니다.") }

    func recorded(by author: User) -> String { choose("Recorded by \(author.nickname)", "\(author.nickname)의 여행 기록") }

    /// The text for a picture that cannot be seen.
    func picture(of title: Title) -> String { choose("Picture: \(title)", "사진: \(title)") }

    private func weekday(of day: CalendarDay) -> String {
        // 1 January 1970 was a Thursday.
        let index = (day.daysSince1970 + 3).flooredDivision(by: 7).remainder
        let english = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let korean = ["월", "화", "수", "목", "금", "토", "일"]
        return choose(english[index], korean[index])
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private func choose(_ english: String, _ korean: String) -> String { self == .korean ? korean : english }
}

/// The style sheet of a page: for phones first, for wider windows, dark, and for print.
enum PageStyle {
    static let css = """
        :root{color-scheme:light dark;--paper:#fff;--ink:#1f2328;--soft:#5f646b;--rule:#e3dfd3;--accent:#0b62b8;--on:#fff}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
        body{margin:0 auto;max-width:46rem;padding:1.25rem 1rem 3rem;background:var(--paper);color:var(--ink);line-height:1.6;\
        font-family:system-ui,-apple-system,"Apple SD Gothic Neo","Noto Sans KR","Malgun Gothic",sans-serif;\
        overflow-wrap:anywhere}
        h1{font-size:1.9rem;line-height:1.25;margin:.25rem 0}
        h2{font-size:1.2rem;margin:2.25rem 0 .75rem;padding-bottom:.35rem;border-bottom:1px solid var(--rule)}
        h2 time{color:var(--soft);font-size:.95rem;font-weight:400;margin-inline-start:.35rem}
        h3{font-size:1.05rem;margin:0}
        p{margin:.25rem 0}
        img{display:block;max-width:100%;height:auto;margin:.6rem 0;border-radius:.5rem}
        .tlmap{display:block;width:100%;height:auto;border:1px solid var(--rule);border-radius:.5rem}
        .dates,.place,footer{color:var(--soft)}
        .facts{display:flex;flex-wrap:wrap;gap:.4rem;list-style:none;margin:.75rem 0;padding:0}
        .facts li{border:1px solid var(--rule);border-radius:1rem;padding:.1rem .7rem;font-size:.9rem}
        nav{position:sticky;top:0;z-index:1;display:flex;gap:.4rem;overflow-x:auto;margin:1rem 0 0;padding:.5rem 0;\
        background:var(--paper)}
        nav a{flex:none;color:var(--accent);border:1px solid var(--rule);border-radius:1rem;padding:.15rem .8rem;\
        text-decoration:none;font-size:.9rem}
        nav a:hover,nav a:focus-visible{background:var(--accent);color:var(--on)}
        section,article{scroll-margin-top:4rem}
        article{position:relative;margin:0 0 1.5rem;padding-inline-start:4.25rem}
        article:target h3{color:var(--accent)}
        .when{position:absolute;inset-inline-start:0;top:0;margin:0;font-variant-numeric:tabular-nums;color:var(--soft);\
        text-align:center}
        .stop{display:block;min-width:1.6rem;width:fit-content;margin:.3rem auto 0;padding:0 .4rem;border-radius:.8rem;\
        background:var(--accent);color:var(--on);font-size:.8rem;font-weight:700}
        .place b{color:var(--ink);font-weight:600}
        footer{margin-top:3rem;padding-top:.75rem;border-top:1px solid var(--rule);font-size:.9rem}
        @media (prefers-color-scheme:dark){:root{--paper:#171b20;--ink:#e8eaed;--soft:#a2a8b0;--rule:#333a43;\
        --accent:#6cb2ff;--on:#101317}}
        @media (max-width:26rem){article{padding-inline-start:3.6rem}h1{font-size:1.6rem}}
        @media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
        @media print{:root{color-scheme:light;--paper:#fff;--ink:#000;--soft:#444;--rule:#bbb;--accent:#0b62b8;--on:#fff}\
        nav{display:none}body{max-width:none;padding:0}article,img,.tlmap{break-inside:avoid}h2,h3{break-after:avoid}\
        img{max-height:12cm}}
        """
}
