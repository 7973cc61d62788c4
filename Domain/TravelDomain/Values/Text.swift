/// The rules that all text written by people shares.
enum Text {
    enum Lines { case one, many }

    /// `text` without blanks around it, if its length fits and no control character is left in it.
    ///
    /// A character is what a reader takes for one: a syllable, a letter with its accents, a family emoji.
    static func validated(
        _ text: some StringProtocol, as field: Violation.Field, length: ClosedRange<Int>, lines: Lines
    ) throws(TravelError) -> String {
        let text = trimmed(text)
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
        return text
    }

    /// The beginning of `text` that fits, with `…` where it was cut; `nil` when nothing is left of it.
    static func shortened(_ text: some StringProtocol, to maximum: Int, lines: Lines) -> String? {
        var cleaned = String.UnicodeScalarView()
        cleaned.append(contentsOf: text.unicodeScalars.map { isForbidden($0, lines) ? " " : $0 })
        let text = trimmed(String(cleaned))
        if text.isEmpty { return nil }
        return text.count <= maximum ? text : trimmed(text.prefix(maximum - 1)) + "…"
    }

    /// `text` without the blanks at its ends.
    static func trimmed(_ text: some StringProtocol) -> String {
        guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(text[first...last])
    }

    /// Whether nothing is to be seen of a character: white space, or made of what Unicode calls default ignorable, such
    /// as the zero-width space and the Hangul filler.
    private static func isBlank(_ character: Character) -> Bool {
        character.unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint }
    }

    private static func isForbidden(_ scalar: Unicode.Scalar, _ lines: Lines) -> Bool {
        switch scalar {
        case "\n", "\r", "\t": lines == .one
        case "\u{2028}", "\u{2029}": lines == .one
        // The general category Cc, to which Unicode never adds any (Unicode Character Encoding Stability Policies).
        case ..."\u{1F}", "\u{7F}"..."\u{9F}": true
        default: false
        }
    }
}
