/// The text of a timeline entry: 1–5,000 characters, line breaks included.
///
/// ```swift
/// try EntryText("  바다를 걸었다 ").text    // "바다를 걸었다"
/// try EntryText(" \n ")                   // throws TravelError.invalid: only blanks
/// ```
public struct EntryText: Hashable, Sendable {
    /// The text without leading and trailing white space.
    public let text: String

    /// The allowed number of characters (extended grapheme clusters).
    public static let length = TextLimits.entryText

    /// Trims `text` and validates it. White space and invisible characters count as blanks.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the trimmed text is empty, is too long, or contains a control
    ///   character other than a line break or a tab.
    public init(_ text: some StringProtocol) throws(TravelError) {
        self.text = try TextRules.validated(String(text), as: .text, length: Self.length, lines: .many)
    }

    /// Creates a text from as much of `text` as fits, with `…` where it is cut; `nil` when only white space remains.
    /// Counts in `cuts` whether it was cut.
    package init?(shortening text: some StringProtocol, cuts: inout Int) {
        guard let text = TextRules.shortened(text, to: Self.length.upperBound, lines: .many, cuts: &cuts) else {
            return nil
        }
        self.text = text
    }
}

extension EntryText: CustomStringConvertible {
    /// The text itself, without quotation marks or labels.
    public var description: String { text }
}
