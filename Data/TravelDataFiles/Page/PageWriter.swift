public import Foundation
public import TravelDomain

/// Writes a trip as one HTML page for people: the timeline by day, with its images and a map.
///
/// ```swift
/// let file = PageWriter(language: .korean).data(for: exported, facts: ["부산", "1박 2일", "2인"])
/// try file.write(to: URL(fileURLWithPath: "부산 밤바다.html"))
/// ```
///
/// The page needs nothing besides its file: images are part of it (`data:` addresses), the map is inline SVG, and there
/// is no script and no address on a network; a content security policy in the page forbids both. It is readable on a
/// phone, follows the reader's light or dark setting, and has a style for printing. It is HTML that is also well-formed
/// XML. The page of a ``PageSite`` is the same, but refers to the images of the site.
///
/// What the traveller wrote appears as text, whatever it contains, each piece with a direction of its own.
///
/// Images look as they do in the trip, and say nothing else: the place and the time of a photo, its camera, comments,
/// thumbnails and the film of a motion photo are left out. JPEG, PNG, GIF and WebP are embedded. HEIC and AVIF become
/// JPEG on Apple platforms; elsewhere they are not in the page, and neither are damaged images. ``TravelJSONWriter``
/// keeps every image exactly.
public struct PageWriter: Sendable {
    private let language: PageLanguage

    public init(language: PageLanguage = .english) {
        self.language = language
    }

    /// Returns a page with `exported`, in UTF-8: the same trip always has the same bytes.
    ///
    /// - Parameters:
    ///   - exported: The trip with its images.
    ///   - facts: The lines below the title, in the language of the reader: region, themes and so on. This module knows
    ///     no names for them; `TravelPresentation` does.
    ///   - omitted: Called for each image that is not in the page, because it is damaged or its format has no place in
    ///     one.
    public func data(
        for exported: ExportedTrip, facts: [String] = [], omitted: (TripImage) -> Void = { _ in }
    ) -> Data {
        withoutActuallyEscaping(omitted) { omitted in
            data(for: exported.trip, facts: facts, on: nil) { id in
                guard let image = exported.image(id) else { return nil }
                guard let picture = SharedPicture(image) else {
                    omitted(image)
                    return nil
                }
                return "data:\(picture.mediaType);base64,\(picture.bytes.base64EncodedString())"
            }
        }
    }

    /// Returns the page of `trip` on `site`, in UTF-8, which refers to its images and links to the list of trips.
    ///
    /// - Parameters:
    ///   - trip: The trip; the page shows the address of each of its images, ``PageSite/picture(_:)``.
    ///   - facts: The lines below the title, in the language of the reader: region, themes and so on.
    ///   - site: The addresses of the other pages.
    public func data(for trip: RecordedTrip, facts: [String] = [], on site: PageSite) -> Data {
        data(for: trip, facts: facts, on: site) { site.picture($0) }
    }

    /// Returns the page for an address of `site` at which there is nothing that everyone sees, in UTF-8.
    public func notFound(on site: PageSite) -> Data {
        PageDocument.data(titled: language.notFound, in: language, on: site) { xml in
            xml.element("header") { $0.element("h1", text: language.notFound) }
            xml.line()
            xml.element("main") { xml in
                xml.element("p") { $0.element("a", ["href": site.list], text: language.trips) }
            }
        }
    }

    private func data(
        for trip: RecordedTrip, facts: [String], on site: PageSite?, picture: @escaping (TripImage.ID) -> String?
    ) -> Data {
        PageDocument.data(titled: trip.content.title.text, in: language, on: site) { xml in
            PageBody(trip, facts: facts, in: language, on: site, picture: picture).write(to: &xml)
        }
    }
}

/// The addresses of a site with a list of trips and a page for each of them.
///
/// ```swift
/// PageSite().trip(id)                    // "/trips/6f1c…"
/// PageSite(base: "/log").picture(cover)  // "/log/images/41c6…"
/// ```
public struct PageSite: Hashable, Sendable {
    /// The path before all addresses, without a slash at its end; empty for a site of its own.
    public let base: String

    public init(base: String = "") {
        self.base = base
    }

    /// The address of the list of trips.
    public var list: String { base + "/" }
    public func trip(_ id: Trip.ID) -> String { "\(base)/trips/\(id)" }
    public func picture(_ id: TripImage.ID) -> String { "\(base)/images/\(id)" }

    /// The value of the header `Content-Security-Policy` (Content Security Policy Level 3) for every page of a site: its
    /// one style by its digest, pictures and forms of the site, and nothing else, neither script nor frame.
    public static let contentSecurityPolicy = "\(policy(images: "'self'", forms: "'self'")); frame-ancestors 'none'"

    /// The policy without what only a header can say.
    static func policy(images: String, forms: String) -> String {
        "default-src 'none'; img-src \(images); style-src 'sha256-\(PageStyle.digest)'; "
            + "base-uri 'none'; form-action \(forms)"
    }
}

