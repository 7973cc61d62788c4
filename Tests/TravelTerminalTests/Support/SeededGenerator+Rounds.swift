import Foundation
import TestReporting

extension SeededGenerator {
    /// How many rounds a random test has: `TERMINAL_ROUNDS` times as many as in an ordinary run.
    static let factor = ProcessInfo.processInfo.environment["TERMINAL_ROUNDS"].flatMap(Int.init) ?? 1
}
