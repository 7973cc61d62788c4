import Foundation
import TravelDomain
import TravelPresentation
import TravelTerminal

/// One trip with its timeline as text.
struct TripText {
    let trip: Trip
    /// The entries to print, with their numbers in `all`.
    let timeline: [TimelineEntry]
    let all: [TimelineEntry]
    let language: Language
    let page: Page

    /// The lines, each with a line break.
    var text: String {
        var lines = page.lines(trip.title.text) + page.lines(facts.joined(separator: page.dot))
        lines += page.lines(people) + [trip.id.description]
        for (index, entry) in timeline.enumerated() {
            if index == 0 || timeline[index - 1].day != entry.day { lines += [""] + page.lines(heading(entry.day)) }
            lines += self.lines(of: entry)
        }
        if timeline.isEmpty { lines += ["", language[.timelineEmpty]] }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The properties of the trip, in words: region, period, dates, and its traits.
    private var facts: [String] {
        (trip.content.traits(in: language) + [trip.days.text]).map(page.plain)
    }

    private var people: String {
        let sample = App.isSample(trip.id) ? language.say(" (sample)", " (예시)") : ""
        let liked = trip.isLiked ? language.say(" (liked by you)", " (내가 좋아함)") : ""
        let hidden = trip.isHidden ? page.dot + language[.hiddenTrip] : ""
        let level = trip.content.audience.level
        let audience =
            level == .everyone ? "" : page.dot + "\(language[.audience]): \(level.name(in: language))"
        return "\(trip.author.nickname)\(sample)\(page.dot)\(page.heart) \(trip.likeCount)\(liked)\(hidden)\(audience)"
    }

    private func heading(_ day: Int) -> String {
        let date = trip.days.first.adding(days: day - 1)
        return language[.day(day)] + page.dot + date.description
    }

    private func lines(of entry: TimelineEntry) -> [String] {
        let ids = all.map(\.id)
        let number = entry.number(in: all)
        let picture =
            switch entry.pictures.count {
            case 0: ""
            case 1: language.say(" [picture]", " [사진]")
            case let count: language.say(" [\(count) pictures]", " [사진 \(count)장]")
            }
        var lines = page.lines(
            "\(entry.time) \(number). \(entry.title)\(picture) (\(entry.id.short(among: ids)))", indentation: 2)
        if let place = entry.place {
            let address = place.address.isEmpty ? "" : ", \(place.address)"
            lines += page.lines("@ \(place.name)\(address)", indentation: 8)
        }
        for (number, picture) in zip(1..., entry.pictures) {
            guard let fact = facts(of: picture) else { continue }
            lines += page.lines("[\(number)] \(fact)", indentation: 8)
        }
        return lines + page.lines(entry.text.text, indentation: 8)
    }

    /// What is known of a picture besides its image, on one line.
    private func facts(of picture: Picture) -> String? {
        var facts = picture.text.map { [$0.text] } ?? []
        if let taken = picture.taken { facts.append("\(taken.day) \(taken.time)") }
        switch picture.position {
        case .shown(let position): facts.append(Self.text(of: position))
        case .mineOnly(let position):
            facts.append(Self.text(of: position) + language.say(" (only you see it)", " (나만 봄)"))
        case .withheld, nil: break
        }
        return facts.isEmpty ? nil : facts.joined(separator: page.dot)
    }

    private static func text(of position: Coordinate) -> String {
        [position.latitude, position.longitude].map {
            $0.formatted(.number.precision(.fractionLength(5)).locale(Locale(identifier: "en_US_POSIX")))
        }
        .joined(separator: ",")
    }
}

/// Trips as lines: one each where that fits the page, otherwise a block of lines each.
struct TripList {
    let trips: [Trip]
    /// The entries by which trips were found, one below each of these.
    var entries: [Trip.ID: MatchedEntry] = [:]
    /// The short forms of their IDs.
    let ids: [Trip.ID: String]
    let language: Language
    let page: Page

    /// The lines, each with a line break; empty when there are no trips.
    var text: String {
        let rows = trips.map(row)
        let blocks = Self.layouts.lazy.compactMap { table(rows, $0)?.map { [$0] } }.first ?? rows.map(block)
        let lines = zip(trips, blocks).flatMap { trip, block in block + line(of: entries[trip.id]) }
        return lines.map { $0 + "\n" }.joined()
    }

