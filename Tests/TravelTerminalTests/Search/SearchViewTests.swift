import Foundation
import TestTurns
import Testing
import TravelDataInMemory
import TravelPresentation

@testable import TravelTerminal

@Suite("The printed list of travels", .takesTurns)
@MainActor
struct SearchViewTests {
    @Test("a printed table has a line for each trip, in the chosen language")
    func table() async throws {
        let text = try await view(.table, language: .korean).text(for: TravelCriteria(regions: [.busan]))
        let lines = text.split(separator: "\n")
        #expect(lines.count == SampleTrips.all.count { $0.travel.content.region == .busan })
        #expect(lines.allSatisfy { $0.contains("부산 · ") })
    }

    @Test("each column of a printed table begins in one column of the terminal", arguments: Language.allCases)
    func alignedColumns(language: Language) async throws {
        let page = try await sampleTravels().search(TravelQuery(TravelCriteria(), viewer: nil))
        let rows = page.travels.map { TravelRow($0, in: language) }
        // Titles of different widths, so that the columns behind them do not line up by chance.
        try #require(Set(rows.map(\.title.displayWidth)).count > 1)
        let starts = try zip(TravelTable(rows).text.split(separator: "\n"), rows).map { line, row in
            var end = line.startIndex
            return try [row.title, row.summary, row.dates, row.author].map { cell in
                let range = try #require(line[end...].firstRange(of: cell.terminalSafe))
                end = range.upperBound
                return String(line[..<range.lowerBound]).displayWidth
            }
        }
        #expect(starts.count == rows.count)
        #expect(Set(starts).count == 1, "the columns begin at \(Set(starts))")
    }

    @Test("printed JSON is one array, whose rows contain region identifiers")
    func json() async throws {
        let text = try await view(.json).text(for: TravelCriteria(regions: [.busan]))
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        #expect(!rows.isEmpty)
        #expect(rows.allSatisfy { $0["region"] as? String == "busan" })
    }

    @Test("a search without results prints an empty JSON array, or a sentence")
    func nothingFound() async throws {
        let criteria = TravelCriteria(keyword: Keyword("no such title"))
        #expect(try await view(.json).text(for: criteria) == "[]\n")
        #expect(try await view(.table).text(for: criteria) == "No trips found.\n")
    }

    @Test("printing reads as many pages as the limit requires, and no row twice", arguments: [1, 20, 21, 45, 1000])
    func limit(limit: Int) async throws {
        let text = try await view(.json, limit: limit).text(for: TravelCriteria())
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        #expect(rows.count == min(limit, SampleTrips.all.count))
        #expect(Set(rows.compactMap { $0["id"] as? String }).count == rows.count)
    }

    @Test("a page that fails to load throws its error message")
    func failure() async throws {
        let viewModel = HomeViewModel(
            searchTravels: SearchTravels(travels: BrokenRepository(), session: .signedOut), language: .english)
        let view = SearchView(viewModel, format: .table, language: .english, limit: 20)
        await #expect(throws: ErrorMessage(BrokenRepository.outage, in: .english)) {
            try await view.text(for: TravelCriteria())
        }
    }

    private func view(
        _ format: SearchView.Format, language: Language = .english, limit: Int = 20
    ) async throws -> SearchView {
        let viewModel = HomeViewModel(
            searchTravels: SearchTravels(travels: try await sampleTravels(), session: .signedOut), language: language)
        return SearchView(viewModel, format: format, language: language, limit: limit)
    }

    private func sampleTravels() async throws -> InMemoryTravelRepository {
        let travels = InMemoryTravelRepository()
        try await travels.add(SampleTrips.all.map(\.travel))
        return travels
    }
}

/// An unreachable repository.
private struct BrokenRepository: TravelRepository {
    static let outage = TravelError.unavailable(.init("The disk is full.", canRetry: false))

    func search(_ query: TravelQuery) async throws -> TravelPage { throw Self.outage }
    func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel { throw Self.outage }
    func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] { throw Self.outage }
    func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws { throw Self.outage }
    func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws { throw Self.outage }
}
