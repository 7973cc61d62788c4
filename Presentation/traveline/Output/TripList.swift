import TravelDomain
import TravelPresentation
import TravelTerminal

/// Trips as lines: one each where that fits the page, otherwise a block of lines each.
struct TripList {
    private let travels: [Travel]
    private let ids: [Travel.ID: String]
    private let language: Language
    private let page: Page

    /// A list of trips; `ids` are the short forms of their IDs.
    init(_ travels: [Travel], ids: [Travel.ID: String], in language: Language, on page: Page) {
        self.travels = travels
        self.ids = ids
        self.language = language
        self.page = page
    }

    /// The lines, each with a line break; empty when there are no trips.
    var text: String {
        let rows = travels.map(row)
        let lines = Self.layouts.lazy.compactMap { table(rows, $0) }.first ?? rows.flatMap(block)
        return lines.map { $0 + "\n" }.joined()
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
    private func row(_ travel: Travel) -> [String] {
        return [
            ids[travel.id] ?? "\(travel.id)", travel.title.text, travel.region.name(in: language),
            travel.days.period.name(in: language), dates(travel.days), travel.author.nickname.text,
            App.isSample(travel.id) ? language.say("sample", "예시") : "",
            "\(page.heart) \(travel.likeCount)" + (travel.isLiked ? language.say(" (you)", " (나)") : ""),
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
