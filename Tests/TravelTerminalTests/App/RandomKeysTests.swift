import Foundation
import Testing
import TestReporting
import TestConcurrency
@testable import TravelTerminal

/// The whole app under keys that nobody would press, in virtual time, on a screen whose size changes.
@MainActor
@Suite("Random keys", .limitedConcurrency(within: .seconds(TerminalBytes.count > 10_000 ? 36_000 : 600)))
struct RandomKeysTests {
    /// What a keyboard sends, besides random bytes.
    private static let keys =
        [
            "\u{1B}", "\r", "\t", "\u{1B}[Z", "\u{7F}", " ", "\u{13}", "\u{15}", "\u{3}", "\u{C}",
            "\u{1B}[200~부산\n여행\u{1B}[201~",
        ]
        + "ABCDHF".map { "\u{1B}[\($0)" } + ["5", "6", "3", "2"].map { "\u{1B}[\($0)~" }
        + "/fslnmrcq?,jkgGehtbdDxop12345678부산가🇰🇷é\u{301}".map { String($0) }
        + ["2026-05-01", "09:30", "해운대", "trip.jpg"]

    private static let environment = ["TERM": "xterm-256color", "COLORTERM": "truecolor"]

    private static func bytes(_ seed: UInt64, using random: inout SeededGenerator) -> [UInt8] {
        // Typed slowly, quickly, and by a machine.
        let count = Int.random(in: 1...([8, 64, 2048].randomElement(using: &random) ?? 1), using: &random)
        if seed.isMultiple(of: 2) { return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }
        return (0..<max(1, count / 4)).flatMap { _ in Array((keys.randomElement(using: &random) ?? "").utf8) }
    }

    private static func world() throws -> AppWorld {
        let world = AppWorld()
        for number in 1...25 {
            try world.add(
                UInt64(number), "여행 \(number) 👨‍👩‍👧", by: number.isMultiple(of: 2) ? AppWorld.me : AppWorld.jun, days: 3,
                entries: [(1, 9, "광안리", "광안리 해수욕장"), (1, 12, "밀면", nil), (3, 20, "야경", "황령산")])
        }
        return world
    }

    @Test("no bytes from the keyboard make the app crash, and the terminal shows every frame", arguments: 0..<UInt64(4))
    func randomBytes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var world = try Self.world()
        var run = AppRun(world, language: .korean)
        var session = HeadlessSession(run.app, run.size, environment: Self.environment)
        var terminal = TerminalEmulator(run.size)
        var decoder = InputDecoder()
        var sent = 0
        while sent < TerminalBytes.count / 4 {
            let bytes = Self.bytes(seed, using: &random)
            sent += bytes.count
            run.send(decoder.decode(bytes), to: session)
            if Int.random(in: 0..<4, using: &random) == 0 {
                run.send(decoder.flush(), to: session)
                run.pass([10, 50, 400, 5000].randomElement(using: &random) ?? 0)
            }
            if Int.random(in: 0..<50, using: &random) == 0 {
                let size = Size(
                    columns: Int.random(in: 1...120, using: &random), rows: Int.random(in: 1...40, using: &random))
                session.resize(columns: size.columns, rows: size.rows)
                terminal = TerminalEmulator(size)
            }
            terminal.receive(session.draw())
            if Int.random(in: 0..<16, using: &random) == 0 {
                let isShown = session.shown.map(terminal.shows) == true
                #expect(isShown && terminal.errors == [], "seed \(seed), byte \(sent)")
                if !isShown { return }
            }
            guard session.hasEnded else { continue }
            // Left: opened again, with the screens as they were, and sometimes in another world.
            let open = run.app.openScreens
            run.close(session)
            if Bool.random(using: &random) { world = try Self.world() }
            run = AppRun(world, language: Bool.random(using: &random) ? .korean : .english, restoring: open)
            session = HeadlessSession(run.app, run.size, environment: Self.environment)
            terminal = TerminalEmulator(run.size)
        }
        run.close(session)
    }
}

/// How many random bytes the app receives: `TERMINAL_BYTES`, or a few.
enum TerminalBytes {
    static let count = ProcessInfo.processInfo.environment["TERMINAL_BYTES"].flatMap(Int.init) ?? 2_000
}

extension SeededGenerator {
    /// How many rounds a random test has: `TERMINAL_ROUNDS` times as many as in an ordinary run.
    static let factor = ProcessInfo.processInfo.environment["TERMINAL_ROUNDS"].flatMap(Int.init) ?? 1
}