    private func line(of entry: MatchedEntry?) -> [String] {
        entry.map { page.lines(page.plain(language[.matchedEntry($0)]), indentation: 4) } ?? []
    }

    /// The columns of a trip, as short texts.
    private enum Part: Int {
        case id, title, region, period, dates, author, sample, likes
    }

    /// The columns of a table, beginning with the widest.
    private static let layouts: [[Part]] = [
        [.id, .title, .region, .period, .dates, .author, .sample, .likes],
        [.id, .title, .region, .dates, .author, .sample, .likes], [.id, .title, .region, .dates, .sample, .likes],
    ]

    /// All parts, in their order.
    private func row(_ trip: Trip) -> [String] {
        return [
            ids[trip.id] ?? "\(trip.id)", trip.title.text, trip.region.name(in: language),
            trip.days.period.name(in: language), dates(trip.days), trip.author.nickname.text,
            App.isSample(trip.id) ? language.say("sample", "예시") : "",
            "\(page.heart) \(trip.likeCount)" + (trip.isLiked ? language.say(" (you)", " (나)") : "")
                + (trip.isHidden ? language.say(" (hidden)", " (숨김)") : ""),
        ].map(\.terminalSafe)
    }

    /// `2024-05-01–03`, `2024-05-30–06-02`, `2024-12-30–01-02`, `2023-12-30–2025-01-02`.
    private func dates(_ days: DayRange) -> String {
        let (first, last) = ("\(days.first)", "\(days.last)")
        if first == last { return first }
        let common = first.prefix(8) == last.prefix(8) ? 8 : days.count <= 365 ? 5 : 0
        return first + page.dash + last.dropFirst(common)
    }

    /// Aligned columns; `nil` where they do not fit.
    private func table(_ rows: [[String]], _ parts: [Part]) -> [String]? {
        let columns = parts.map { part in
            (part: part.rawValue, width: rows.map { $0[part.rawValue].displayWidth }.max() ?? 0)
        }.filter { $0.width > 0 }
        guard columns.reduce(2 * (columns.count - 1), { $0 + $1.width }) <= page.width else { return nil }
        return rows.map { row in
            columns.enumerated().map { index, column in
                index == columns.count - 1 ? row[column.part] : row[column.part].padded(toWidth: column.width)
            }.joined(separator: "  ")
        }
    }

    /// The parts of one trip, the title first, the others below it.
    private func block(_ row: [String]) -> [String] {
        func line(_ parts: Part...) -> String {
            parts.map { row[$0.rawValue] }.filter { !$0.isEmpty }.joined(separator: page.dot)
        }
        return page.lines(line(.title, .likes)) + page.lines(line(.region, .period, .dates), indentation: 2)
            + page.lines(line(.id, .author, .sample), indentation: 2)
    }
}

/// A trip in the form of `--json`: domain values as identifiers, independent of the language.
struct TripJSON: Encodable {
    struct Author: Encodable {
        let id: String
        let nickname: String
    }

    struct Entry: Encodable {
        struct Place: Encodable {
            let name: String
            let address: String
            let latitude: Double?
            let longitude: Double?
        }

        let id: String
        let day: Int
        let date: String
        let time: String
        let title: String
        let text: String
        let place: Place?
        /// The ID of the image of the first picture.
        let image: String?
        /// The pictures in order; missing without any.
        let pictures: [Picture]?

        struct Picture: Encodable {
            /// The ID of the image.
            let image: String
            let text: String?
            /// A day and a time by the clock of the camera: `2024-05-01T09:30`.
            let taken: String?
            let latitude: Double?
            let longitude: Double?
            /// Whether everyone who sees the trip sees the position; missing without one.
            let isPositionShown: Bool?
        }
    }

