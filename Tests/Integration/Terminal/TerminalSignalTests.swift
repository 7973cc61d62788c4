import Foundation
import TestTurns
import Testing

@testable import TravelTerminal

#if os(Linux) || os(macOS)
@Suite("Signals while the terminal is opened and closed", .takesTurns(within: .seconds(300)))
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
