import MeasuredTerminal

/// The keys that both screens understand.
enum Key {
    case up, down, pageUp, pageDown

    /// What a keyboard sends for it.
    var bytes: String.UTF8View {
        switch self {
        case .up: "\u{1B}[A".utf8
        case .down: "\u{1B}[B".utf8
        case .pageUp: "\u{1B}[5~".utf8
        case .pageDown: "\u{1B}[6~".utf8
        }
    }
}

/// The app on a screen in memory, and the processor's time that it takes.
@MainActor
final class AppScreen {
    private let session: HeadlessSession
    private var waiting: CheckedContinuation<Void, Never>?
    private var hasChanged = false
    private var times: [Double] = []

    init(_ useCases: ScreenUseCases) {
        session = HeadlessSession(
            useCases, language: .english, columns: AppBenchmarks.columns, rows: AppBenchmarks.rows,
            environment: ["TERM": "xterm-256color", "COLORTERM": "truecolor"])
        session.changed = { [weak self] in
            guard let self else { return }
            hasChanged = true
            waiting?.resume()
            waiting = nil
        }
    }

    var text: String { session.text }

    /// Presses keys, draws, and keeps the time of both.
    func measure(_ press: (HeadlessSession) -> Void) {
        let start = Report.Clock.processor.now
        press(session)
        _ = session.draw()
        times.append(Double(Report.Clock.processor.now - start))
    }

    /// Draws each change until the screen is as it should be, and adds the time to that of the last press, or keeps it
    /// where there was none.
    func measureWait(until condition: (String) -> Bool) async {
        var time = 0.0
        while !condition(text) {
            let start = Report.Clock.processor.now
            await change()
            _ = session.draw()
            time += Double(Report.Clock.processor.now - start)
        }
        if times.isEmpty { times.append(time) } else { times[times.count - 1] += time }
    }

    /// Draws each change until the screen is as it should be.
    func wait(until condition: (String) -> Bool) async {
        _ = session.draw()
        while !condition(text) {
            await change()
            _ = session.draw()
        }
    }

    /// The first line that differs from that of a text, when what is under way has had a second to end; `nil` if none
    /// does.
    func difference(from expected: String) async -> String? {
        for _ in 0..<100 where text != expected { try? await Task.sleep(for: .milliseconds(10)) }
        let lines = zip(text.split(separator: "\n"), expected.split(separator: "\n"))
        if text == expected { return nil }
        return lines.first { $0 != $1 }.map { "'\($0)', by hand '\($1)'" } ?? "a line more"
    }

    private func change() async {
        if !hasChanged { await withCheckedContinuation { waiting = $0 } }
        hasChanged = false
    }

    /// The times since the last call, in nanoseconds.
    func takeTimes() -> [Double] {
        defer { times = [] }
        return times
    }

    func close() { session.close() }

    isolated deinit { session.close() }
}
