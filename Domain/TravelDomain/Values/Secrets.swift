/// A value that no description, mirror or dump shows, so that it gets into no log, message or crash report.
///
/// ```swift
/// print(try Password("open sesame"))    // •••
/// ```
public protocol Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Secret {
    public var description: String { "•••" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A password: 8–128 characters on one line.
///
/// It is in Normalization Form C (Unicode Standard Annex 15), because keyboards write the same letter in different
/// forms. White space counts, also at both ends, and so does letter case.
///
/// ```swift
/// try Password("cafe\u{301} 1950").text.unicodeScalars.count    // 9
/// try Password("sesame")                                        // throws TravelError.invalid: at least 8 characters
/// ```
public struct Password: Secret, Hashable, Sendable {
    public let text: String

    /// The allowed number of characters (extended grapheme clusters).
    public static let length = TextLimits.password.length
    /// The maximum size in UTF-8 bytes, before and after normalization. A character may have at most 32 code points.
    public static let maximumSize = TextLimits.password.size

    /// Normalizes `text` and validates it.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the password is too short, is too long, or contains a line break or
    ///   another control character.
    public init(_ text: some StringProtocol) throws(TravelError) {
        // First: normalization sorts marks, in a time that grows with the square of their number.
        try TextRules.checkSize(of: text, as: .password, .password)
        let text = String(text).normalized
        try TextRules.checkSize(of: text, as: .password, .password)
        try TextRules.validate(text, as: .password, .password, lines: .one)
        self.text = text
    }
}

extension Password {
    /// Throws unless someone may choose the password for a new account, or to replace another one. Whoever has it already
    /// signs in with it all the same.
    ///
    /// ```swift
    /// try Password("Password1").requireChoosable()    // throws TravelError.invalid: a common password
    /// ```
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the password has no visible character, or is one of the 8,342 common
    ///   passwords of Django's list (https://www.djangoproject.com, BSD licence), whatever its letter case and blanks at
    ///   both ends.
    public func requireChoosable() throws(TravelError) {
        let visible = TextRules.trimmed(text)
        guard !visible.isEmpty else { throw .invalid(.init(.password, .invisible)) }
        guard !CommonPasswords.contains(visible.lowercased()) else { throw .invalid(.init(.password, .common)) }
    }
}

/// The passwords that people who guess try first.
enum CommonPasswords {
    /// Whether the password, in lower case, is a common one.
    static func contains(_ password: String) -> Bool {
        password.utf8.count <= longest && all.contains(password[...])
    }

    private static let all = Set(
        text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }.map { Substring($0) })
    private static let longest = all.reduce(0) { max($0, $1.utf8.count) }
}

/// What a store has of a password: a slow, salted hash, with its algorithm and parameters in the text, as
/// `crypto_pwhash_str` of libsodium writes it.
public struct PasswordHash: Secret, Hashable, Sendable {
    public let text: String

    /// Creates a hash; `nil` for a text that is empty, is longer than 255 bytes, or has other characters than the visible
    /// ones of ASCII.
    public init?(_ text: String) {
        guard 1...255 ~= text.utf8.count, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        self.text = text
    }
}

/// What a device presents instead of a password: 256 random bits. A store has only its ``TokenDigest``.
public struct Token: Secret, Hashable, Sendable {
    /// The bits in the URL-safe alphabet of base 64 (RFC 4648, section 5), without padding: 43 characters.
    public let text: String

    /// The number of bytes.
    public static let size = 32

    /// Creates a token from the text that a device presents; `nil` for any text that is not the ``text`` of a token.
    public init?(_ text: some StringProtocol) {
        // The length first: 32 bytes in base 64, without padding.
        guard text.utf8.count == 43, let bytes = Data(base64Encoded: Self.standardText(of: text)),
            let token = Token(bytes: bytes), token.text == text
        else {
            return nil
        }
        self = token
    }

    /// Creates a token from 32 random bytes; `nil` for any other number.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.size else { return nil }
        text = String(
            Data(bytes).base64EncodedString().dropLast().map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }
}

extension Token {
    /// The least number of different bytes in a token that ``isPlausible`` accepts.
    static let leastDifferentBytes = 20

    /// Whether the bytes can be random ones: at least 20 of them differ. That is false for less than one of a billion
    /// random tokens, and for each of which half of the bytes are equal.
    ///
    /// A server asks for it before it accepts a token that a device has chosen.
    public var isPlausible: Bool {
        Set(Data(base64Encoded: Self.standardText(of: text)) ?? Data()).count >= Self.leastDifferentBytes
    }

    /// The text of a token in the standard alphabet of base 64, with padding.
    fileprivate static func standardText(of text: some StringProtocol) -> String {
        String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }) + "="
    }
}

/// What a store has of a ``Token``: a digest of 256 bits, from which nobody can find the token.
public struct TokenDigest: Hashable, Sendable {
    public let bytes: [UInt8]

    /// The number of bytes.
    public static let size = 32

    /// Creates a digest; `nil` unless there are 32 bytes.
    public init?(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        guard self.bytes.count == Self.size else { return nil }
    }
}
