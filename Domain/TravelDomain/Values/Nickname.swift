/// The name of a person that others see: 2–10 characters on one line.
///
/// ```swift
/// try Nickname(" Mina ").text                                   // "Mina"
/// try Nickname("MINA").folded == Nickname("mina").folded        // true
/// try Nickname("M")                                             // throws TravelError.invalid: at least 2 characters
/// ```
public struct Nickname: Hashable, Sendable {
    /// The text without leading and trailing white space.
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
    /// The text itself, without quotation marks or labels.
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
