import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Tells on standard error how far long work has got: on a terminal in one line that is rewritten, otherwise in a line
/// every few seconds, so that short work prints none.
final class ProgressLine: Sendable {
    private let isTerminal: Bool
    private let lastShown: Mutex<ContinuousClock.Instant?>

    /// How often a line is rewritten, and how often a new one is written where that is impossible.
    private static let pauses = (terminal: Duration.milliseconds(100), other: Duration.seconds(3))

    /// A line for the terminal, if it is one that can go back to the beginning of a line.
    init(environment: [String: String]) {
        isTerminal = isatty(STDERR_FILENO) != 0 && environment["TERM"] != "dumb"
        lastShown = Mutex(isTerminal ? nil : ContinuousClock.now)
    }

    /// Shows a bar: `[######----------]  37% of 79 trips`.
    func show(done: Int, of total: Int, _ what: String) {
        show(Self.bar(done: done, of: total) + " of \(what)")
    }

    /// The bar, and the percentage.
    static func bar(done: Int, of total: Int) -> String {
        let share = total > 0 ? Double(min(max(done, 0), total)) / Double(total) : 1
        let filled = Int(share * 16)
        let percent = "\(Int(share * 100))%"
        return "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: 16 - filled) + "] "
            + String(repeating: " ", count: 4 - percent.count) + percent
    }

    /// Shows the text, unless the last was shown a moment ago and this need not be shown `always`.
    func show(_ text: @autoclosure () -> String, always: Bool = false) {
        let isDue = lastShown.withLock { last in
            let now = ContinuousClock.now
            let isSoon = last.map { now - $0 < (isTerminal ? Self.pauses.terminal : Self.pauses.other) } ?? false
            if isSoon, !(always && isTerminal) { return false }
            last = now
            return true
        }
        guard isDue else { return }
        if isTerminal {
            // To the beginning of the line; the text; clear what is behind it (ECMA-48: EL).
            Standard.error.write("\r\(text())\u{1B}[K")
        } else {
            Standard.note(text())
        }
    }

    /// Takes the line away.
    func clear() {
        if isTerminal { Standard.error.write("\r\u{1B}[K") }
    }
}
