/// The lengths of all texts, in characters (extended grapheme clusters).
enum TextLimits {
    /// A page of titles stays readable, and the sets by which a store finds a title stay few.
    static let title = 1...60
    static let entryText = 1...5_000
    static let nickname = 2...10
    static let password = 8...128
    static let placeName = 1...100
    static let placeAddress = 0...200
    /// A keyword is not validated: what a person types is searched as far as this.
    static let keyword = 100
}

/// The validation rules that all user-written text shares.
enum TextRules {
    enum Lines { case one, many }

    /// Trims `text` and checks its length and its control characters.
    ///
    /// Length counts extended grapheme clusters: a syllable, an accented letter or an emoji sequence is one character.
    static func validated(
        _ text: String, as field: Violation.Field, length: ClosedRange<Int>, lines: Lines
    ) throws(TravelError) -> String {
        let text = trimmed(text)
        try validate(text, as: field, length: length, lines: lines)
        return text
    }

    /// Checks the length and the control characters of `text`, blanks at both ends included.
    static func validate(
        _ text: String, as field: Violation.Field, length: ClosedRange<Int>, lines: Lines
    ) throws(TravelError) {
        let count = text.count
        guard count >= length.lowerBound else {
            throw .invalid(.init(field, .tooShort(minimum: length.lowerBound)))
        }
        guard count <= length.upperBound else {
            throw .invalid(.init(field, .tooLong(maximum: length.upperBound)))
        }
        guard !text.unicodeScalars.contains(where: { isForbidden($0, lines) }) else {
            throw .invalid(.init(field, .controlCharacter))
        }
    }

    /// The beginning of `text` that fits, with `…` where it is cut; `nil` when only white space remains. Counts in
    /// `cuts` that something was cut, which a person must be told.
    static func shortened(
        _ text: some StringProtocol, to maximum: Int, lines: Lines, cuts: inout Int
    ) -> String? {
        let text = trimmed(withoutControls(text, lines))
        if text.isEmpty { return nil }
        guard text.count > maximum else { return text }
        cuts += 1
        return trimmed(String(text.prefix(maximum - 1))) + "…"
    }

    /// `text` with spaces in place of the characters that a text of this kind cannot have.
    static func withoutControls(_ text: some StringProtocol, _ lines: Lines) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isForbidden($0, lines) ? " " : $0 }))
    }

    /// `text` without leading and trailing blanks.
    static func trimmed(_ text: String) -> String {
        // Most texts begin and end with a visible scalar, which makes its character visible.
        if let first = text.unicodeScalars.first, let last = text.unicodeScalars.last, !isBlank(first), !isBlank(last) {
            return text
        }
        guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(text[first...last])
    }

    /// Whether a character is invisible: white space, or made only of default-ignorable code points, such as the
    /// zero-width space and the Hangul filler.
    private static func isBlank(_ character: Character) -> Bool { character.unicodeScalars.allSatisfy(isBlank) }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        // Visible ASCII and Hangul syllables; a lookup of properties takes much longer than this.
        if ("\u{21}"..."\u{7E}").contains(scalar) || ("\u{AC00}"..."\u{D7A3}").contains(scalar) { return false }
        return scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
    }

    private static func isForbidden(_ scalar: Unicode.Scalar, _ lines: Lines) -> Bool {
        switch scalar {
        case "\n", "\r", "\t": lines == .one
        case "\u{2028}", "\u{2029}": lines == .one
        // The general category Cc, which is fixed (Unicode Character Encoding Stability Policies).
        case ..."\u{1F}", "\u{7F}"..."\u{9F}": true
        default: false
        }
    }
}

/// The title of a trip or of a timeline entry: 1–60 characters on one line.
///
/// ```swift
/// try Title("  Jeju in winter ").text    // "Jeju in winter"
/// try Title("One\nTwo")                  // throws TravelError.invalid
/// ```
public struct Title: Hashable, Sendable {
    public let text: String

    /// The allowed number of characters (extended grapheme clusters).
    public static let length = TextLimits.title

    /// Trims `text` and validates it. White space and invisible characters count as blanks.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the trimmed text is empty, is too long, or contains a line break or
    ///   another control character.
    public init(_ text: some StringProtocol) throws(TravelError) {
        self.text = try TextRules.validated(String(text), as: .title, length: Self.length, lines: .one)
    }

    /// Creates a title from as much of `text` as fits, with `…` where it is cut; `nil` when only white space remains.
    /// Counts in `cuts` whether it was cut.
    ///
    /// Intended for text that no user can correct, such as names in an imported file. Line breaks and other control
    /// characters become spaces.
    package init?(shortening text: some StringProtocol, cuts: inout Int) {
        guard let text = TextRules.shortened(text, to: Self.length.upperBound, lines: .one, cuts: &cuts) else {
            return nil
        }
        self.text = text
    }
}

extension Title: CustomStringConvertible {
    public var description: String { text }
}

/// The name of a user that others see: 2–10 characters on one line.
///
/// ```swift
/// try Nickname(" Mina ").text                                   // "Mina"
/// try Nickname("MINA").folded == Nickname("mina").folded        // true
/// try Nickname("M")                                             // throws TravelError.invalid: at least 2 characters
/// ```
public struct Nickname: Hashable, Sendable {
    public let text: String

    /// The allowed number of characters (extended grapheme clusters).
    public static let length = TextLimits.nickname

    /// Trims `text` and validates it. White space and invisible characters count as blanks.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the trimmed text is too short, is too long, or contains a line
    ///   break or another control character.
    public init(_ text: some StringProtocol) throws(TravelError) {
        self.text = try TextRules.validated(String(text), as: .nickname, length: Self.length, lines: .one)
    }
}

extension Nickname: CustomStringConvertible {
    public var description: String { text }
}

extension Nickname {
    /// The form in which nicknames are compared. Nicknames that look alike to a person are equal: they differ only in
    /// letter case, in the width of letters, in white space, in invisible characters such as a zero-width space, or in
    /// Cyrillic and Greek letters that have the shape of a Latin one.
    ///
    /// ```swift
    /// try Nickname("Мina").folded == Nickname("Ｍ ina").folded    // true: a Cyrillic М, and a full-width one
    /// ```
    public var folded: String {
        TextFolding.lookalike(text)
    }
}

extension Int {
    /// The decimal digits, padded with leading zeros to at least `width` digits.
    func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }

    /// Parses a number of one or more ASCII digits, without sign or space; `nil` for any other text.
    init?(digits text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(text)
    }

    /// The quotient rounded towards negative infinity, so that the remainder is never negative.
    func flooredQuotient(_ divisor: Int) -> Int {
        (self >= 0 ? self : self - (divisor - 1)) / divisor
    }
}
