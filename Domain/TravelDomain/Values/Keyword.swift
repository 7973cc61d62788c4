/// A search text that matches any part of a title, or of the name of a place.
///
/// A text matches when it contains the whole keyword, regardless of letter case, of the width of letters, of white space
/// and invisible characters, and of how accents and syllables are encoded: words that are in two texts, or apart in one, do
/// not match. There are no wildcards: `%`, `_`, `*` and `'`
/// match only themselves.
///
/// ```swift
/// Keyword("바다")?.matches(try Title("부산 밤바다"))       // true
/// Keyword("부산밤바다")?.matches(try Title("부산 밤바다"))  // true
/// Keyword("STRASSE")?.matches(try Title("Lange Straße"))  // true
/// Keyword("  ") == nil                                // nothing to search for
/// ```
public struct Keyword: Hashable, Sendable {
    /// The text as written, without leading and trailing white space, and with spaces in place of line breaks and other
    /// control characters, which no title has.
    public let text: String
    /// The text in its ``folded(_:)`` form, which comparisons use.
    public let folded: String

    /// The number of characters that a keyword keeps, more than a title has; the rest of a longer text is ignored, and so is
    /// what follows the first 2,048 bytes in UTF-8.
    public static let maximumLength = TextLimits.keyword.length.upperBound

    /// Creates a keyword from `text`; `nil` when it consists only of white space and invisible characters.
    public init?(_ text: some StringProtocol) {
        let visible = text.drop { $0.isASCII && $0.isWhitespace }
        let text = TextRules.beginning(of: visible, bytes: TextLimits.keyword.size)
        let start = TextRules.trimmed(TextRules.withoutControls(text, .one)).prefix(Self.maximumLength)
        // Once more, because the text may be cut before a blank.
        self.text = TextRules.trimmed(String(start))
        if self.text.isEmpty { return nil }
        self.folded = Self.folded(self.text)
    }

    /// Whether `title` contains this keyword, both compared as ``folded(_:)`` folds them.
    public func matches(_ title: Title) -> Bool {
        matches(text: title.text)
    }

    /// Whether `text`, as it is written, contains this keyword, both compared as ``folded(_:)`` folds them.
    package func matches(text: String) -> Bool {
        TextFolding.plain(text, contains: folded) ?? matches(folded: Self.folded(text))
    }

    /// Whether `text`, which is already ``folded(_:)``, contains this keyword.
    ///
    /// Characters are compared by canonical equivalence (Unicode Standard Annex 15), so that a composed syllable
    /// matches the same syllable in decomposed form.
    public func matches(folded text: String) -> Bool {
        text.contains(folded)
    }

    /// The form in which titles and keywords are compared.
    ///
    /// It has no white space and no invisible characters, no letter case by the full case folding of Unicode, and
    /// ordinary characters for compatibility characters: full-width, half-width, circled, superscript, subscript and
    /// styled letters and digits, Roman numerals, fractions, units, and the Korean ones in circles and parentheses.
    /// Other compatibility characters, such as squared words of katakana, stay unchanged, since titles rarely contain
    /// them. Accents and the parts of an emoji are significant.
    ///
    /// ```swift
    /// Keyword.folded("７㎞ 산책 ㈜바다")    // "7km산책(주)바다"
    /// ```
    public static func folded(_ text: String) -> String {
        TextFolding.searchable(text)
    }
}

extension Keyword {
    /// Whether `title` begins with this keyword, compared as in ``matches(_:)-(Title)``.
    public func begins(_ title: Title) -> Bool {
        begins(folded: Self.folded(title.text))
    }

    /// Whether `text`, which is already ``folded(_:)``, begins with this keyword.
    public func begins(folded text: String) -> Bool {
        text.starts(with: folded)
    }
}

/// The latest search keywords of a device: newest first, without duplicates, at most 15.
///
/// ```swift
/// var recent = RecentKeywords()
/// recent.remember(sea)
/// recent.remember(hills)
/// recent.remember(sea)
/// recent.keywords              // [sea, hills]
/// ```
public struct RecentKeywords: Hashable, Sendable {
    public private(set) var keywords: [Keyword] = []

    public static let maximum = 15

    public init() {}

    /// Creates a list from `keywords`, newest first. Of equal keywords it keeps the first, and of the rest the first
    /// 15.
    public init(_ keywords: some BidirectionalCollection<Keyword>) {
        for keyword in keywords.reversed() { remember(keyword) }
    }

    /// Moves `keyword` to the front. Keywords are compared in their folded form.
    public mutating func remember(_ keyword: Keyword) {
        forget(keyword)
        keywords.insert(keyword, at: 0)
        keywords.removeLast(max(keywords.count - Self.maximum, 0))
    }

    /// Removes the keyword whose folded form equals that of `keyword`, if there is one.
    public mutating func forget(_ keyword: Keyword) {
        keywords.removeAll { $0.folded == keyword.folded }
    }
}
