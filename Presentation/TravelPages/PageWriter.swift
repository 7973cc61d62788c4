public import Foundation

/// Writes a trip as one HTML page for people: the timeline by day, with its images and a map.
///
/// ```swift
/// let file = PageWriter(language: .korean).data(for: trip) { id in pictures[id] }
/// try file.write(to: URL(fileURLWithPath: "부산 밤바다.html"))
/// ```
///
/// The page needs nothing besides its file: images are part of it (`data:` addresses), the map is inline SVG, and there
/// is no script and no address on a network; a content security policy in the page forbids both. It is readable on a
/// phone, follows the reader's light or dark setting, and has a style for printing. It is HTML that is also well-formed
/// XML. The page of a ``PageSite`` is the same, but refers to the images of the site.
///
/// What the traveller wrote appears as text, whatever it contains, each piece with a direction of its own.
public struct PageWriter: Sendable {
    private let language: Language

    public init(language: Language = .english) {
        self.language = language
    }

    /// Returns a page with `trip`, in UTF-8: the same trip with the same pictures always has the same bytes.
    ///
    /// - Parameters:
    ///   - trip: The trip.
    ///   - picture: Returns what a page shows of an image, without metadata: `SharedPicture` of `TravelDataFiles` makes it.
    ///     Called once for each place of the page that shows an image; with `nil`, it is not in the page.
    public func data(for trip: RecordedTrip, picture: (TripImage.ID) -> PagePicture?) -> Data {
        withoutActuallyEscaping(picture) { picture in
            data(for: trip, on: nil) { id in picture(id)?.address }
        }
    }

    /// Returns the page of `trip` on `site`, in UTF-8, which refers to its images and links to the list of trips.
    ///
    /// - Parameters:
    ///   - trip: The trip; the page shows the address of each of its images, ``PageSite/picture(_:_:key:)`` in the middle
    ///     size, with the key of a trip that is shared by link: give the page to those only who see the trip. Its preview
    ///     shows ``PageSite/map(_:key:)`` of a trip with places.
    ///   - site: The addresses of the other pages.
    public func data(for trip: RecordedTrip, on site: PageSite) -> Data {
        data(for: trip, on: site) { site.picture($0, .middle, key: trip.content.audience.key) }
    }

    /// Returns the page for an address of `site` at which there is nothing that everyone sees, in UTF-8.
    public func notFound(on site: PageSite) -> Data {
        let title = language[.nothingHere]
        return PageFrame(titled: title, in: language, on: site).data {
            HTML("header") { HTML("h1") { title } }
            HTML.line
            HTML("main") {
                HTML("p") { HTML("a", ["href": site.list]) { language[.homeTitle] } }
            }
        }
    }

    private func data(
        for trip: RecordedTrip, on site: PageSite?, picture: @escaping (TripImage.ID) -> String?
    ) -> Data {
        let preview = site.map { self.preview(of: trip, on: $0, picture: picture) }
        return PageFrame(titled: trip.content.title.text, in: language, on: site, preview: preview).data {
            PageBody(trip, in: language, on: site, picture: picture).html
        }
    }

    /// The preview of the page of `trip`. It has no address for a trip that not everyone sees: that would have the key, and
    /// crawlers list what a page calls its address.
    private func preview(
        of trip: RecordedTrip, on site: PageSite, picture: (TripImage.ID) -> String?
    ) -> PagePreview {
        let content = trip.content
        let length = trip.track.map { language[.length($0.length)] }
        let entries = trip.timeline.isEmpty ? nil : language[.entries(trip.timeline.count)]
        let facts = content.traits(in: language) + [entries, length].compactMap(\.self)
        var pictures: [PagePreview.Picture] = []
        if let cover = trip.thumbnail.flatMap(picture) {
            pictures.append(.init(address: cover, text: language[.picture(of: content.title)]))
        }
        if MapPicture(of: trip) != nil {
            pictures.append(
                .init(
                    address: site.map(trip.id, key: content.audience.key), text: language[.mapTitle(content.title)],
                    file: ("image/png", MapPicture.width, MapPicture.height)))
        }
        return PagePreview(
            kind: "article", title: content.title.text,
            description: ([language[.dates(content.days)]] + facts).joined(separator: " · "),
            address: content.audience == .everyone ? site.trip(trip.id) : nil,
            pictures: pictures)
    }
}

/// A picture for a page, without anything that it does not show.
public struct PagePicture: Hashable, Sendable {
    /// The media type that is registered with IANA.
    public let mediaType: String
    public let bytes: Data

    public init(mediaType: String, bytes: Data) {
        self.mediaType = mediaType
        self.bytes = bytes
    }

    /// An address that contains the picture.
    var address: String { "data:\(mediaType);base64,\(bytes.base64EncodedString())" }
}

/// The body of the page of a trip: heading, days, map, timeline.
struct PageBody {
    private let trip: RecordedTrip
    private let language: Language
    private let site: PageSite?
    /// The address of an image, if it can be shown.
    private let picture: (TripImage.ID) -> String?
    private let days: [TripDay]
    /// The numbers of the entries in the timeline, as on the map.
    private let numbers: [TimelineEntry.ID: Int]

