/// The limits of a text: its length in characters (extended grapheme clusters), and its size in UTF-8 bytes.
///
/// A character may have any number of code points, and work on Unicode texts may grow faster than their size: the size is
/// checked first, and then the code points of each character.
struct TextLimits {
    let length: ClosedRange<Int>
    let size: Int

    /// A page of titles stays readable, and the sets by which a store finds a title stay few.
    static let title = TextLimits(length: 1...60, size: 2_048)
    static let entryText = TextLimits(length: 1...5_000, size: 65_536)
    static let nickname = TextLimits(length: 2...10, size: 2_048)
    static let password = TextLimits(length: 8...128, size: 1_024)
    static let pictureText = TextLimits(length: 1...300, size: 4_096)
    static let placeName = TextLimits(length: 1...100, size: 2_048)
    static let placeAddress = TextLimits(length: 0...200, size: 2_048)
    /// A keyword is not validated: what a person types is searched as far as this.
    static let keyword = TextLimits(length: 1...100, size: 2_048)

    /// The longest emoji of Unicode 16 has 10 code points, and no writing system stacks that many marks.
    static let scalarsPerCharacter = 32
}

/// The validation rules that all user-written text shares.
enum TextRules {
    enum Lines { case one, many }

    /// Where a text comes from. A text in a store was valid when it was written, and stays readable whatever its size.
    enum Origin { case user, store }

    /// Trims `text` and checks its size, its length and its control characters.
    ///
    /// Length counts extended grapheme clusters: a syllable, an accented letter or an emoji sequence is one character.
    static func validated(
        _ text: some StringProtocol, as field: Violation.Field, _ limits: TextLimits, lines: Lines,
        from origin: Origin = .user
    ) throws(TravelError) -> String {
        if origin == .user { try checkSize(of: text, as: field, limits) }
        let text = trimmed(String(text))
        try validate(text, as: field, limits, lines: lines, from: origin)
        return text
    }

    /// Checks the length and the control characters of `text`, blanks at both ends included. The size is checked before:
    /// see ``checkSize(of:as:_:)``.
    static func validate(
        _ text: String, as field: Violation.Field, _ limits: TextLimits, lines: Lines, from origin: Origin = .user
    ) throws(TravelError) {
        // A character has at least one byte, and counting characters takes longer than the rest.
        if text.isEmpty || limits.length.lowerBound > 1 || text.utf8.count > limits.length.upperBound {
            let count = text.count
            guard count >= limits.length.lowerBound else {
                throw .invalid(.init(field, .tooShort(minimum: limits.length.lowerBound)))
            }
            guard count <= limits.length.upperBound else {
                throw .invalid(.init(field, .tooLong(maximum: limits.length.upperBound)))
            }
        }
        guard !mayHaveForbidden(text) || !text.unicodeScalars.contains(where: { isForbidden($0, lines) }) else {
            throw .invalid(.init(field, .controlCharacter))
        }
        // A character of that many code points has more bytes.
        guard origin == .user, text.utf8.count > TextLimits.scalarsPerCharacter,
            text.contains(where: { $0.unicodeScalars.count > TextLimits.scalarsPerCharacter })
        else { return }
        throw .invalid(.init(field, .tooManyScalars(maximum: TextLimits.scalarsPerCharacter)))
    }

    /// Checks the size of `text`, in front of any work that grows faster than it.
    static func checkSize(
        of text: some StringProtocol, as field: Violation.Field, _ limits: TextLimits
    ) throws(TravelError) {
        guard text.utf8.count <= limits.size else {
            throw .invalid(.init(field, .tooLarge(maximumBytes: limits.size)))
        }
    }

    /// The beginning of `text` that fits, with `…` where it is cut; `nil` when only white space remains. Counts in
    /// `cuts` that something was cut, which a person must be told.
    static func shortened(
        _ text: some StringProtocol, to limits: TextLimits, lines: Lines, cuts: inout Int
    ) -> String? {
        shortened(text, to: limits.length.upperBound, bytes: limits.size, lines: lines, cuts: &cuts)
    }

    /// As much of `text` as has at most `maximum` characters and `bytes` bytes.
    static func shortened(
        _ text: some StringProtocol, to maximum: Int, bytes: Int, lines: Lines, cuts: inout Int
    ) -> String? {
        // A text without a limit, such as one of a file, is cut before it is examined; blanks in front do not count.
        let visible = text.drop { $0.isASCII && $0.isWhitespace }
        let start = beginning(of: visible, bytes: 2 * bytes)
        let hasMore = visible.utf8.dropFirst(start.utf8.count).contains { $0 > 0x20 }
        let text = trimmed(withoutControls(start, lines))
        if text.isEmpty { return nil }
        let characters = text.prefix(maximum + 1)
        let isOverlong = characters.contains { $0.unicodeScalars.count > TextLimits.scalarsPerCharacter }
        guard hasMore || isOverlong || characters.count > maximum || text.utf8.count > bytes else { return text }
        cuts += 1
        var (fitting, size) = ("", "…".utf8.count)
        for character in characters.prefix(maximum - 1) {
            let scalars = character.unicodeScalars.prefix(TextLimits.scalarsPerCharacter)
            size += String(scalars).utf8.count
            if size > bytes { break }
            fitting.unicodeScalars.append(contentsOf: scalars)
        }
        return trimmed(fitting) + "…"
    }

