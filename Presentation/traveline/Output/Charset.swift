#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The encoding of a locale that is neither UTF-8 nor that of the locale `C`, such as EUC-KR.
///
/// On Apple platforms there is none: their locales are in UTF-8, and `iconv` is a library of its own there.
struct Charset: Sendable {
    private let name: String

    /// The encoding that the locale variables name; `nil` for UTF-8, where none is named, and where the system does not
    /// know it.
    init?(environment: [String: String]) {
        let locale = Page.characterLocale(in: environment)
        let encoding = locale.split(separator: ".").dropFirst().first?.split(separator: "@").first.map(String.init)
        guard let encoding, !Page.isUnicode(in: environment), Self.converts(to: encoding, from: "UTF-8") else {
            return nil
        }
        name = encoding
    }

    /// The text in this encoding; a character that it does not have becomes a similar one or a question mark.
    func encoded(_ text: String) -> [UInt8] {
        Self.convert(Array(text.utf8), to: "\(name)//TRANSLIT", from: "UTF-8", replacement: "?")
    }

    /// The text that `bytes` denote in this encoding.
    func decoded(_ bytes: [UInt8]) -> String {
        String(decoding: Self.convert(bytes, to: "UTF-8", from: name, replacement: "\u{FFFD}"), as: UTF8.self)
    }
}

#if canImport(Glibc) || canImport(Musl)
    extension Charset {
        fileprivate static func converts(to: String, from: String) -> Bool {
            let converter = iconv_open(to, from)
            guard converter != failure else { return false }
            iconv_close(converter)
            return true
        }

        /// What `iconv_open` returns for an encoding that it does not know: `(iconv_t)-1`.
        private static var failure: iconv_t? { iconv_t(bitPattern: -1) }

        fileprivate static func convert(_ bytes: [UInt8], to: String, from: String, replacement: String) -> [UInt8] {
            let converter = iconv_open(to, from)
            guard converter != failure else { return bytes }
            defer { iconv_close(converter) }
            var input = bytes.map { CChar(bitPattern: $0) }
            var result: [UInt8] = []
            var buffer = [CChar](repeating: 0, count: 4_096)
            var read = 0
            while read < input.count {
                let (consumed, written, isInvalid) = input.withUnsafeMutableBufferPointer { input in
                    buffer.withUnsafeMutableBufferPointer { buffer in
                        var source = input.baseAddress.map { $0 + read }
                        var target = buffer.baseAddress
                        var (left, room) = (input.count - read, buffer.count)
                        let code = iconv(converter, &source, &left, &target, &room)
                        let isInvalid = code == Int(bitPattern: UInt.max) && errno != E2BIG
                        return (input.count - read - left, buffer.count - room, isInvalid)
                    }
                }
                read += consumed
                result += buffer[..<written].map { UInt8(bitPattern: $0) }
                if isInvalid {
                    // An invalid byte, or the beginning of a truncated character.
                    result += Array(replacement.utf8)
                    read += 1
                }
            }
            return result
        }
    }
#else
    extension Charset {
        fileprivate static func converts(to: String, from: String) -> Bool { false }

        fileprivate static func convert(_ bytes: [UInt8], to: String, from: String, replacement: String) -> [UInt8] {
            bytes
        }
    }
#endif
