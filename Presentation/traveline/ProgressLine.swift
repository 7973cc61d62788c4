import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One line on standard error that tells how far work has got, rewritten as it goes on; nothing unless a person watches.
final class ProgressLine: Sendable {
    private let isShown: Bool
    private let lastShown: Mutex<ContinuousClock.Instant?> = Mutex(nil)

    /// A line for a terminal that can go back to the beginning of a line.
    init(environment: [String: String]) {
        isShown = isatty(STDERR_FILENO) != 0 && environment["TERM"] != "dumb"
    }

    /// Shows the text, unless the last was shown a moment ago and this need not be shown `always`.
    func show(_ text: @autoclosure () -> String, always: Bool = false) {
        guard isShown else { return }
        let isDue = lastShown.withLock { last in
            let now = ContinuousClock.now
            if let last, !always, now - last < .milliseconds(100) { return false }
            last = now
            return true
        }
        // To the beginning of the line; the text; clear what is behind it (ECMA-48: EL).
        if isDue { Standard.error.write("\r\(text())\u{1B}[K") }
    }

    /// Takes the line away.
    func clear() {
        if isShown { Standard.error.write("\r\u{1B}[K") }
    }
}
