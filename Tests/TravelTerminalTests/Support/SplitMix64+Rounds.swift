import Foundation
import TestReporting

extension SplitMix64 {
    /// How many rounds a random test has: `TERMINAL_ROUNDS` times as many as in an ordinary run.
    static let factor = ProcessInfo.processInfo.environment["TERMINAL_ROUNDS"].flatMap(Int.init) ?? 1
}
