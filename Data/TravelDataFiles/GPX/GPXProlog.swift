import Foundation

/// The first bytes of a file, which determine before parsing whether it can be GPX.
struct GPXProlog {
    /// The reason why the file cannot be GPX; `nil` if its first element is named `gpx`.
    let problem: GPXError.Problem?

    /// Inspects the first bytes of a file.
    init(_ head: Data) {
        let bytes = [UInt8](head)
        var scanner = Scanner(Self.units(bytes), isWhole: bytes.count < GPXSource.headSize)
        self.problem = Self.foreignForm(bytes).map { .notGPX($0) } ?? scanner.problem()
    }

    /// The name of another format, if the first bytes are its signature.
    private static func foreignForm(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x1F, 0x8B]) { return "a gzip archive" }
        if bytes.starts(with: Array("PK".utf8)) { return "a zip archive" }
        if bytes.dropFirst(8).starts(with: Array(".FIT".utf8)) { return "a FIT file" }
        return nil
    }

    /// The characters of the text, with 0x80 for each one outside ASCII, and without a byte order mark. The first four
    /// bytes determine the number of bytes of a character (XML 1.0, appendix F).
    private static func units(_ bytes: [UInt8]) -> [UInt8] {
        let mark: (width: Int, isBigEndian: Bool) =
            switch (bytes.first, bytes.dropFirst().first, bytes.dropFirst(2).first, bytes.dropFirst(3).first) {
            case (0xFF, 0xFE, 0, 0), (0x3C, 0, 0, 0): (4, false)
            case (0, 0, 0xFE, 0xFF), (0, 0, 0, 0x3C): (4, true)
            case (0xFF, 0xFE, _, _), (0x3C, 0, _, _): (2, false)
            case (0xFE, 0xFF, _, _), (0, 0x3C, _, _): (2, true)
            default: (1, true)
            }
        if mark.width == 1 { return Array(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]) }
        let units = stride(from: 0, through: bytes.count - mark.width, by: mark.width).map { start -> UInt8 in
            let unit = bytes[start..<start + mark.width]
            let (low, rest) = mark.isBigEndian ? (unit.last, unit.dropLast()) : (unit.first, unit.dropFirst())
            return rest.allSatisfy { $0 == 0 } ? low ?? 0x80 : 0x80
        }
        let isMarked =
            bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0, 0, 0xFE])
        return Array(isMarked ? units.dropFirst() : units[...])
    }
}

/// Skips the declarations and comments that may precede the first element.
private struct Scanner {
    private var rest: ArraySlice<UInt8>
    private let isWhole: Bool

    /// Creates a scanner of the first characters of a file; `isWhole` if the file has no others.
    init(_ characters: [UInt8], isWhole: Bool) {
        self.rest = characters[...]
        self.isWhole = isWhole
    }

    mutating func problem() -> GPXError.Problem? {
        skipSpace()
        if rest.isEmpty { return .empty }
        guard rest.first == UInt8(ascii: "<") else { return .notGPX("something other than XML") }
        while true {
            if rest.starts(with: "<?".utf8) {
                guard skip(past: "?>") else { return unfinished }
            } else if rest.starts(with: "<!--".utf8) {
                rest = rest.dropFirst(4)
                guard skip(past: "-->") else { return unfinished }
            } else if rest.starts(with: "<!DOCTYPE".utf8) || rest.starts(with: "<!doctype".utf8) {
                rest = rest.dropFirst(9)
                skipSpace()
                return name()?.lowercased() == "html" ? .notGPX("a web page") : .documentType
            } else if rest.first == UInt8(ascii: "<") {
                rest = rest.dropFirst()
                guard let name = name() else { return unfinished }
                return Self.problem(withElement: name)
            } else {
                return rest.isEmpty ? unfinished : .malformedXML("text comes before the first element")
            }
            skipSpace()
        }
    }

    private var unfinished: GPXError.Problem { isWhole ? .truncated : .notGPX("something with a very long beginning") }

    private static func problem(withElement name: String) -> GPXError.Problem? {
        switch name.split(separator: ":").last.map(String.init) {
        case "gpx": nil
        case "html", "HTML": .notGPX("a web page")
        case "kml": .notGPX("a KML file")
        case "TrainingCenterDatabase": .notGPX("a TCX file")
        default: .notGPX("XML of another kind")
        }
    }

    private mutating func skipSpace() {
        rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    }

    private mutating func skip(past mark: StaticString) -> Bool {
        let mark = Array("\(mark)".utf8)
        while !rest.isEmpty {
            if rest.starts(with: mark) {
                rest = rest.dropFirst(mark.count)
                return true
            }
            rest = rest.dropFirst()
        }
        return false
    }

    /// The next name; `nil` if the text ends within it.
    private func name() -> String? {
        let name = rest.prefix { !([0x20, 0x09, 0x0A, 0x0D] + Array("/>[".utf8)).contains($0) }
        return name.endIndex == rest.endIndex ? nil : String(decoding: name, as: UTF8.self)
    }
}
