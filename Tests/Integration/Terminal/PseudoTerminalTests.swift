import TestTurns
import Testing

/// What the tests of the app rely on.
@Suite("A program on a pseudo-terminal", .takesTurns(within: .seconds(60)))
struct PseudoTerminalTests {
    @Test("what a program writes just before it ends is on the screen")
    func lastOutput() throws {
        for _ in 0..<50 {
            // More than one read of a pseudo-terminal returns (4,095 bytes), so that the end arrives in a read of its
            // own.
            let terminal = try PseudoTerminal(
                "/bin/bash", ["--norc", "-c", "printf '%06000d' 0; printf '\\033[2J\\033[Hlast'"],
                environment: ["PATH": "/usr/bin:/bin"])
            let status = try terminal.end()
            #expect(status == 0)
            #expect(terminal.screen.text.contains("last"))
        }
    }
}
