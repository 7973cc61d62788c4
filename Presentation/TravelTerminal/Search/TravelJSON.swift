import TravelPresentation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A travel in the form of `--json`: domain values as identifiers, independent of the language.
struct TravelJSON: Encodable {
    struct Author: Encodable {
        let id: String
        let nickname: String
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
    let likeCount: Int
    let isLiked: Bool
    let isMine: Bool

    init(_ travel: Travel) {
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
        likeCount = travel.likeCount
        isLiked = travel.isLiked
        isMine = travel.isMine
    }

    /// The travels as a JSON array, one per line.
    static func text(_ travels: [Travel]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let lines = try travels.map { String(decoding: try encoder.encode(TravelJSON($0)), as: UTF8.self) }
        return lines.isEmpty ? "[]\n" : "[\n" + lines.joined(separator: ",\n") + "\n]\n"
    }
}
