import Foundation
import Testing
import TestConcurrency
@testable import TravelTerminal

@Suite("The app on a terminal", .limitedConcurrency)
struct AppTests {
    @Test(
        "a trip is found in Korean, filtered, liked, written with two entries, edited, and there after a restart",
        .enabled(if: AppProgram.isBuilt))
    func journey() throws {
        try AppProgram.inFolder { start in
            let first = try start()
            // The first use signs the user of the device in.
            try first.wait(for: "나그네")
            #expect(!first.readsLines && first.screen.isFullScreen)

            // Search in Korean, open and like.
            first.send("/")
            try first.wait(for: "최근 검색어")
            first.send("올레")
            try first.wait(for: "추천") { $0.lines[1].contains("올레") }
            first.send("\r")
            try first.wait(for: "the result") { $0.lines[1].contains("/ 올레") && !$0.text.contains("최근 검색어") }
            first.send("\u{1B}")
            try first.wait(for: "all trips") { $0.lines[1].contains("제목 검색") && $0.text.contains("▸") }
            first.send("l")
            try first.wait(for: "♥")

            // Filter by a region, the last one of the country, and clear the filter.
            first.send("f")
            try first.wait(for: "[ ] 서울")
            first.send("\u{1B}[F\u{1B}[A ")
            try first.wait(for: "the chosen region") { $0.text.contains("[x] 제주") }
            first.send("\r")
            try first.wait(for: "trips to Jeju") { screen in
                let rows = screen.lines.filter { $0.contains(" · ") && $0.contains("20") }.dropFirst()
                return screen.text.contains("✓1 제주") && rows.count > 1 && rows.allSatisfy { $0.contains("제주 · ") }
            }
            first.send("c")
            try first.wait(for: "all trips again") { $0.text.contains("1 지역") && !$0.text.contains("✓1") }

            // Write a trip, and an entry with a place.
            first.send("n")
            try first.wait(for: "시작일")
            first.send("가을 경주\t2026-10-02\t\t\u{1B}[C\u{1B}[C \u{13}")
            try first.wait(for: "the new trip") { $0.text.contains("▸ 가을 경주") }
            first.send("\r")
            try first.wait(for: "기록 추가")
            first.send("n")
            try first.wait(for: "시간")
            first.send("\t\u{15}10:30\t불국사 산책\t불국사")
            try first.wait(for: "[ 불국사")
            first.send("\u{1B}[B\r")
            try first.wait(for: "⌖ 불국사")
            first.send("단풍이 들기 시작했다.\u{13}")
            try first.wait(for: "the new entry") { $0.text.contains("▸ 10:30") && $0.text.contains("불국사 산책") }

            // A second entry, without a place; then the title of the first one is edited.
            first.send("n")
            try first.wait(for: "시간")
            first.send("\t\u{15}15:00\t황리단길\t\t줄이 길었다.\u{13}")
            try first.wait(for: "the second entry") { $0.text.contains("▸ 15:00") && $0.text.contains("10:30") }
            first.send("\u{1B}[A")
            try first.wait(for: "▸ 10:30")
            first.send("e")
            try first.wait(for: "the entry to edit") { $0.text.contains("불국사 산책") && $0.text.contains("시간") }
            first.send("\t\t 2\u{13}")
            try first.wait(for: "the edited entry") { $0.text.contains("▸ 10:30") && $0.text.contains("불국사 산책 2") }
            first.send("q")
            try first.wait(for: "정렬")
            first.send("q")
            #expect(try first.end() == 0)
            #expect(first.readsLines && !first.screen.isFullScreen && first.screen.showsCursor)

            // Restart: signed in, the trip is there; delete it.
            let second = try start()
            try second.wait(for: "가을 경주")
            try second.wait(for: "나그네")
            second.send("\u{1B}[H\r")
            try second.wait(for: "both entries") { $0.text.contains("불국사 산책 2") && $0.text.contains("15:00") }
            second.send("D")
            try second.wait(for: "취소")
            second.send("\u{1B}[C\r")
            try second.wait(for: "정렬")
            try second.wait(for: "the trip to go") { !$0.text.contains("가을 경주") }
            second.send("\u{3}")
            #expect(try second.end() == 0)
            #expect(second.readsLines)

            // What was deleted in the app comes back, and one entry of it again.
            let undo = try start("undo")
            try undo.wait(for: "되살렸습니다: '가을 경주'")
            #expect(try undo.end() == 0)
            let third = try start()
            try third.wait(for: "가을 경주")
            third.send("\u{1B}[H\r")
            try third.wait(for: "▸ 10:30")
            third.send("d")
            try third.wait(for: "취소")
            third.send("\u{1B}[C\r")
            try third.wait(for: "the entry to go") { $0.text.contains("15:00") && !$0.text.contains("10:30") }
            third.send("\u{3}")
            #expect(try third.end() == 0)
            let again = try start("undo")
            try again.wait(for: "되살렸습니다: '가을 경주'의 '불국사 산책 2'")
            #expect(try again.end() == 0)
        }
    }

