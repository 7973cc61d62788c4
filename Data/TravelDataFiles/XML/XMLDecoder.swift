import Foundation

/// Turns the bytes of an XML file into UTF-8 that has only the characters of XML (Extensible Markup Language 1.0, fifth
/// edition, production 2).
///
/// The first bytes decide between UTF-8, UTF-16 and UTF-32 (appendix F); else the declared encoding counts.
struct XMLDecoder {
    /// The reason why decoding ends before the file does.
    enum Failure: Error {
        /// The system cannot read the file, for the reason in words.
        case unreadable(String)
        /// Bytes that are no character in the encoding, or one that XML does not have.
        case character
        /// The file ends within a character.
        case cutCharacter
    }

    private enum Encoding {
        case utf8
        case utf16(isBigEndian: Bool), utf32(isBigEndian: Bool)
        /// An encoding in which the bytes below 0x30 stand for nothing but their ASCII characters.
        case other(String.Encoding)
    }

    /// The first bytes of the file as they are.
    let head: Data

    /// The declared encoding, in a file whose first bytes do not show it.
    private let declared: String?
    private let encoding: Encoding
    private let read: () throws(Failure) -> Data?
    /// Bytes that have been read and not decoded.
    private var pending: [UInt8]
    private var isAtEnd: Bool
    /// What follows the characters that have been decoded.
    private var failure: Failure?

    /// The number of first bytes that contain the XML declaration.
    private static let headSize = 1_024
    /// The number of bytes after which a text in an encoding of several bytes has a byte below 0x30.
    private static let longestRun = 1 << 20

    /// Creates a decoder of the bytes that `read` returns piece by piece, until it returns `nil` or nothing.
    init(read: @escaping () throws(Failure) -> Data?) throws(Failure) {
        var bytes: [UInt8] = []
        var isAtEnd = false
        while bytes.count < Self.headSize, !isAtEnd {
            if let more = try read(), !more.isEmpty { bytes += more } else { isAtEnd = true }
        }
        head = Data(bytes.prefix(Self.headSize))
        let (encoding, mark) = Self.detected(in: bytes)
        declared = encoding == nil ? Self.declared(in: bytes) : nil
        // The declaration itself is decoded in any case, so that it can be reported.
        self.encoding = encoding ?? declared.map { Self.encoding(named: $0) ?? .other(.isoLatin1) } ?? .utf8
        pending = Array(bytes.dropFirst(mark))
        self.read = read
        self.isAtEnd = isAtEnd
    }

    /// Replaces `output` by the next characters; returns false at the end of the file.
    ///
    /// A failure is thrown after all characters before it have been returned.
    mutating func next(into output: inout [UInt8]) throws(Failure) -> Bool {
        output.removeAll(keepingCapacity: true)
        while true {
            if !pending.isEmpty, failure == nil { decode(into: &output) }
            if !output.isEmpty { return true }
            if let failure { throw failure }
            if isAtEnd {
                if pending.isEmpty { return false }
                failure = .cutCharacter
            } else if let more = try read(), !more.isEmpty {
                pending += more
            } else {
                isAtEnd = true
            }
        }
    }

    /// Whether the file is decoded in the encoding that its declaration names.
    func isDecoded(as name: String) -> Bool {
        declared.map { $0 == name && Self.encoding(named: name) != nil } ?? (Self.detected(in: Array(head)).0 != nil)
    }

    // MARK: Encodings

