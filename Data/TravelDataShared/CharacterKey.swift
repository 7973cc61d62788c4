package import TravelDomain

/// Maps each character to one scalar, independent of its Unicode encoding.
package enum CharacterKey {
    /// The key of a title in the index of titles: the folded title, with one scalar per character, so that the titles
    /// that begin with a text are adjacent. Different titles may have the same key.
    package static func title(_ text: String) -> String { Self.text(of: Keyword.folded(text)) }

    /// The key of a nickname in the index by which people are found; equal for equal ``Nickname/folded`` forms.
    package static func nickname(_ nickname: Nickname) -> String { text(of: nickname.folded) }

    /// The key of a nickname in the index by which those that look like it are found: as much of the skeleton as an index
    /// takes. Nicknames with other skeletons may have the same key.
    package static func skeleton(_ nickname: Nickname) -> String {
        String(nickname.skeleton.unicodeScalars.prefix(longestSkeleton))
    }

    private static let longestSkeleton = 100

    /// The keys of all characters of `text`. Equal texts have equal keys; the converse does not hold.
    package static func text(of text: String) -> String {
        var keys = String.UnicodeScalarView()
        for character in text { keys.append(scalar(of: character)) }
        return String(keys)
    }

    /// The key of `character`. It is the same for canonically equivalent characters, such as `가` composed and
    /// decomposed; different characters may have the same key.
    ///
    /// The standard library has no public normal form, but it compares strings by their normal forms. The greatest
    /// scalar whose string is not greater than the character is therefore independent of the character's encoding. It
    /// is the first scalar of the character in NFC wherever scalars and their strings are in the same order.
    package static func scalar(of character: Character) -> Unicode.Scalar {
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

    /// Whether the binary search would return the scalar itself, as for ASCII, Hangul syllables and the letters of a
    /// Korean keyboard.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII || ("\u{AC00}"..."\u{D7A3}").contains(scalar) || ("\u{3131}"..."\u{3163}").contains(scalar)
    }

    /// The ordinals of all scalars, without the surrogates.
    private static let ordinals = 0..<0x11_0000 - 0x800

    private static func scalar(_ ordinal: Int) -> Unicode.Scalar {
        Unicode.Scalar(UInt32(ordinal < 0xD800 ? ordinal : ordinal + 0x800)) ?? "\u{FFFD}"
    }
}