    @Test(
        "the first run asks whether to keep the sample trips, and does not ask again once that is answered",
        .enabled(if: AppProgram.isBuilt))
    func samples() throws {
        try AppProgram.inFolder(asks: true) { start in
            // The command that shows them comes first, as in the README.
            let search = try start("search", "바다")
            try search.wait(for: "예시")
            #expect(try search.end() == 0)
            let closed = try start()
            try closed.wait(for: "남겨 둘까요? [Y/n]")
            // Control-D: no answer.
            closed.send("\u{4}")
            try closed.wait(for: "▸")
            closed.send("q")
            #expect(try closed.end() == 0)
            let first = try start()
            try first.wait(for: "남겨 둘까요? [Y/n]")
            first.send("n\r")
            try first.wait(for: "the empty list") { $0.isFullScreen && $0.text.contains("찾은 여행이 없습니다") }
            first.send("q")
            #expect(try first.end() == 0)
            let undo = try start("undo")
            try undo.wait(for: "되살렸습니다: 여행 79개")
            #expect(try undo.end() == 0)
            let second = try start()
            try second.wait(for: "▸")
            second.send("q")
            #expect(try second.end() == 0)
        }
    }

    @Test(
        "a trip that is being written when the terminal is closed is continued the next time",
        .enabled(if: AppProgram.isBuilt))
    func draft() throws {
        try AppProgram.inFolder { start in
            let first = try start()
            try first.wait(for: "정렬")
            first.send("n")
            try first.wait(for: "시작일")
            first.send("가을 경주\t2026-10-0")
            try first.wait(for: "2026-10-0")
            first.signal(1)
            _ = try first.end()
            let second = try start()
            try second.wait(for: "the form") { $0.text.contains("가을 경주") && $0.text.contains("2026-10-0") }
            second.send("\t2\t\t\u{1B}[C\u{1B}[C \u{13}")
            try second.wait(for: "the new trip") { $0.text.contains("▸ 가을 경주") }
            second.send("\u{3}")
            #expect(try second.end() == 0)
        }
    }

    @Test(
        "an entry that is being written when the terminal is closed is continued the next time, and so is its edit",
        .enabled(if: AppProgram.isBuilt))
    func entryDraft() throws {
        try AppProgram.inFolder { start in
            let first = try start()
            try first.wait(for: "정렬")
            first.send("n")
            try first.wait(for: "시작일")
            first.send("가을 경주\t2026-10-02\t\t\u{1B}[C\u{1B}[C \u{13}")
            try first.wait(for: "the new trip") { $0.text.contains("▸ 가을 경주") }
            first.send("\r")
            try first.wait(for: "기록 추가")
            first.send("n")
            try first.wait(for: "시간")
            first.send("\t\u{15}10:30\t불국사 산책")
            try first.wait(for: "불국사 산책")
            first.signal(1)
            _ = try first.end()

            let second = try start()
            try second.wait(for: "the entry") { $0.text.contains("불국사 산책") && $0.text.contains("10:30") }
            second.send("\t\t\t\t단풍\u{13}")
            try second.wait(for: "the new entry") { $0.text.contains("▸ 10:30") && $0.text.contains("불국사 산책") }
            second.send("e")
            try second.wait(for: "the entry to edit") { $0.text.contains("불국사 산책") && $0.text.contains("시간") }
            second.send("\t\t 2")
            try second.wait(for: "불국사 산책 2")
            second.signal(1)
            _ = try second.end()

            let third = try start()
            try third.wait(for: "the edit") { $0.text.contains("불국사 산책 2") && $0.text.contains("시간") }
            third.send("\u{13}")
            try third.wait(for: "the edited entry") { $0.text.contains("▸ 10:30") && $0.text.contains("불국사 산책 2") }
            third.send("\u{3}")
            #expect(try third.end() == 0)
        }
    }