    /// The first scalars of `text` that have at most that many bytes.
    static func beginning(of text: some StringProtocol, bytes: Int) -> String {
        let text = String(text)
        guard text.utf8.count > bytes else { return text }
        let end = text.utf8.index(text.startIndex, offsetBy: bytes)
        // The end of a range of scalars is rounded down to a scalar.
        return String(text.unicodeScalars[..<end])
    }

    /// `text` with spaces in place of the characters that a text of this kind cannot have.
    static func withoutControls(_ text: some StringProtocol, _ lines: Lines) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isForbidden($0, lines) ? " " : $0 }))
    }

    /// `text` without leading and trailing blanks.
    static func trimmed(_ text: String) -> String {
        // Most texts begin and end with a visible scalar, which makes its character visible, and many with one that its bytes tell.
        if text.utf8.withContiguousStorageIfAvailable(beginsAndEndsVisibly) ?? false { return text }
        if let first = text.unicodeScalars.first, let last = text.unicodeScalars.last, !isBlank(first), !isBlank(last) {
            return text
        }
        guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(text[first...last])
    }

    /// Whether a text in UTF-8 begins and ends with a scalar that is visible ASCII or lies in U+A000–U+DFFF, as Hangul syllables
    /// do: none of these is blank. Other texts may begin and end visibly as well.
    private static func beginsAndEndsVisibly(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // The first bytes of the three that each scalar of that range has.
        let leads: ClosedRange<UInt8> = 0xEA...0xED
        let visible: ClosedRange<UInt8> = 0x21...0x7E
        guard let first = text.first, let last = text.last else { return false }
        guard visible.contains(first) || leads.contains(first) else { return false }
        return visible.contains(last) || text.count >= 3 && leads.contains(text[text.count - 3])
    }

    /// Whether a character is invisible: white space, or made only of default-ignorable code points, such as the
    /// zero-width space and the Hangul filler.
    private static func isBlank(_ character: Character) -> Bool { character.unicodeScalars.allSatisfy(isBlank) }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        // Visible ASCII and Hangul syllables; a lookup of properties takes much longer than this.
        if ("\u{21}"..."\u{7E}").contains(scalar) || ("\u{AC00}"..."\u{D7A3}").contains(scalar) { return false }
        return scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
    }

    /// Whether a text has a byte with which the UTF-8 form of a forbidden scalar begins: most texts have none, and bytes are read
    /// faster than scalars.
    private static func mayHaveForbidden(_ text: String) -> Bool {
        let found = text.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.count >= 8 else {
                let spaces: UInt64 = 0x2020_2020_2020_2020
                return mayBeginForbidden(bytes.reduce(spaces) { $0 << 8 | UInt64($1) })
            }
            let (bytes, last) = (UnsafeRawBufferPointer(bytes), bytes.count - 8)
            for offset in stride(from: 0, to: last, by: 8) where mayBeginForbidden(bytes.eight(at: offset)) {
                return true
            }
            return mayBeginForbidden(bytes.eight(at: last))
        }
        return found ?? true
    }

    /// Whether one of eight bytes is below 0x20, 0x7F, 0xC2 or 0xE2.
    private static func mayBeginForbidden(_ bytes: UInt64) -> Bool {
        let (ones, highest): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        // In each of these numbers, a byte is zero where the one of the text is 0x7F, or is 0xC2 or 0xE2.
        let delete = bytes ^ (ones &* 0x7F)
        let lead = (bytes & (ones &* 0xDF)) ^ (ones &* 0xC2)
        // A byte below a limit borrows when the limit is subtracted, which sets its highest bit if that was not set before.
        let below = ((bytes &- ones &* 0x20) & ~bytes) | ((delete &- ones) & ~delete) | ((lead &- ones) & ~lead)
        return below & highest != 0
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

extension UnsafeRawBufferPointer {
    fileprivate func eight(at offset: Int) -> UInt64 { loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
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
    public static let length = TextLimits.title.length
    /// The maximum size in UTF-8 bytes. A character may have at most 32 code points.
    public static let maximumSize = TextLimits.title.size

    /// Trims `text` and validates it. White space and invisible characters count as blanks.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the trimmed text is empty, is too long, or contains a line break or
    ///   another control character.
    public init(_ text: some StringProtocol) throws(TravelError) {
        self.text = try TextRules.validated(text, as: .title, .title, lines: .one)
    }

    /// A title that a store has, of any size.
    package init(stored text: String) throws(TravelError) {
        self.text = try TextRules.validated(text, as: .title, .title, lines: .one, from: .store)
    }

    /// Creates a title from as much of `text` as fits, with `…` where it is cut; `nil` when only white space remains.
    /// Counts in `cuts` whether it was cut.
    ///
    /// Intended for text that no user can correct, such as names in an imported file. Line breaks and other control
    /// characters become spaces.
    package init?(shortening text: some StringProtocol, cuts: inout Int) {
        guard let text = TextRules.shortened(text, to: .title, lines: .one, cuts: &cuts) else { return nil }
        self.text = text
    }
}

extension Title: CustomStringConvertible {
    public var description: String { text }
}

/// The name of a user that others see: 2–10 characters on one line.
///
/// Any such text can be the name of someone, because names stay as they were given. The use cases that give one to
/// someone ask for more: ``requireChoosable()``, and that it looks like that of nobody else.
///
/// ```swift
/// try Nickname(" Mina ").text                                   // "Mina"
/// try Nickname("MINA").folded == Nickname("mina").folded        // true
/// try Nickname("M")                                             // throws TravelError.invalid: at least 2 characters
/// ```
public struct Nickname: Hashable, Sendable {
    public let text: String

    /// The allowed number of characters (extended grapheme clusters).
    public static let length = TextLimits.nickname.length
    /// The maximum size in UTF-8 bytes. A character may have at most 32 code points.
    public static let maximumSize = TextLimits.nickname.size

    /// Trims `text` and validates it. White space and invisible characters count as blanks.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the trimmed text is too short, is too long, or contains a line
    ///   break or another control character.
    public init(_ text: some StringProtocol) throws(TravelError) {
        self.text = try TextRules.validated(text, as: .nickname, .nickname, lines: .one)
    }

    /// A nickname that a store has, of any size.
    package init(stored text: String) throws(TravelError) {
        self.text = try TextRules.validated(text, as: .nickname, .nickname, lines: .one, from: .store)
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

    /// The form of which new nicknames differ: equal for those that look alike by the table of confusables of Unicode
    /// Technical Standard 39. White space, invisible characters and letter case do not count, and so `i` equals `l`, whose
    /// capital and small forms look alike.
    ///
    /// A store that keeps it computes it again when the table changes, which the changelog then says.
    ///
    /// ```swift
    /// try Nickname("rnina").skeleton == Nickname("Mina").skeleton      // true
    /// try Nickname("PaypaI").skeleton == Nickname("paypal").skeleton    // true: a capital I
    /// try Nickname("Nina").skeleton == Nickname("Mina").skeleton       // false
    /// ```
    public var skeleton: String {
        Confusables.skeleton(text)
    }

    /// Whether someone could take one nickname for the other: their ``folded`` forms are equal, or their skeletons.
    ///
    /// Nobody gets a nickname that looks like that of someone else. Nicknames that looked alike before that rule stay, and
    /// their users sign in by their ``folded`` forms, which differ.
    public func looksLike(_ other: Nickname) -> Bool {
        folded == other.folded || skeleton == other.skeleton
    }

    /// Throws unless someone may choose the nickname for a new account, or to replace another one. Whoever has it already
    /// keeps it.
    ///
    /// A nickname that is chosen is at the level "highly restrictive" of Unicode Technical Standard 39 (section 5.2): its
    /// characters are those of one writing system, or of Latin with those of Korean (Hangul, Han), of Japanese (Kana, Han)
    /// or of Chinese (Han, Bopomofo). They are the letters, marks, digits and signs that the standard recommends for
    /// identifiers, and besides spaces, emoji, the lone letters of Hangul that a keyboard types, such as `ㅋ`, and other
    /// widths and styles of all these. Invisible characters and other symbols are not among them.
    ///
    /// ```swift
    /// try Nickname("민지 Kim").requireChoosable()
    /// try Nickname("аdmin").requireChoosable()     // throws TravelError.invalid: a Cyrillic а
    /// ```
    ///
    /// - Throws: ``TravelError/invalid(_:)`` with ``Violation/Rule/unusableCharacter(_:)`` or
    ///   ``Violation/Rule/mixedScripts``.
    public func requireChoosable() throws(TravelError) {
        var scripts: [NameScripts] = []
        for character in text.normalized where !character.isEmojiSequence {
            for scalar in character.unicodeScalars where !scalar.isEmoji {
                for ordinary in (CompatibilityForms.ordinary(scalar) ?? String(scalar)).unicodeScalars {
                    guard let found = NameScripts.of(ordinary) else {
                        throw .invalid(.init(.nickname, .unusableCharacter(scalar)))
                    }
                    scripts.append(found)
                }
            }
        }
        guard NameScripts.areHighlyRestrictive(scripts) else { throw .invalid(.init(.nickname, .mixedScripts)) }
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
