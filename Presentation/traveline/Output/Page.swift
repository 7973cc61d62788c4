import Foundation
import TravelPresentation
import TravelTerminal

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

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

    /// The locale for characters.
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
    var ellipsis: String { isUnicode ? "…" : "..." }

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