    @Test(
        "a signal that ends the app restores the terminal", .enabled(if: AppProgram.isBuilt),
        arguments: [1, 2, 11, 15] as [Int32])
    func signals(number: Int32) throws {
        try AppProgram.inFolder { start in
            let terminal = try start()
            try terminal.wait(for: "정렬")
            terminal.signal(number)
            let status = try terminal.end()
            #expect(status & 0x7F == number)
            #expect(terminal.readsLines && !terminal.screen.isFullScreen && terminal.screen.showsCursor)
        }
    }

    @Test(
        "the app follows the size of the terminal, and draws nothing while nothing happens",
        .enabled(if: AppProgram.isBuilt))
    func resize() throws {
        try AppProgram.inFolder { start in
            let terminal = try start()
            try terminal.wait(for: "나그네")
            terminal.resize(columns: 50, rows: 12)
            try terminal.wait(for: "the smaller screen") { $0.lines[11].contains("? 도움말") && $0.text.contains("▸") }
            terminal.resize(columns: 120, rows: 40)
            try terminal.wait(for: "the larger screen") { $0.lines[39].contains("? 도움말") && $0.text.contains("▸") }
            let written = terminal.output.count
            terminal.send("\u{1B}[999~")
            terminal.send("q")
            #expect(try terminal.end() == 0)
            #expect(terminal.output.count - written < 200)
        }
    }

    @Test(
        "Ctrl-Z returns the terminal to the shell, and fg returns to the app",
        .enabled(if: AppProgram.isBuilt && FileManager.default.isExecutableFile(atPath: "/bin/bash")))
    func suspend() throws {
        try AppProgram.inFolder { start in
            let shell = try start("bash")
            shell.send("'\(AppProgram.path)'\r")
            try shell.wait(for: "나그네")
            shell.send("\u{1A}")
            try shell.wait(for: "Stopped")
            #expect(!shell.screen.isFullScreen && shell.screen.showsCursor)
            shell.send("fg\r")
            try shell.wait(for: "the app") { $0.isFullScreen && $0.text.contains("나그네") && $0.text.contains("▸") }
            shell.send("q")
            // Not before the prompt: the app discards what is typed while it ends.
            try shell.wait(for: "the shell") { !$0.isFullScreen && $0.text.contains("3>") }
            shell.send("echo $((40 + 2)); exit\r")
            try shell.wait(for: "42")
        }
    }

    @Test("a link opens its screen above the list, and other words are commands", .enabled(if: AppProgram.isBuilt))
    func link() throws {
        try AppProgram.inFolder { start in
            let terminal = try start("--lang", "en", "traveline://settings")
            try terminal.wait(for: "Language")
            #expect(terminal.screen.text.contains("✓English"))
            terminal.send("q")
            try terminal.wait(for: "Search titles")
            terminal.send("q")
            #expect(try terminal.end() == 0)
        }
    }

    @Test("without a terminal the app names the commands, and exits with 64", .enabled(if: AppProgram.isBuilt))
    func noTerminal() throws {
        let result = try Shell.run(AppProgram.path)
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(result.error.contains("use a command") && result.error.contains("needs a terminal"))
    }

