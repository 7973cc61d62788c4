import TravelDomain

/// A name of a place, or what someone types to find one, in the forms in which they are compared.
struct PlaceText {
    /// The words, in lower case, without accents.
    let words: [String]
    /// The words in one.
    let joined: String

    /// The forms of `text`. Words end at white space, hyphens, full stops and middle dots.
    init(_ text: String) {
        words = Keyword.folded(text).split(whereSeparator: Self.isBetweenWords)
            .map { String($0.map(Self.withoutAccent)) }
        joined = words.joined()
    }

    /// The words spelled so that the romanisations in use before 2000 and the usual free ones meet the present one:
    /// Pusan and Busan, Kyungju and Gyeongju, Sŏraksan and Seoraksan are the same in it. Empty for text that is not
    /// wholly in the Latin alphabet.
    var spelledAlike: [String] {
        guard joined.utf8.allSatisfy({ $0 < 0x80 }) else { return [] }
        return words.map(Self.spelledAlike)
    }

    private static func spelledAlike(_ word: String) -> String {
        var common = String.UnicodeScalarView()
        var previous: Unicode.Scalar = " "
        for letter in word.unicodeScalars {
            switch (previous, letter) {
            case ("e", "o"), ("e", "u"), ("o", "o"):
                common.removeLast()
                common.append("o")
            case ("c", "h"):
                common.removeLast()
                common.append("j")
            case ("s", "h"), (_, "'"): break
            case (_, "k"): common.append("g")
            case (_, "p"): common.append("b")
            case (_, "t"): common.append("d")
            case (_, "r"): common.append("l")
            case (_, "u"): common.append("o")
            default: common.append(letter)
            }
            previous = letter
        }
        return String(common)
    }

    private static func isBetweenWords(_ character: Character) -> Bool {
        character.isWhitespace || "-‐‑–.·‧・ㆍ".contains(character)
    }

    /// The letter that `character` is when its accents are taken away: o for ŏ; anything but a Latin letter unchanged.
    private static func withoutAccent(_ character: Character) -> Character {
        guard let scalar = character.unicodeScalars.first, scalar.properties.isAlphabetic, isLatin(scalar) else {
            return character
        }
        if scalar.isASCII { return Character(scalar) }
        let parts = (scalar.properties.name ?? "").split(separator: " ")
        guard parts.count > 4, parts.starts(with: ["LATIN", "SMALL", "LETTER"]), parts[4] == "WITH",
            let letter = parts[3].lowercased().first, parts[3].count == 1
        else { return character }
        return letter
    }

    private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x250 || (0x1E00..<0x1F00).contains(scalar.value)
    }
}
