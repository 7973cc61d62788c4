/// One scalar for each character, the same for each way to encode it.
enum CharacterKey {
    /// The keys of all characters of `text`, one after the other. Equal texts have equal keys; other texts may too.
    static func text(of text: String) -> String {
        var keys = String.UnicodeScalarView()
        for character in text { keys.append(scalar(of: character)) }
        return String(keys)
    }

    /// The scalar that stands for `character`; for canonically equivalent characters, such as `가` composed and
    /// decomposed, the same. Different characters may share one.
    ///
    /// The standard library has no public normal form, but its order of strings is that of their normal forms. The
    /// last scalar whose string is not after the character is therefore the same however that is encoded; it is its
    /// first scalar in the normal form NFC wherever scalars and their strings have the same order around it.
    static func scalar(of character: Character) -> Unicode.Scalar {
        var scalars = character.unicodeScalars.makeIterator()
        if let first = scalars.next(), scalars.next() == nil, isPlain(first) { return first }
        let text = String(character)
        var range = 0..<ordinals.upperBound
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            range =
                String(scalar(middle)) <= text ? middle..<range.upperBound : range.lowerBound..<middle
        }
        return scalar(range.lowerBound)
    }

    /// Whether the search would end with the scalar itself, as it does for ASCII and composed Hangul syllables.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII || ("\u{AC00}"..."\u{D7A3}").contains(scalar)
    }

    /// The numbers of all scalars in their order: surrogates, which are none, left out.
    private static let ordinals = 0..<0x11_0000 - 0x800

    private static func scalar(_ ordinal: Int) -> Unicode.Scalar {
        Unicode.Scalar(UInt32(ordinal < 0xD800 ? ordinal : ordinal + 0x800)) ?? "\u{FFFD}"
    }
}