    let id: String
    let title: String
    let region: String
    let firstDay: String
    let lastDay: String
    let numberOfDays: Int
    let period: String
    let season: String
    let themes: [String]
    let companions: [String]
    /// 1–4; 5 stands for five or more.
    let headcount: Int?
    let budget: String?
    let transportation: String?
    let author: Author
    /// ISO 8601, UTC.
    let createdAt: String
    /// ISO 8601, UTC: the last change of the trip or its entries.
    let updatedAt: String
    /// The number of changes, plus one.
    let version: Int
    let likeCount: Int
    let isLiked: Bool
    let isMine: Bool
    /// Whether only its author sees it, because it was reported or hidden by the owner of the server.
    let isHidden: Bool
    /// Who may see it: `me`, `link` or `everyone`.
    let audience: String
    /// Whether it is one of the trips that a new database has.
    let isSample: Bool
    /// The entries in order; missing in lists of trips.
    let timeline: [Entry]?
    /// The entry by which a search found the trip; missing if it was found by its title.
    let entry: Match?

    struct Match: Encodable {
        let id: String
        let day: Int
        let title: String
        /// The name of its place.
        let place: String?
    }

    init(_ trip: Trip, _ timeline: [TimelineEntry]? = nil, foundBy entry: MatchedEntry? = nil) {
        let content = trip.content
        id = trip.id.description
        title = content.title.text
        region = content.region.rawValue
        firstDay = content.days.first.description
        lastDay = content.days.last.description
        numberOfDays = content.days.count
        period = content.days.period.rawValue
        season = content.days.season.rawValue
        themes = Theme.allCases.filter(content.themes.contains).map(\.rawValue)
        companions = Companion.allCases.filter(content.companions.contains).map(\.rawValue)
        headcount = content.headcount?.rawValue
        budget = content.budget?.rawValue
        transportation = content.transportation?.rawValue
        author = Author(id: trip.author.id.description, nickname: trip.author.nickname.text)
        createdAt = trip.createdAt.formatted(.iso8601)
        updatedAt = trip.updatedAt.formatted(.iso8601)
        version = trip.version.number
        likeCount = trip.likeCount
        isLiked = trip.isLiked
        isMine = trip.isMine
        isHidden = trip.isHidden
        audience = content.audience.level.rawValue
        isSample = App.isSample(trip.id)
        self.timeline = timeline?.map { Entry($0, in: content.days) }
        self.entry = entry.map {
            Match(id: $0.id.description, day: $0.day, title: $0.title.text, place: $0.placeName)
        }
    }

    /// The trips as a JSON array, one per line.
    static func text(_ trips: [Trip], foundBy entries: [Trip.ID: MatchedEntry] = [:]) throws -> String {
        let lines = try trips.map { try JSONLine.text(TripJSON($0, foundBy: entries[$0.id])) }
        return lines.isEmpty ? "[]\n" : "[\n" + lines.joined(separator: ",\n") + "\n]\n"
    }
}

extension TripJSON.Entry {
    fileprivate init(_ entry: TimelineEntry, in days: DayRange) {
        id = entry.id.description
        day = entry.day
        date = days.first.adding(days: entry.day - 1).description
        time = entry.time.description
        title = entry.title.text
        text = entry.text.text
        place = entry.place.map {
            Place(
                name: $0.name, address: $0.address, latitude: $0.coordinate?.latitude,
                longitude: $0.coordinate?.longitude)
        }
        image = entry.image?.description
        pictures = entry.pictures.isEmpty ? nil : entry.pictures.map(Picture.init)
    }
}

extension TripJSON.Entry.Picture {
    fileprivate init(_ picture: Picture) {
        image = picture.id.description
        text = picture.text?.text
        taken = picture.taken.map { "\($0.day)T\($0.time)" }
        let coordinate = picture.position?.coordinate
        (latitude, longitude) = (coordinate?.latitude, coordinate?.longitude)
        isPositionShown =
            switch picture.position {
            case .shown: true
            case .mineOnly: false
            case .withheld, nil: nil
            }
    }
}

/// JSON on one line.
enum JSONLine {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        return Standard.isUTF8 ? text : ascii(text)
    }

    /// The same JSON in ASCII, which is right in every encoding: JSON itself is always UTF-8 (RFC 8259, section 8.1).
    static func ascii(_ text: String) -> String {
        text.utf16.map { unit in
            guard unit > 0x7F else { return String(UnicodeScalar(UInt8(unit))) }
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
