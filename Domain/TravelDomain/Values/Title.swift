/// The title of a travel or of a timeline entry: 1–60 characters on one line.
///
/// ```swift
/// try Title("  Jeju in winter ").text    // "Jeju in winter"
/// try Title("One\nTwo")                  // throws TravelError.invalid
/// ```
public struct Title: Hashable, Sendable {
    /// The text without leading and trailing white space.
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
    /// The text itself, without quotation marks or labels.
    public var description: String { text }
}
