#if Server
import Foundation

/// A form with files as a browser sends it (`multipart/form-data`: RFC 7578, and RFC 2046, section 5.1).
///
/// ```swift
/// let form = try MultipartForm(body, contentType: "multipart/form-data; boundary=x")
/// form.fields    // [("title", "Busan")]
/// form.files     // [("files", "sea.jpg", [0xFF, 0xD8, …])]
/// ```
///
/// It is strict: what browsers do not send is refused, and so is a body that ends anywhere but behind its last delimiter.
struct MultipartForm {
    private(set) var fields: [(name: String, value: String)] = []
    private(set) var files: [File] = []

    typealias File = (name: String, fileName: String, bytes: ArraySlice<UInt8>)

    static let maximumPartCount = 400
    /// The bytes that the head of a part may have.
    static let maximumHeadSize = 4_096
    /// The bytes that the texts of all fields may have.
    static let maximumFieldSize = 262_144

    struct Malformed: Error, Hashable {}

    init(_ body: [UInt8], contentType: String) throws(Malformed) {
        guard let boundary = Self.boundary(of: contentType) else { throw Malformed() }
        let delimiter = Array("\r\n--\(boundary)".utf8)
        var rest = body[...]
        // The first delimiter has no line before it.
        guard rest.starts(with: delimiter[2...]) else { throw Malformed() }
        rest = rest.dropFirst(delimiter.count - 2)
        var (count, fieldSize) = (0, 0)
        while true {
            if rest.starts(with: Self.end) {
                rest = rest.dropFirst(2)
                guard rest.isEmpty || rest.elementsEqual(Self.lineBreak) else { throw Malformed() }
                return
            }
            guard rest.starts(with: Self.lineBreak), count < Self.maximumPartCount else { throw Malformed() }
            rest = rest.dropFirst(2)
            count += 1
            guard let headEnd = Self.index(of: Self.blankLine, in: rest.prefix(Self.maximumHeadSize)),
                let disposition = Self.disposition(of: rest[..<headEnd])
            else { throw Malformed() }
            rest = rest[(headEnd + 4)...]
            // The line break before a delimiter belongs to it.
            guard let end = Self.index(of: delimiter, in: rest) else { throw Malformed() }
            let content = rest[..<end]
            rest = rest[(end + delimiter.count)...]
            if let fileName = disposition.fileName {
                // A field without a chosen file is sent as an empty one.
                if !fileName.isEmpty || !content.isEmpty { files.append((disposition.name, fileName, content)) }
            } else {
                fieldSize += content.count
                guard fieldSize <= Self.maximumFieldSize else { throw Malformed() }
                fields.append((disposition.name, String(decoding: content, as: UTF8.self)))
            }
        }
    }

    private static let end = Array("--".utf8)
    private static let lineBreak = Array("\r\n".utf8)
    private static let blankLine = Array("\r\n\r\n".utf8)

    /// The first index at which `bytes` have the pattern.
    private static func index(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        let (base, count) = (bytes.startIndex, bytes.count)
        return bytes.withUnsafeBytes { bytes -> Int? in
            // Both buffers are valid during the call; `memchr` finds the first byte, which is rare in pictures.
            guard let start = bytes.baseAddress, count >= pattern.count else { return nil }
            var offset = 0
            while offset <= count - pattern.count {
                guard let found = memchr(start + offset, Int32(pattern[0]), count - pattern.count + 1 - offset) else {
                    return nil
                }
                offset = UnsafeRawPointer(found) - start
                if memcmp(start + offset, pattern, pattern.count) == 0 { return base + offset }
                offset += 1
            }
            return nil
        }
    }

    /// The boundary of a media type (RFC 2046, section 5.1.1); `nil` for another media type, or one that no browser makes.
    private static func boundary(of contentType: String) -> String? {
        let parts = contentType.split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.count == 2, parts[0].lowercased() == "multipart/form-data" else { return nil }
        guard parts[1].lowercased().hasPrefix("boundary=") else { return nil }
        var boundary = parts[1].dropFirst("boundary=".count)
        if boundary.count >= 2, boundary.first == "\"", boundary.last == "\"" {
            boundary = boundary.dropFirst().dropLast()
        }
        let allowed = boundary.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"):
                true
            default: "'()+_,-./:=?".utf8.contains(byte)
            }
        }
        return allowed && (1...70).contains(boundary.utf8.count) ? String(boundary) : nil
    }

    /// The name of the part, and the one of its file; `nil` for a head that no browser makes.
    private static func disposition(of head: ArraySlice<UInt8>) -> (name: String, fileName: String?)? {
        guard let text = String(validating: head, as: UTF8.self), !text.unicodeScalars.contains("\u{0}") else {
            return nil
        }
        var found: (name: String, fileName: String?)?
        for line in text.components(separatedBy: "\r\n") {
            guard let colon = line.firstIndex(of: ":"),
                !line.unicodeScalars.contains(where: { "\r\n".unicodeScalars.contains($0) })
            else { return nil }
            switch line[..<colon].lowercased() {
            case "content-disposition":
                guard found == nil, let parsed = parameters(of: line[line.index(after: colon)...]) else { return nil }
                found = parsed
            case "content-type": break
            default: return nil
            }
        }
        return found
    }

    /// Reads `form-data; name="files"; filename="a.jpg"`. In a value, browsers write a quotation mark as `%22`.
    private static func parameters(of value: Substring) -> (name: String, fileName: String?)? {
        var rest = value.drop { $0 == " " }
        guard rest.hasPrefix("form-data") else { return nil }
        rest = rest.dropFirst("form-data".count)
        var values: [String: String] = [:]
        while !rest.isEmpty {
            guard rest.first == ";" else { return nil }
            rest = rest.dropFirst().drop { $0 == " " }
            guard let equals = rest.firstIndex(of: "=") else { return nil }
            let name = String(rest[..<equals])
            rest = rest[equals...].dropFirst()
            guard rest.first == "\"", ["name", "filename"].contains(name), values[name] == nil,
                let end = rest.dropFirst().firstIndex(of: "\"")
            else { return nil }
            values[name] = rest[rest.index(after: rest.startIndex)..<end]
                .replacingOccurrences(of: "%22", with: "\"").replacingOccurrences(of: "%0D%0A", with: "\n")
            rest = rest[end...].dropFirst()
        }
        return values["name"].map { ($0, values["filename"]) }
    }
}
#endif
