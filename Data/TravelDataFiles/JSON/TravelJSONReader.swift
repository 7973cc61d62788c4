public import Foundation
internal import TravelJSON

/// Reads trips in the JSON format of traveline, which ``TravelJSONWriter`` describes: all trips of a file or none.
///
/// ```swift
/// let trips = try TravelJSONReader().trips(at: URL(fileURLWithPath: "부산 밤바다.json"))
/// trips[0].trip.timeline.count
/// ```
///
/// Every value is checked by the rules of the domain, and every image of a trip has to be in the file. Unknown keys
/// are ignored, so that a file of a later edition of the same version can be read.
public struct TravelJSONReader: Sendable {
    private let maximumSize: Int

    public init(maximumSize: Int = TravelJSONWriter.maximumSize) {
        self.maximumSize = maximumSize
    }

    /// Returns the trips in the file at `url`, in their order.
    ///
    /// - Throws: ``TravelFileError`` with the problem, its place in the file, and the remedy.
    public func trips(at url: URL) throws(TravelFileError) -> [ExportedTrip] {
        try trips(in: FileContents.data(at: url, limit: maximumSize))
    }

    /// Returns the trips in a file that is in memory already, in their order.
    ///
    /// - Throws: ``TravelFileError`` with the problem, its place in the file, and the remedy.
    public func trips(in data: Data) throws(TravelFileError) -> [ExportedTrip] {
        try JSONText(data, limit: maximumSize).decode(TripDocument.self).trips
    }
}

/// A JSON text (RFC 8259) with valid syntax, and of a limited size and depth.
struct JSONText {
    /// The text in UTF-8, without a byte order mark.
    let data: Data

    /// The maximum nesting depth of objects and lists: several times that of any file that this module reads.
    static let maximumDepth = 32

    /// Checks `data`, which may have at most `limit` bytes.
    init(_ data: Data, limit: Int) throws(TravelFileError) {
        guard data.count <= limit else { throw TravelFileError(.tooLarge(maximumBytes: limit)) }
        let text = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
        if let problem = Self.problem(withStartOf: text) { throw TravelFileError(problem) }
        let fault = text.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> TravelFileError? in
            do throws(JSONGrammar.Fault) {
                try JSONGrammar.check(bytes, maximumDepth: Self.maximumDepth)
                return nil
            } catch {
                return TravelFileError(error.problem, at: Self.place(of: error.position, in: bytes))
            }
        }
        if let fault { throw fault }
        self.data = text
    }

    /// The problem that the first bytes show: no content, another encoding, or another format.
    private static func problem(withStartOf data: Data) -> TravelFileError.Problem? {
        let start = Array(data.prefix(4))
        let isUTF16 = start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE])
        if isUTF16 || start.count > 1 && start.prefix(2).count(where: { $0 == 0 }) == 1 {
            return .notJSON("text in UTF-16 or UTF-32")
        }
        let text = data.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }.prefix(4)
        guard let first = text.first else { return .empty }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return nil }
        if first == UInt8(ascii: "<") { return .notJSON("XML or a web page") }
        if text.starts(with: "PK".utf8) { return .notJSON("a zip archive") }
        if text.starts(with: [0x1F, 0x8B]) { return .notJSON("a gzip archive") }
        return .notJSON("something else")
    }

    /// The line and the column, counted in characters, of a byte.
    private static func place(of position: Int, in bytes: UnsafeRawBufferPointer) -> TravelFileError.Place {
        let before = bytes[..<position]
        let line = before.count { $0 == 0x0A } + 1
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return .line(line, column: String(decoding: bytes[start..<position], as: UTF8.self).count + 1)
    }
}

extension JSONText {
    func decode<Value: Decodable>(_ type: Value.Type) throws(TravelFileError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch let error as TravelFileError {
            throw error
        } catch let error as TravelJSONError {
            throw TravelFileError(error)
        } catch let error as DecodingError {
            throw TravelFileError(TravelJSONError(error))
        } catch {
            throw TravelFileError(.unexpected(expected: "in the right form"))
        }
    }
}

extension TravelFileError {
    init(_ error: TravelJSONError) {
        let problem: Problem =
            switch error.problem {
            // The grammar is checked before.
            case .malformed: .unexpected(expected: "a number in range or text in UTF-8")
            case .missing(let key): .missing(key: key)
            case .unexpected(let expected): .unexpected(expected: expected)
            case .invalid(let violation): .invalid(violation)
            case .duplicate(let id): .duplicate(id)
            }
        self.init(problem, at: error.path.map(Place.path))
    }
}

extension TravelFileError.Place {
    /// The place of a value: `trips[0].timeline[2].day`; `nil` for the root.
    init?(_ path: [any CodingKey]) {
        guard let text = TravelJSONError.text(of: path) else { return nil }
        self = .path(text)
    }
}

extension KeyedDecodingContainer {
    func place(of key: Key) -> TravelFileError.Place? { path(to: key).map(TravelFileError.Place.path) }

    /// Checks that a file has the version that this module reads.
    func requireVersion(_ supported: Int, at key: Key) throws {
        let version = try decode(Int.self, forKey: key)
        if version > supported {
            throw TravelFileError(.unsupportedVersion(version, supported: supported), at: place(of: key))
        }
        if version < supported { throw TravelFileError(.unexpected(expected: "a version from 1"), at: place(of: key)) }
    }
}

