/// What someone searches for: any part of a title.
///
/// A title matches when it contains the keyword, whatever the case of the letters and however their accents
/// and syllables are encoded. No character is special: `%`, `_`, `*` and `'` stand for themselves.
///
/// ```swift
/// Keyword("바다")?.matches(try Title("부산 밤바다"))    // true
/// Keyword("  ") == nil                                // nothing to search for
/// ```
public struct Keyword: Hashable, Sendable {
    /// The text as written, without blanks around it.
    public let text: String
    /// The text in the form in which it is compared.
    public let folded: String

    /// How many characters count; the rest of a longer text is not searched for.
    public static let maximumLength = 50

    /// The keyword in `text`; `nil` when it holds nothing but white space and characters of which
    /// nothing is seen.
    public init?(_ text: some StringProtocol) {
        self.text = String(Text.trimmed(text).prefix(Self.maximumLength))
        if self.text.isEmpty { return nil }
        self.folded = Self.folded(self.text)
    }

    /// Whether `title` contains this keyword.
    public func matches(_ title: Title) -> Bool {
        matches(folded: Self.folded(title.text))
    }

    /// Whether text that was already ``folded(_:)`` contains this keyword.
    ///
    /// Characters are compared by canonical equivalence (Unicode Standard Annex 15), so that a syllable
    /// matches itself whether it is stored composed or decomposed.
    public func matches(folded text: String) -> Bool {
        text.contains(folded)
    }

    /// The form in which titles and keywords are compared: lower case, by the full Unicode mapping.
    public static func folded(_ text: String) -> String {
        text.lowercased()
    }
}

extension Keyword {
    /// Whether `title` begins with this keyword, by the same rule as ``matches(_:)``.
    public func begins(_ title: Title) -> Bool {
        begins(folded: Self.folded(title.text))
    }

    /// Whether text that was already ``folded(_:)`` begins with this keyword.
    public func begins(folded text: String) -> Bool {
        text.starts(with: folded)
    }
}
