import Foundation
import TestTurns
import Testing

/// The app on a terminal whose keyboard sends random bytes: `TERMINAL_BYTES` of them, or a few.
@Suite("Random bytes from a terminal", .takesTurns(within: .seconds(RandomBytes.count > 10_000 ? 36_000 : 300)))
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
