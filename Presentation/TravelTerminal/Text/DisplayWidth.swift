extension String {
    /// The number of terminal columns of the text: two for a wide character such as a Korean syllable or an emoji, one
    /// for others.
    ///
    /// Wide characters are the ranges W and F of Unicode Standard Annex 11.
    var displayWidth: Int {
        reduce(0) { $0 + $1.displayWidth }
    }

    /// The text, padded with trailing spaces to `width` columns; unchanged if it is wider.
    func padded(toWidth width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - displayWidth))
    }
}

extension Character {
    fileprivate var displayWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        let isEmoji = first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}")
        return isEmoji || first.isWide ? 2 : 1
    }
}

extension Unicode.Scalar {
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