/// The frame of all pages: head, style and policy.
enum PageDocument {
    /// A document in UTF-8; `nil` for a file that belongs to no site.
    static func data(
        titled title: String, in language: PageLanguage, on site: PageSite?, _ body: (inout XMLWriter) -> Void
    ) -> Data {
        let policy =
            site == nil
            ? PageSite.policy(images: "data:", forms: "'none'") : PageSite.policy(images: "'self'", forms: "'self'")
        let metadata: [XMLWriter.Attributes] = [
            ["charset": "utf-8"], ["name": "viewport", "content": "width=device-width, initial-scale=1"],
            ["http-equiv": "Content-Security-Policy", "content": policy],
            ["name": "color-scheme", "content": "light dark"], ["name": "generator", "content": "traveline"],
        ]
        var xml = XMLWriter()
        xml.markup("<!DOCTYPE html>\n")
        xml.element("html", ["lang": language.tag, "xmlns": "http://www.w3.org/1999/xhtml"]) { xml in
            xml.line()
            xml.element("head") { xml in
                for attributes in metadata {
                    xml.line()
                    xml.empty("meta", attributes)
                }
                xml.line()
                xml.element("title", text: title)
                xml.line()
                xml.element("style") { $0.markup(PageStyle.content) }
                xml.line()
            }
            xml.line()
            xml.element("body") { xml in
                xml.line()
                body(&xml)
                xml.line()
            }
            xml.line()
        }
        xml.line()
        return Data(xml.output.utf8)
    }
}

/// The body of a page: heading, days, map, timeline.
struct PageBody {
    private let trip: RecordedTrip
    private let facts: [String]
    private let language: PageLanguage
    private let site: PageSite?
    /// The address of an image, if it can be shown.
    private let picture: (TripImage.ID) -> String?
    private let days: [TripDay]
    /// The numbers of the entries in the timeline, as on the map.
    private let numbers: [TimelineEntry.ID: Int]

    init(
        _ trip: RecordedTrip, facts: [String], in language: PageLanguage, on site: PageSite?,
        picture: @escaping (TripImage.ID) -> String?
    ) {
        self.trip = trip
        self.facts = facts
        self.language = language
        self.site = site
        self.picture = picture
        days = trip.daysWithEntries
        let entries = trip.timeline.enumerated()
        // IDs of entries are unique in a store; a trip that breaks this rule still has a page.
        numbers = Dictionary(entries.map { ($1.id, $0 + 1) }, uniquingKeysWith: { first, _ in first })
    }

    func write(to xml: inout XMLWriter) {
        if let site {
            xml.element("p", ["class": "home"]) { $0.element("a", ["href": site.list], text: language.trips) }
            xml.line()
        }
        xml.element("header") { header(&$0) }
        if days.count > 1 { navigation(&xml) }
        xml.line()
        xml.element("main") { xml in
            let map = MapDrawing(of: trip, in: language, for: .page)
            if !map.isEmpty {
                xml.line()
                xml.element("section", ["id": "map"]) { xml in
                    xml.element("h2", text: language.map)
                    map.write(to: &xml)
                    if let note = map.note { xml.element("p", ["class": "note"], text: note) }
                }
            }
            if days.isEmpty { xml.element("p", text: language.noEntries) }
            for day in days { section(day, &xml) }
            xml.line()
        }
        xml.line()
        xml.element("footer") { xml in
            xml.element("p", ["dir": "auto"], text: language.recorded(by: trip.author))
        }
    }

    private func header(_ xml: inout XMLWriter) {
        xml.element("h1", ["dir": "auto"], text: trip.content.title.text)
        xml.element("p", ["class": "dates"], text: language.dates(trip.content.days))
        if !facts.isEmpty {
            xml.element("ul", ["class": "facts"]) { xml in
                for fact in facts { xml.element("li", text: fact) }
            }
        }
        // An image of the timeline is shown there, and not a second time.
        if let chosen = trip.content.thumbnail, !trip.timeline.contains(where: { $0.image == chosen }) {
            image(chosen, of: trip.content.title, &xml)
        }
    }

    private func navigation(_ xml: inout XMLWriter) {
        xml.line()
        xml.element("nav", ["class": "days", "aria-label": language.days]) { xml in
            for day in days {
                xml.element("a", ["href": "#day-\(day.number)"]) { xml in
                    xml.element("b", text: language.day(day.number))
                    xml.text(" \(language.shortDate(day.date))")
                }
            }
        }
    }

    private func section(_ day: TripDay, _ xml: inout XMLWriter) {
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
            if let id = entry.image { image(id, of: entry.title, &xml) }
            xml.element("p", ["class": "text", "dir": "auto"]) { xml in
                let lines = entry.text.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                for (index, line) in lines.enumerated() {
                    if index > 0 { xml.empty("br") }
                    xml.text(String(line))
                }
            }
        }
    }

    private func image(_ id: TripImage.ID, of title: Title, _ xml: inout XMLWriter) {
        guard let address = picture(id) else { return }
        xml.empty(
            "img", ["src": address, "alt": language.picture(of: title), "loading": site == nil ? nil : "lazy"])
    }
}
