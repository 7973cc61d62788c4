import Foundation

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
