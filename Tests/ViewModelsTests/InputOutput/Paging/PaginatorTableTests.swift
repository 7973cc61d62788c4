import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

/// The effect of each move in each phase.
@Suite("A paginator by phase and move", .takesTurns, .nothingSurvives)
struct PaginatorTableTests {
    /// How the list enters a phase; the last of these moves is at 400, and the phase begins at 450 at the latest.
    enum Situation: String, CaseIterable, CustomTestStringConvertible {
        case loadingFirst, failedFirst, more, all, loadingNext, failedNext, refreshing, failedRefresh

        var testDescription: String { rawValue }

        var answers: [Answer] {
            switch self {
            case .loadingFirst: [.page([1], next: 1, after: 500)]
            case .failedFirst: [.failure()]
            case .more: [.page([1], next: 1)]
            case .all: [.page([1])]
            case .loadingNext, .refreshing: [.page([1], next: 1), .page([2], next: 2, after: 300)]
            case .failedNext, .failedRefresh: [.page([1], next: 1), .failure(after: 50)]
            }
        }

        var moves: [(Int, Move)] {
            switch self {
            case .loadingFirst: [(400, .ask("a"))]
            case .failedFirst, .more, .all: [(10, .ask("a"))]
            case .loadingNext, .failedNext: [(10, .ask("a")), (400, .reachEnd)]
            case .refreshing, .failedRefresh: [(10, .ask("a")), (400, .refresh)]
            }
        }

        /// What the list loads after the move, if that is new.
        func begins(_ move: Move) -> ListScreen.List.Load? {
            switch (self, move) {
            case (_, .ask): .first
            case (.more, .reachEnd), (.failedRefresh, .reachEnd): .next
            case (_, .reachEnd): nil
            case (.loadingFirst, .refresh), (.refreshing, .refresh): nil
            case (.failedFirst, .refresh): .first
            case (_, .refresh): .refresh
            case (.failedFirst, .retry): .first
            case (.failedNext, .retry): .next
            case (.failedRefresh, .retry): .refresh
            case (_, .retry): nil
            }
        }
    }

    static let tried: [Move] = [.ask("b"), .reachEnd, .refresh, .retry]

    @Test(
        "each move in each phase of a paginator starts the specified load or none", arguments: Situation.allCases, tried
    )
    func moves(_ situation: Situation, _ move: Move) {
        let answers = situation.answers + [.page([9])]
        let screen = ListScreen { answers[min($0, answers.count - 1)] }
        for (tick, move) in situation.moves { screen.at(tick, move) }
        screen.at(500, move)
        let begun = screen.run().filter { $0.hasPrefix("500 ") }
        #expect(begun.count == (situation.begins(move) == nil ? 0 : 1))
        if let load = situation.begins(move) { #expect(begun.first?.hasPrefix("500 loading \(load)") == true) }
        #expect(screen.server.mostAtOnce == 1)
    }
}