/// Checks a text against the grammar of JSON (RFC 8259), with the place of the first fault.
///
/// Foundation's parser checks a value only when it is decoded, and does not document how it reports a line. This pass
/// finds every fault of the grammar, and bounds the depth; the parser that follows finds texts that are not UTF-8.
struct JSONGrammar {
    struct Fault: Error {
        let problem: TravelFileError.Problem
        /// The position of the byte at which it was detected.
        let position: Int
    }

    private let bytes: UnsafeRawBufferPointer
    private let maximumDepth: Int
    private var position = 0

    /// Checks that `bytes` are one value with at most `maximumDepth` levels of objects and lists, and nothing after it.
    static func check(_ bytes: UnsafeRawBufferPointer, maximumDepth: Int) throws(Fault) {
        var grammar = JSONGrammar(bytes: bytes, maximumDepth: maximumDepth)
        try grammar.value(depth: 0)
        grammar.skipSpace()
        if grammar.position < bytes.count { throw grammar.malformed("there is content after the end of the value") }
    }

    private mutating func value(depth: Int) throws(Fault) {
        skipSpace()
        switch try next() {
        case UInt8(ascii: "{"): try object(depth: depth + 1)
        case UInt8(ascii: "["): try list(depth: depth + 1)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        case UInt8(ascii: "-"), 0x30...0x39: try number()
        case UInt8(ascii: "'"): throw malformed("text has quotation marks other than \"")
        case UInt8(ascii: "}"), UInt8(ascii: "]"): throw malformed("a value is missing before a bracket")
        case UInt8(ascii: ","), UInt8(ascii: ":"): throw malformed("a value is missing")
        default: throw malformed("a value is neither text in \" nor a number, true, false or null")
        }
    }

    private mutating func object(depth: Int) throws(Fault) {
        try enter(depth)
        if try isClosed("}") { return }
        repeat {
            skipSpace()
            guard try next() == UInt8(ascii: "\"") else { throw malformed("a key in \" is missing") }
            try string()
            skipSpace()
            guard try next() == UInt8(ascii: ":") else { throw malformed("a colon is missing after a key") }
            position += 1
            try value(depth: depth)
        } while try isContinued(until: "}")
    }

    private mutating func list(depth: Int) throws(Fault) {
        try enter(depth)
        if try isClosed("]") { return }
        repeat { try value(depth: depth) } while try isContinued(until: "]")
    }

    private mutating func enter(_ depth: Int) throws(Fault) {
        if depth > maximumDepth { throw Fault(problem: .tooDeep(maximumDepth: maximumDepth), position: position) }
        position += 1
    }

    private mutating func isClosed(_ bracket: Unicode.Scalar) throws(Fault) -> Bool {
        skipSpace()
        guard try next() == UInt8(ascii: bracket) else { return false }
        position += 1
        return true
    }

    /// Whether a comma follows; if not, steps over the bracket.
    private mutating func isContinued(until bracket: Unicode.Scalar) throws(Fault) -> Bool {
        skipSpace()
        switch try next() {
        case UInt8(ascii: ","):
            position += 1
            return true
        case UInt8(ascii: bracket):
            position += 1
            return false
        default: throw malformed("a comma or \(bracket) is missing")
        }
    }

    private mutating func string() throws(Fault) {
        position += 1
        while true {
            let byte = try next()
            position += 1
            if byte == UInt8(ascii: "\"") { return }
            if byte == UInt8(ascii: "\\") { try escape() }
            if byte < 0x20 {
                position -= 1
                throw malformed("text contains a line break or another control character; escape it, as in \\n")
            }
        }
    }

    private mutating func escape() throws(Fault) {
        let byte = try next()
        position += 1
        if byte == UInt8(ascii: "u") {
            for _ in 0..<4 {
                switch try next() {
                case 0x30...0x39, 0x41...0x46, 0x61...0x66: position += 1
                default: throw malformed("\\u is not followed by four hexadecimal digits")
                }
            }
        } else if !"\"\\/bfnrt".utf8.contains(byte) {
            position -= 1
            throw malformed("text contains a \\ that begins no escape sequence; write it as \\\\")
        }
    }

    private mutating func word(_ word: StaticString) throws(Fault) {
        for offset in 0..<word.utf8CodeUnitCount {
            guard try next() == word.utf8Start[offset] else {
                throw malformed("a value is neither text in \" nor a number, true, false or null")
            }
            position += 1
        }
    }

    private mutating func number() throws(Fault) {
        if try next() == UInt8(ascii: "-") { position += 1 }
        if try next() == UInt8(ascii: "0") {
            position += 1
            if digits() > 0 { throw malformed("a number begins with 0") }
        } else if digits() == 0 {
            throw malformed("a number has no digits")
        }
        if peek() == UInt8(ascii: ".") {
            position += 1
            if try digitsOrEnd() == 0 { throw malformed("a number has no digits after the point") }
        }
        if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
            position += 1
            if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
            if try digitsOrEnd() == 0 { throw malformed("a number has no digits in its exponent") }
        }
    }

    private mutating func digitsOrEnd() throws(Fault) -> Int {
        _ = try next()
        return digits()
    }

    /// Steps over digits, and returns how many there were.
    private mutating func digits() -> Int {
        let start = position
        while let byte = peek(), (0x30...0x39).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private func next() throws(Fault) -> UInt8 {
        guard position < bytes.count else { throw Fault(problem: .truncated, position: bytes.count) }
        return bytes[position]
    }

    private func malformed(_ words: String) -> Fault { Fault(problem: .malformedJSON(words), position: position) }
}
