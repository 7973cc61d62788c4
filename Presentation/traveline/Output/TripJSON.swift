import Foundation
import TravelDomain

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
        /// The ID of the image.
        let image: String?
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
    /// Whether it is one of the trips that a new database has.
    let isSample: Bool
    /// The entries in order; missing in lists of trips.
    let timeline: [Entry]?

    init(_ travel: Travel, _ timeline: [TimelineEntry]? = nil) {
        let content = travel.content
        id = travel.id.description
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
        author = Author(id: travel.author.id.description, nickname: travel.author.nickname.text)
        createdAt = travel.createdAt.formatted(.iso8601)
        updatedAt = travel.updatedAt.formatted(.iso8601)
        version = travel.version.number
        likeCount = travel.likeCount
        isLiked = travel.isLiked
        isMine = travel.isMine
        isSample = App.isSample(travel.id)
        self.timeline = timeline?.map { Entry($0, in: content.days) }
    }

    /// The trips as a JSON array, one per line.
    static func text(_ travels: [Travel]) throws -> String {
        let lines = try travels.map { try JSONLine.text(TripJSON($0)) }
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
