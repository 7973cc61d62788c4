import Foundation
import TravelPresentation
import TravelTerminal

/// The standard streams of this process.
enum Standard {
    case output
    case error

    /// Opens what was closed when the process began, so that no file that is opened later takes its place, and is
    /// written to as if it were a stream.
    ///
    /// - Throws: ``OutputError`` if standard output was closed, because the output could not be shown; `UsageError` when
    ///   an argument is not text in the encoding of the locale.
    static func prepare() throws {
        // A write beyond the size that the shell allows for a file is an error then, as on a full disk.
        _ = signal(SIGXFSZ, SIG_IGN)
        let isOutputClosed = fcntl(STDOUT_FILENO, F_GETFD) < 0
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest that is free, which is this one.
            _ = open("/dev/null", O_RDWR)
        }
        if isOutputClosed { throw OutputError(number: EBADF) }
        for argument in argumentBytes { _ = try text(argument, of: "an argument", "인수") }
    }

    /// Writes the whole output to standard output before it returns.
    ///
    /// - Throws: ``OutputError``.
    static func write(_ text: String) throws {
        let code = Standard.output.write(text)
        if code != 0 { throw OutputError(number: code) }
    }

    /// Writes the bytes of a file to standard output, all of them, before it returns.
    ///
    /// - Throws: ``OutputError``.
    static func write(_ data: Data) throws {
        let code = data.withUnsafeBytes { Standard.output.write($0) }
        if code != 0 { throw OutputError(number: code) }
    }

    /// Writes a line to standard error, without control characters that files, servers or arguments have brought into
    /// it; where that is impossible there is nowhere to say so.
    static func note(_ line: String) {
        Standard.error.write("traveline: \(line.terminalSafe)\n")
    }

    /// Writes the text, all of it, before it returns, and returns an error number other than 0 where that is
    /// impossible.
    @discardableResult
    func write(_ text: String) -> Int32 {
        if let charset = Self.charset { return charset.encoded(text).withUnsafeBytes { write($0) } }
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        let descriptor = self == .output ? STDOUT_FILENO : STDERR_FILENO
        var rest = bytes
        while let start = rest.baseAddress, !rest.isEmpty {
            let written = systemWrite(descriptor, start, rest.count)
            if written < 0 && errno == EINTR { continue }
            if written <= 0 { return written < 0 ? errno : EIO }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
        }
        return 0
    }

    /// The encoding of the locale, if it is one of its own.
    private static let charset = Charset(environment: ProcessInfo.processInfo.environment)

    /// Whether text is written in UTF-8.
    static var isUTF8: Bool { charset == nil }

    /// Whether people read standard output, and no program.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) != 0 }

    /// The words behind the name of the program, in the encoding of the locale.
    static var arguments: [String] { argumentBytes.map { repairedText($0) } }

    private static var argumentBytes: [[UInt8]] {
        (1..<max(Int(CommandLine.argc), 1)).map { index in
            guard let argument = CommandLine.unsafeArgv[index] else { return [] }
            return [UInt8](UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
        }
    }

    /// The value of a variable of the environment; `nil` if it is not set, or empty.
    ///
    /// - Throws: `UsageError` when it is not text in the encoding of the locale.
    static func variable(_ name: String) throws -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return try text([UInt8](UnsafeRawBufferPointer(start: value, count: strlen(value))), of: name, name)
    }

    /// The next line of standard input, without its end; `nil` at the end of input.
    ///
    /// - Throws: `UsageError` when it is not text in the encoding of the locale.
    static func line() throws -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 && line.isEmpty { return nil }
            if count <= 0 || byte == UInt8(ascii: "\n") { return try text(line, of: "the line", "입력한 줄") }
            line.append(byte)
        }
    }

    /// The text that `bytes` denote in the encoding of the locale.
    ///
    /// - Throws: `UsageError` that names their source, when they are not text in it: a repaired text would be stored,
    ///   or be the password, instead of that of the user.
    static func text(_ bytes: [UInt8], of source: String, _ korean: String) throws -> String {
        let text = repairedText(bytes)
        // No character of another encoding becomes U+FFFD.
        let isValid = charset == nil ? Array(text.utf8) == bytes : !text.unicodeScalars.contains("\u{FFFD}")
        if isValid { return text }
        let encoding = charset?.name ?? "UTF-8"
        throw UsageError(
            "\(source) is not text in \(encoding), the encoding of the locale",
            "\(korean): 로캘의 인코딩인 \(encoding)(으)로 된 글이 아닙니다")
    }

    private static func repairedText(_ bytes: [UInt8]) -> String {
        charset?.decoded(bytes) ?? String(decoding: bytes, as: UTF8.self)
    }

    static var language: Language { Language(locale: locale(in: ProcessInfo.processInfo.environment)) }

    /// The locale of the environment, by the variables that POSIX names for messages.
    static func locale(in environment: [String: String]) -> String {
        ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// Standard output cannot be written.
struct OutputError: ReportedError {
    /// The error number of the system.
    let number: Int32

    var code: ExitCode { .outputError }
    var description: String { text(in: .english) }

    func text(in language: Language) -> String {
        let reason = String(cString: strerror(number))
        return language.say("standard output cannot be written: \(reason)", "표준 출력에 쓸 수 없습니다: \(reason)")
    }
}

/// The encoding of a locale that is neither UTF-8 nor that of the locale `C`, such as EUC-KR.
///
/// On Apple platforms there is none: their locales are in UTF-8, and `iconv` is a library of its own there.
struct Charset: Sendable {
    fileprivate let name: String

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

extension Language {
    /// What is said at once, and in one place.
    func say(_ english: String, _ korean: String) -> String { self[Text(english, korean)] }
}