    /// The encoding that the first bytes show, and the length of the byte order mark.
    private static func detected(in bytes: [UInt8]) -> (Encoding?, mark: Int) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32(isBigEndian: false), 4) }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32(isBigEndian: true), 4) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16(isBigEndian: true), 2) }
        // The first character is in ASCII, and no character is zero.
        switch bytes.prefix(4).map({ $0 == 0 }) {
        case [false, true, true, true]: return (.utf32(isBigEndian: false), 0)
        case [true, true, true, false]: return (.utf32(isBigEndian: true), 0)
        case let zeros where zeros.starts(with: [false, true]): return (.utf16(isBigEndian: false), 0)
        case let zeros where zeros.starts(with: [true, false]): return (.utf16(isBigEndian: true), 0)
        default: return (nil, 0)
        }
    }

    /// The value of `encoding` in the XML declaration at the beginning of a text in ASCII, before which there may be blanks
    /// and comments.
    private static func declared(in bytes: [UInt8]) -> String? {
        var text = String(decoding: bytes.prefix(headSize), as: UTF8.self)[...]
        while true {
            text = text.drop { $0.isASCII && $0.isWhitespace }
            guard text.hasPrefix("<!--"), let end = text.range(of: "-->") else { break }
            text = text[end.upperBound...]
        }
        guard text.hasPrefix("<?xml") else { return nil }
        // The end may be missing in a file that was cut.
        let end = text.range(of: "?>")?.lowerBound ?? text.endIndex
        guard let key = text[..<end].range(of: "encoding") else { return nil }
        let parts = text[key.upperBound..<end].split(
            maxSplits: 2, omittingEmptySubsequences: false, whereSeparator: { $0 == "\"" || $0 == "'" })
        return parts.count == 3 ? String(parts[1]) : nil
    }

    /// The encoding with a name that is registered with IANA; `nil` for one that is not known.
    private static func encoding(named name: String) -> Encoding? {
        let name = name.lowercased()
        func numbered(_ prefix: String, _ numbers: ClosedRange<Int>, from base: UInt) -> Encoding? {
            guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)), numbers.contains(number)
            else { return nil }
            return .other(String.Encoding(rawValue: base + UInt(number - numbers.lowerBound)))
        }
        // The raw values are numbers of `CFStringEncodings`, with the highest bit.
        switch name {
        case "utf-8", "utf8": return .utf8
        case "us-ascii", "ascii": return .other(.ascii)
        case "iso-8859-1", "iso_8859-1", "latin1": return .other(.isoLatin1)
        case "windows-1250": return .other(.windowsCP1250)
        case "windows-1251": return .other(.windowsCP1251)
        case "windows-1252": return .other(.windowsCP1252)
        case "euc-kr", "ks_c_5601-1987", "ksc5601", "cp949", "uhc", "windows-949":
            return .other(String.Encoding(rawValue: 0x8000_0422))
        case "shift_jis", "windows-31j", "cp932": return .other(.shiftJIS)
        case "gb2312", "gbk", "gb18030": return .other(String.Encoding(rawValue: 0x8000_0632))
        case "big5": return .other(String.Encoding(rawValue: 0x8000_0A03))
        case "koi8-r": return .other(String.Encoding(rawValue: 0x8000_0A02))
        default:
            return numbered("iso-8859-", 2...16, from: 0x8000_0202) ?? numbered("windows-125", 3...8, from: 0x8000_0503)
        }
    }

    // MARK: Characters

    /// Decodes the complete characters among the pending bytes, up to the first invalid one.
    private mutating func decode(into output: inout [UInt8]) {
        switch encoding {
        case .utf8: decodeUTF8(into: &output)
        case .utf16(let isBigEndian): decodeUnits(of: 2, isBigEndian, into: &output)
        case .utf32(let isBigEndian): decodeUnits(of: 4, isBigEndian, into: &output)
        case .other(let encoding): decode(as: encoding, into: &output)
        }
    }

    private mutating func decodeUTF8(into output: inout [UInt8]) {
        // The buffer is not used outside of the closure, and each index is compared with its count first.
        let (end, isInvalid) = pending.withUnsafeBufferPointer { bytes in
            var position = 0
            while position < bytes.count {
                if bytes[position] < 0x80 {
                    guard Self.isCharacter(UInt32(bytes[position])) else { return (position, true) }
                    position += 1
                    continue
                }
                let rest = UnsafeBufferPointer(rebasing: bytes[position..<min(position + 4, bytes.count)])
                switch Self.length(ofCharacter: rest) {
                case .some(0): return (position, false)
                case .some(let length): position += length
                case nil: return (position, true)
                }
            }
            return (position, false)
        }
        if isInvalid { failure = .character }
        output += pending[..<end]
        pending.removeSubrange(..<end)
    }

    /// The number of bytes of a character that begins with a byte outside ASCII (RFC 3629); 0 if its end is missing,
    /// and `nil` if it is invalid or no character of XML.
    private static func length(ofCharacter bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let (length, second): (Int, ClosedRange<UInt8>) =
            switch bytes[0] {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: (0, 0...0)
            }
        guard length > 0 else { return nil }
        for index in 1..<length {
            guard index < bytes.count else { return 0 }
            guard (index == 1 ? second : 0x80...0xBF).contains(bytes[index]) else { return nil }
        }
        // U+FFFE and U+FFFF.
        return length == 3 && bytes[0] == 0xEF && bytes[1] == 0xBF && bytes[2] >= 0xBE ? nil : length
    }

    private mutating func decodeUnits(of size: Int, _ isBigEndian: Bool, into output: inout [UInt8]) {
        var position = 0
        func unit(at offset: Int) -> UInt32? {
            guard offset + size <= pending.count else { return nil }
            let bytes = pending[offset..<offset + size]
            return (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
        }
        while let first = unit(at: position) {
            var value = first
            var length = size
            if size == 2, 0xD800...0xDBFF ~= first {
                guard let second = unit(at: position + 2) else { break }
                guard 0xDC00...0xDFFF ~= second else {
                    failure = .character
                    break
                }
                value = 0x10000 + (first & 0x3FF) << 10 + second & 0x3FF
                length = 4
            }
            guard Self.isCharacter(value), let scalar = Unicode.Scalar(value) else {
                failure = .character
                break
            }
            output += UTF8.encode(scalar)!  // Every scalar has a form in UTF-8.
            position += length
        }
        pending.removeSubrange(..<position)
    }

    private mutating func decode(as encoding: String.Encoding, into output: inout [UInt8]) {
        // No character is cut after a byte below 0x30, which is one by itself.
        guard let end = isAtEnd ? pending.count : pending.lastIndex(where: { $0 < 0x30 }).map({ $0 + 1 }) else {
            if pending.count > Self.longestRun { failure = .character }
            return
        }
        if !append(pending[..<end], as: encoding, to: &output) {
            // Piece by piece, so that what comes before the invalid character is known.
            var start = 0
            while let next = pending[start..<end].firstIndex(where: { $0 < 0x30 }),
                append(pending[start...next], as: encoding, to: &output)
            {
                start = next + 1
            }
            failure = .character
        }
        pending.removeSubrange(..<end)
    }

    /// Appends a text; returns false, and appends nothing, if it is invalid.
    private func append(
        _ bytes: ArraySlice<UInt8>, as encoding: String.Encoding, to output: inout [UInt8]
    ) -> Bool {
        guard let text = String(data: Data(bytes), encoding: encoding),
            text.unicodeScalars.allSatisfy({ Self.isCharacter($0.value) })
        else { return false }
        output += text.utf8
        return true
    }

    /// Whether XML has the character with that number; surrogates are excluded elsewhere.
    static func isCharacter(_ value: UInt32) -> Bool {
        value >= 0x20 ? value < 0xFFFE || value > 0xFFFF : value == 0x09 || value == 0x0A || value == 0x0D
    }
}
