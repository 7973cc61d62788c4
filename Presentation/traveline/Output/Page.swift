import Foundation
import Synchronization
import TravelPresentation
import TravelTerminal

/// What printed text has to fit: a width, and the characters of a locale.
struct Page: Sendable {
    /// The number of columns.
    let width: Int
    /// Whether ornaments may be other than ASCII: the locale has the encoding UTF-8.
    ///
    /// What people wrote is printed in UTF-8, unless the locale names another encoding (``Charset``). In the locale
    /// `C`, which many systems have without being asked, terminals show it nevertheless (as PEP 538 explains for
    /// Python).
    let isUnicode: Bool

    init(width: Int, isUnicode: Bool) {
        self.width = max(width, 20)
        self.isUnicode = isUnicode
    }

    /// The page of standard output.
    static var standard: Page {
        let environment = ProcessInfo.processInfo.environment
        return Page(width: columns(in: environment), isUnicode: isUnicode(in: environment))
    }

    /// Whether the locale for characters, by the variables that POSIX names, has the encoding UTF-8.
    static func isUnicode(in environment: [String: String]) -> Bool {
        let encoding = characterLocale(in: environment).split(separator: ".").dropFirst().first?.split(separator: "@")
            .first?.lowercased()
        return encoding == "utf-8" || encoding == "utf8"
    }

    static func characterLocale(in environment: [String: String]) -> String {
        ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    }

    private static func columns(in environment: [String: String]) -> Int {
        if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 { return columns }
        var size = winsize()
        #if canImport(Darwin)
        let request = TIOCGWINSZ
        #else
        let request = UInt(TIOCGWINSZ)
        #endif
        if isatty(STDOUT_FILENO) != 0, ioctl(STDOUT_FILENO, request, &size) == 0, size.ws_col > 0 {
            return Int(size.ws_col)
        }
        return 80
    }

    var heart: String { isUnicode ? "♥" : "*" }
    var dot: String { isUnicode ? " · " : " - " }
    var dash: String { isUnicode ? "–" : "-" }

    /// A text of this program with the characters of the page: ornaments other than ASCII are replaced where they are
    /// not expected.
    func plain(_ text: String) -> String {
        if isUnicode { return text }
        return [("–", "-"), ("·", "-"), ("…", "..."), ("₩", "KRW "), ("♥", "*")].reduce(text) {
            $0.replacing($1.0, with: $1.1)
        }
    }

    /// The text in lines of at most the width, after `indentation` spaces; a word that is wider is divided.
    func lines(_ text: String, indentation: Int = 0) -> [String] {
        let room = max(width - indentation, 2)
        let space = String(repeating: " ", count: indentation)
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { paragraph in
            var lines: [String] = []
            var line = ""
            for word in paragraph.split(separator: " ") {
                let word = String(word).terminalSafe
                if !line.isEmpty, line.displayWidth + 1 + word.displayWidth <= room {
                    line += " " + word
                    continue
                }
                if !line.isEmpty { lines.append(line) }
                line = ""
                for character in word {
                    if line.displayWidth + String(character).displayWidth > room {
                        lines.append(line)
                        line = ""
                    }
                    line.append(character)
                }
            }
            return (lines + [line]).map { $0.isEmpty ? "" : space + $0 }
        }
    }
}

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

/// A question before something is removed, or shown to others.
enum Confirmation {
    /// Asks on the terminal; everything but ``answer(to:)`` yes declines.
    ///
    /// - Throws: `UsageError` without a terminal to ask on; `CommandError` when the user declines.
    static func require(_ question: String) throws {
        guard let isYes = try answer(to: question) else {
            throw UsageError(
                "there is no terminal to ask on; confirm with --yes", "여기서는 물어볼 수 없습니다. 확인했다면 --yes를 붙이세요")
        }
        if !isYes { throw CommandError("nothing was changed", "아무것도 바꾸지 않았습니다", .success) }
    }

    /// Asks on the terminal; `y`, `yes` and `네` are yes, and `ㅛ`, which is `y` in the Korean layout. `nil` without a terminal
    /// to ask on.
    static func answer(to question: String) throws -> Bool? {
        guard isatty(STDIN_FILENO) != 0, isatty(STDERR_FILENO) != 0 else { return nil }
        Standard.error.write("\(question) [y/N] ")
        let answer = try Standard.line()?.trimmingPrefix { $0 == " " }.lowercased() ?? ""
        return ["y", "yes", "네", "예", "ㅇ", "ㅛ"].contains(String(answer))
    }
}