    init(
        _ trip: RecordedTrip, in language: Language, on site: PageSite?, picture: @escaping (TripImage.ID) -> String?
    ) {
        self.trip = trip
        self.language = language
        self.site = site
        self.picture = picture
        days = trip.daysWithEntries
        let entries = trip.timeline.enumerated()
        // IDs of entries are unique in a store; a trip that breaks this rule still has a page.
        numbers = Dictionary(entries.map { ($1.id, $0 + 1) }, uniquingKeysWith: { first, _ in first })
    }

    @HTML.Builder
    var html: HTML {
        if let site {
            HTML("p", ["class": "home"]) {
                HTML("a", ["href": site.list]) { language[.homeTitle] }
                // The app opens a trip that is shared by link with the key of the link.
                if let app = site.app {
                    " · "
                    HTML("a", ["href": PageSite(base: app).trip(trip.id, key: trip.content.audience.key)]) {
                        language[.openInApp]
                    }
                }
            }
            HTML.line
        }
        header
        if days.count > 1 { navigation }
        HTML.line
        main
        HTML.line
        HTML("footer") { HTML("p", ["dir": "auto"]) { language[.recorded(by: trip.author)] } }
    }

    private var header: HTML {
        HTML("header") {
            HTML("h1", ["dir": "auto"]) { trip.content.title.text }
            HTML("p", ["class": "dates"]) { language[.dates(trip.content.days)] }
            HTML("ul", ["class": "facts"]) {
                for trait in trip.content.traits(in: language) { HTML("li") { trait } }
            }
            // An image of the timeline is shown there, and not a second time.
            if let chosen = trip.content.thumbnail,
                !trip.timeline.contains(where: { $0.pictures.contains { $0.id == chosen } }),
                let image = image(chosen, text: language[.picture(of: trip.content.title)])
            {
                image
            }
        }
    }

    @HTML.Builder
    private var navigation: HTML {
        HTML.line
        HTML("nav", ["class": "days", "aria-label": language[.days]]) {
            for day in days {
                HTML("a", ["href": "#day-\(day.number)"]) {
                    HTML("b") { language[.day(day.number)] }
                    " \(day.date.tabText(in: language))"
                }
            }
        }
    }

    private var main: HTML {
        let map = MapDrawing(of: trip, in: language, for: .page)
        return HTML("main") {
            if !map.isEmpty {
                HTML.line
                HTML("section", ["id": "map"]) {
                    HTML("h2") { language[.map] }
                    map.html
                    map.legend
                    if let note = map.note { HTML("p", ["class": "note"]) { note } }
                }
            }
            if days.isEmpty { HTML("p") { language[.timelineEmpty] } }
            for day in days { section(day) }
            HTML.line
        }
    }

    @HTML.Builder
    private func section(_ day: TripDay) -> HTML {
        HTML.line
        HTML("section", ["id": "day-\(day.number)", "class": MapStyle.dayClass(day.number)]) {
            HTML("h2") {
                "\(language[.day(day.number)]) "
                HTML("time", ["datetime": day.date.description]) { language[.date(day.date)] }
            }
            for entry in day.entries { article(entry) }
            HTML.line
        }
    }

    @HTML.Builder
    private func article(_ entry: TimelineEntry) -> HTML {
        let number = numbers[entry.id]
        HTML.line
        HTML("article", ["id": number.map { "stop-\($0)" }]) {
            HTML("p", ["class": "when"]) {
                HTML("time") { entry.time.description }
                if let number { HTML("span", ["class": "stop"]) { "\(number)" } }
            }
            HTML("h3", ["dir": "auto"]) { entry.title.text }
            // What the title says is not said twice.
            if let place = entry.place, place.name != entry.title.text || !place.address.isEmpty {
                HTML("p", ["class": "place", "dir": "auto"]) {
                    if place.hasNumbersForName { place.name } else { HTML("b") { place.name } }
                    if !place.address.isEmpty { " \(place.address)" }
                }
            }
            pictures(of: entry)
            HTML("p", ["class": "text", "dir": "auto"]) {
                let lines = entry.text.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                for (index, line) in lines.enumerated() {
                    if index > 0 { HTML("br") }
                    String(line)
                }
            }
        }
    }

    /// The pictures of an entry that can be shown; several stand beside each other.
    @HTML.Builder
    private func pictures(of entry: TimelineEntry) -> HTML {
        let images = entry.pictures.compactMap { picture in
            image(picture.id, text: picture.text?.text ?? language[.picture(of: entry.title)])
        }
        if images.count > 1 {
            HTML("div", ["class": "pictures"]) { for image in images { image } }
        } else if let image = images.first {
            image
        }
    }

    /// `nil` for a picture that cannot be shown.
    private func image(_ id: TripImage.ID, text: String) -> HTML? {
        picture(id).map { HTML("img", ["src": $0, "alt": text, "loading": site == nil ? nil : "lazy"]) }
    }
}
