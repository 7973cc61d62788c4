extension String {
    /// The number of terminal columns of the text, the sum over its extended grapheme clusters: two for a wide cluster
    /// such as a Korean syllable, a flag or an emoji, none for a lone combining mark, one for others.
    ///
    /// ```swift
    /// "부산 여행".displayWidth    // 9
    /// "👨‍👩‍👧🇰🇷".displayWidth      // 4
    /// ```
    ///
    /// Widths follow Unicode Standard Annex 11; characters of ambiguous width count one column. A control character
    /// counts one, the width of the picture that ``terminalSafe`` shows for it.
    package var displayWidth: Int {
        var text = self
        let ascii: Int? = text.withUTF8 { bytes in bytes.allSatisfy { $0 < 0x80 } ? bytes.count : nil }
        return ascii ?? text.reduce(0) { $0 + $1.displayWidth }
    }

    /// The text, padded with trailing spaces to `width` columns; unchanged if it is wider.
    package func padded(toWidth width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - displayWidth))
    }
}

extension Character {
    /// The number of terminal columns of the cluster: 0, 1 or 2.
    ///
    /// The widths of the scalars are added, up to two: a decomposed Korean syllable has the width of its leading
    /// consonant, and an emoji sequence that of one emoji. A variation selector 16 asks for the wide emoji form.
    package var displayWidth: Int {
        if utf8.count == 1 { return 1 }
        var width = 0
        for scalar in unicodeScalars {
            if scalar == "\u{FE0F}" && width > 0 { return 2 }
            width += scalar.displayWidth
        }
        return Swift.min(width, 2)
    }

    /// Whether terminals are known to disagree about the width of the cluster: it has more than one scalar, or is an
    /// emoji.
    ///
    /// After such a cluster the position of the cursor is not relied on.
    var hasUncertainWidth: Bool {
        if utf8.count == 1 { return false }
        let scalars = unicodeScalars
        guard let first = scalars.first else { return false }
        return scalars.index(after: scalars.startIndex) != scalars.endIndex || first.value >= 0x1F000
    }
}

extension Unicode.Scalar {
    /// The number of terminal columns of the scalar by itself: 0, 1 or 2.
    var displayWidth: Int {
        if value < 0x300 { return value == 0xAD ? 0 : 1 }
        // Arrows, mathematical and technical signs, lines, blocks and shapes: looking up their properties takes longer.
        if value >= 0x2190 && value < 0x2600 { return WideRanges.contains(value) ? 2 : 1 }
        if WideRanges.contains(value) { return 2 }
        // Vowels and trailing consonants of decomposed Korean syllables: part of the leading consonant's column.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value) { return 0 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return properties.isDefaultIgnorableCodePoint ? 0 : 1
        }
    }
}