    @Test(
        "on a terminal that is dumb or has another encoding the app does not open, and says why",
        .enabled(if: AppProgram.isBuilt),
        arguments: [
            ("LC_ALL=C.UTF-8 TERM=dumb", "TERM is dumb"), ("LC_ALL=en_US.ISO-8859-1", "needs a terminal and a locale"),
        ])
    func unfitTerminal(environment: String, reason: String) throws {
        try AppProgram.inFolder { start in
            let shell = try start("bash")
            shell.send("\(environment) '\(AppProgram.path)'; echo $((41 + $?))\r")
            try shell.wait(for: "105")
            #expect(shell.screen.text.contains(reason))
        }
    }

    @Test("what another process writes appears by itself", .enabled(if: AppProgram.isBuilt))
    func secondProcess() throws {
        try AppProgram.inFolder { start in
            let first = try start()
            try first.wait(for: "나그네")
            let second = try start()
            try second.wait(for: "나그네")
            second.send("n")
            try second.wait(for: "시작일")
            second.send("밤 기차\t2026-10-02\t\t \u{13}")
            try second.wait(for: "▸ 밤 기차")
            try first.wait(for: "밤 기차")
            first.send("\u{3}")
            second.send("\u{3}")
            #expect(try (first.end(), second.end()) == (0, 0))
        }
    }
}

/// `traveline`, to be run on a terminal.
enum AppProgram {
    static let path = Program.path
    static let isBuilt = Program.isBuilt

    /// The database that the program makes when it starts: the sample trips, which take most of the time of a start.
    private static let samples = Result {
        let folder = try Shell.temporaryFolder()
        defer { Shell.remove(folder) }
        let file = folder.appendingPathComponent("samples.sqlite")
        _ = try Shell.run("bash", "-c", "XDG_DATA_HOME='\(folder.path)' '\(path)' search --database '\(file.path)'")
        return try Data(contentsOf: file)
    }

    /// Runs the test in a data directory with the sample trips, about which the question was answered; in an empty one if
    /// it `asks`.
    static func inFolder(
        asks: Bool = false, keepsOutput: Bool = false,
        _ body: (_ start: (_ words: String...) throws -> PseudoTerminal) throws -> Void
    ) throws {
        let folder = try Shell.temporaryFolder()
        defer { Shell.remove(folder) }
        if !asks {
            let data = folder.appendingPathComponent("traveline")
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: false)
            try Data("kept".utf8).write(to: data.appendingPathComponent("samples"))
            try samples.get().write(to: data.appendingPathComponent("trips.sqlite"))
        }
        try body { (words: String...) in
            try PseudoTerminal(
                words.first == "bash" ? "/bin/bash" : path, words.first == "bash" ? ["--norc", "-i"] : words,
                environment: [
                    "XDG_DATA_HOME": folder.path, "HOME": folder.path, "TERM": "xterm-256color",
                    "LC_ALL": "ko_KR.UTF-8",
                    "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no",
                    // The prompt of a shell has the number of the command.
                    "PS1": "\\#> ",
                ], keepsOutput: keepsOutput)
        }
    }
}

