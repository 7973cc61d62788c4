/// The forms in which texts are compared, so that texts that look the same to a person are equal.
enum TextFolding {
    /// Folds `text` for searches: without white space and invisible characters, in ordinary characters, and without
    /// letter case.
    ///
    /// Letter case follows the full case folding of Unicode, in which `STRASSE` equals `straße`; the dot of `İ` does
    /// not count. Accents count, and so do the parts of an emoji.
    static func searchable(_ text: String) -> String {
        var folded = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        var joiner: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            // A joiner counts only between two emoji, which it makes one.
            if scalar == "\u{200D}" {
                joiner = scalar
                continue
            }
            let isTag = (0xE0020...0xE007F).contains(scalar.value) && last?.properties.isEmoji == true
            guard isTag || !isInvisible(scalar) else { continue }
            if let joiner, scalar.properties.isEmoji, last?.isPartOfEmoji == true { folded.append(joiner) }
            joiner = nil
            if !isTag { last = scalar }
            append(scalar, to: &folded)
        }
        return String(folded)
    }

    /// Folds a name, so that two names that look alike are equal: as in searches, and besides without any joiner, and
    /// with the Latin letter for a Cyrillic or Greek one of the same shape (Unicode Technical Standard 39).
    static func lookalike(_ text: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !isInvisible(scalar) { append(scalar, to: &folded) }
        return String(String.UnicodeScalarView(folded.map { latin[$0] ?? $0 }))
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.properties.isWhitespace }
        if isSyllable(scalar) { return false }
        return scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
    }

    private static func isSyllable(_ scalar: Unicode.Scalar) -> Bool {
        ("\u{AC00}"..."\u{D7A3}").contains(scalar)
    }

    private static func lowercase(_ ascii: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(ascii) ? ascii + 0x20 : ascii
    }

    /// Appends the scalars to which `scalar` folds.
    private static func append(_ scalar: Unicode.Scalar, to folded: inout String.UnicodeScalarView) {
        if scalar.isASCII { return folded.append(Unicode.Scalar(lowercase(UInt8(scalar.value)))) }
        // Syllables have neither case nor width.
        if isSyllable(scalar) { return folded.append(scalar) }
        let plain = CompatibilityForms.ordinary(scalar) ?? String(scalar)
        for upper in plain.unicodeScalars.flatMap(\.properties.uppercaseMapping.unicodeScalars) {
            for lower in upper.properties.lowercaseMapping.unicodeScalars {
                // The dot of a capital İ, in lower case a mark of its own.
                if lower == "\u{307}", base(of: folded) == "i" { continue }
                // The capital ẞ has no other capital form.
                if lower == "ß" { folded.append(contentsOf: "ss".unicodeScalars) } else { folded.append(lower) }
            }
        }
    }

    /// The last scalar that is not a combining mark.
    private static func base(of text: String.UnicodeScalarView) -> Unicode.Scalar? {
        text.last { $0.properties.canonicalCombiningClass == .notReordered }
    }

    /// Letters whose capital or small form looks like that of a Latin letter.
    private static let latin: [Unicode.Scalar: Unicode.Scalar] = [
        // Cyrillic
        "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "н": "h", "һ": "h", "і": "i", "ј": "j", "к": "k", "м": "m",
        "о": "o", "р": "p", "ԛ": "q", "ѕ": "s", "т": "t", "ԝ": "w", "х": "x", "у": "y",
        // Greek
        "α": "a", "β": "b", "ε": "e", "η": "h", "ι": "i", "κ": "k", "μ": "m", "ν": "n", "ο": "o", "ρ": "p", "τ": "t",
        "υ": "y", "χ": "x", "ζ": "z",
    ]
}

extension Unicode.Scalar {
    /// Whether the scalar can end a part of an emoji that a joiner connects.
    fileprivate var isPartOfEmoji: Bool {
        properties.isEmoji || properties.isEmojiModifier
    }
}
