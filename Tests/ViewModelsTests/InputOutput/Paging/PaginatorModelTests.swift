import TestReporting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

/// Random sequences of moves, compared with a simple model of a list.
@Suite("Random moves of a paginator", .takesTurns, .nothingSurvives)
struct PaginatorModelTests {
    @Test("a paginator equals a simple model after random moves", arguments: 0..<20)
    func random(batch: Int) {
        for number in 0..<25 {
            let seed = UInt64(batch * 25 + number)
            var draw = SeededGenerator(seed: seed)
            // Moves at even ticks, answers an odd number of ticks later: they never coincide.
            let moves = (0..<Int.random(in: 5...40, using: &draw))
                .map { _ in (tick: 2 * Int.random(in: 1...1000, using: &draw), move: Move.random(using: &draw)) }
                .sorted { $0.tick < $1.tick }
            let answers = moves.map { _ in Answer.random(using: &draw) }

            let screen = ListScreen { answers[$0] }
            for (tick, move) in moves { screen.at(tick, move) }
            let shown = screen.run()

            var model = ListModel(answers)
            for (tick, move) in moves {
                model.pass(until: tick)
                model.make(move, at: tick)
            }
            model.pass(until: .max)
            #expect(shown == model.shown, "seed \(seed)")
            #expect(screen.server.requests == model.requests, "seed \(seed)")
            #expect(screen.server.mostAtOnce <= 1, "seed \(seed)")
        }
    }
}

extension Move {
    fileprivate static func random(using draw: inout SeededGenerator) -> Move {
        switch Int.random(in: 0..<10, using: &draw) {
        case 0: .ask("a")
        case 1: .ask("b")
        case 2...5: .reachEnd
        case 6...7: .refresh
        default: .retry
        }
    }
}

extension Answer {
    fileprivate static func random(using draw: inout SeededGenerator) -> Answer {
        let delay = 2 * Int.random(in: 0...150, using: &draw) + 1
        if Int.random(in: 0..<4, using: &draw) == 0 { return .failure(after: delay) }
        let items = (0..<Int.random(in: 0...3, using: &draw)).map { _ in Int.random(in: 1...9, using: &draw) }
        let next = Bool.random(using: &draw) || Bool.random(using: &draw) ? Int.random(in: 1...99, using: &draw) : nil
        return .page(items, next: next, after: delay)
    }
}

/// A simple model of the list.
private struct ListModel {
    private(set) var shown: [String] = []
    private(set) var requests: [String] = []
    private let answers: [Answer]
    private var query: String?
    private var rows: [Int] = []
    private var cursor: Int?
    private var coming: (tick: Int, kind: String, answer: Answer)?
    private var failed: String?

    init(_ answers: [Answer]) { self.answers = answers }

    mutating func make(_ move: Move, at tick: Int) {
        switch move {
        case .ask(let query):
            self.query = query
            rows = []
            cursor = nil
            load("first", at: tick)
        case .reachEnd:
            if coming == nil, cursor != nil, failed != "next" { load("next", at: tick) }
        case .refresh:
            if query != nil, coming == nil || coming?.kind == "next" {
                load(failed == "first" ? "first" : "refresh", at: tick)
            }
        case .retry:
            if let failed { load(failed, at: tick) }
        }
    }

    /// Delivers the page that is due before `tick`.
    mutating func pass(until tick: Int) {
        guard let (arrival, kind, answer) = coming, arrival < tick else { return }
        coming = nil
        if answer.fails {
            failed = kind
            return show("failed \(kind)", at: arrival)
        }
        if kind != "next" { rows = [] }
        for item in answer.items where !rows.contains(item) { rows.append(item) }
        cursor = answer.next
        show("loaded", at: arrival)
    }

    private mutating func load(_ kind: String, at tick: Int) {
        let answer = answers[requests.count]
        requests.append((query ?? "") + (kind == "next" ? "@\(cursor ?? 0)" : ""))
        failed = nil
        coming = (tick + answer.delay, kind, answer)
        show("loading \(kind)", at: tick)
    }

    private mutating func show(_ phase: String, at tick: Int) {
        shown.append("\(tick) \(phase)" + rows.map { " \($0)" }.joined() + (cursor == nil ? "" : "+"))
    }
}