#if os(Linux) || os(macOS)
@Suite("Signals while the terminal is opened and closed", .limitedConcurrency)
struct TerminalSignalTests {
    @Test(
        "a signal at any step leaves the terminal as it was",
        arguments: [SIGTERM, SIGINT, SIGQUIT, SIGSEGV, SIGTSTP, SIGCONT])
    func everyStep(signal: Int32) async throws {
        let continues = signal == SIGTSTP || signal == SIGCONT
        for step in 0..<TerminalStep.allCases.count {
            let terminal = try PseudoTerminal()
            await #expect(processExitsWith: continues ? .success : .signal(signal), "step \(step)") {
                [path = terminal.path as String, signal = signal as Int32, step = step as Int] in
                let descriptor = open(path, O_RDWR | O_NOCTTY)
                func atStep(_ now: TerminalStep) {
                    guard now == TerminalStep.allCases[step] else { return }
                    if signal == SIGTSTP { continueSoon() }
                    kill(getpid(), signal)
                }
                let device = try TerminalDevice(input: descriptor, output: descriptor, atStep: atStep)
                device.close(atStep: atStep)
                device.end(by: nil)
                // Another thread may still be about to receive the signal.
                let isEnding = signal != SIGTSTP && signal != SIGCONT
                _ = poll(nil, 0, isEnding ? 10_000 : 300)
                exit(0)
            }
            try terminal.drain()
            #expect(terminal.readsLines, "step \(step)")
            #expect(!terminal.screen.isFullScreen && terminal.screen.showsCursor, "step \(step)")
        }
    }

    @Test(
        "a key that is a signal, typed when the app has been left, does not keep the full screen",
        .enabled(if: AppProgram.isBuilt))
    func typedAfterLeaving() throws {
        try AppProgram.inFolder { start in
            var hits = 0
            for attempt in 0..<20 where hits < 3 {
                let terminal = try start()
                try terminal.wait(for: "정렬")
                // A frame that nobody reads, as with a slow terminal: the key discards it, and all that follows it.
                terminal.resize(columns: 150, rows: 40)
                terminal.send("\u{C}\u{3}")
                let deadline = ContinuousClock.now + .seconds(10)
                while !terminal.readsLines, ContinuousClock.now < deadline {}
                terminal.send("\u{1C}")
                let status = try terminal.end() & 0x7F
                guard status == SIGQUIT else { continue }
                hits += 1
                #expect(terminal.readsLines, "attempt \(attempt)")
                #expect(!terminal.screen.isFullScreen && terminal.screen.showsCursor, "attempt \(attempt)")
            }
            #expect(hits > 0)
        }
    }
}

/// Lets this process continue when it has been stopped.
private func continueSoon() {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "sleep 0.1; kill -CONT \(getpid())"]
    #expect(throws: Never.self) { try process.run() }
}
#endif

/// The app on a terminal whose keyboard sends random bytes: `TERMINAL_BYTES` of them, or a few.
@Suite("Random bytes from a terminal", .limitedConcurrency(within: .seconds(RandomBytes.count > 10_000 ? 36_000 : 600)))
struct RandomBytesTests {
    @Test("the app continues, or ends as if left, and restores the terminal", .enabled(if: AppProgram.isBuilt))
    func randomBytes() throws {
        // The bytes go on when the app has ended: one that is a signal would discard the unread sequence that leaves the
        // full screen, and no program is left to repeat it.
        try AppProgram.inFolder(keepsOutput: true) { start in
            var state: UInt64 = 1
            var left = RandomBytes.count
            while left > 0 {
                let terminal = try start()
                // Keys that arrive before are read by the terminal itself, in whole lines.
                try terminal.wait(for: "the app") { $0.isFullScreen && !terminal.readsLines }
                var isRunning = true
                while left > 0, isRunning {
                    let bytes = (0..<min(left, 200)).map { _ in
                        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                        let byte = UInt8(truncatingIfNeeded: state >> 56)
                        // Control-C leaves the app, most of the time; control-Z would stop it for ever.
                        return byte == 0x1A || byte == 0x03 && state >> 32 & 7 != 0 ? 0x20 : byte
                    }
                    left -= bytes.count
                    isRunning = try terminal.exchange(bytes)
                }
                if isRunning { terminal.signal(15) }
                // Bytes that arrive when the app has been left are for the terminal, where some of them are signals.
                let status = try terminal.end() & 0x7F
                let isExpected = [0, 2, 3, 15].contains(status)
                #expect(isExpected, "status \(status), \(left) bytes before the end")
                #expect(terminal.readsLines, "status \(status)")
                #expect(!terminal.screen.isFullScreen && terminal.screen.showsCursor, "status \(status)")
                if !isExpected { return }
            }
        }
    }
}

private enum RandomBytes {
    static let count = ProcessInfo.processInfo.environment["TERMINAL_BYTES"].flatMap(Int.init) ?? 4_000
}
