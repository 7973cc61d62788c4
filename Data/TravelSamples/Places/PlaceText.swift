import TravelDomain

/// A place name or a search text in the normalised forms that comparisons use.
struct PlaceText {
    /// The words in lower case, without accents.
    let words: [String]
    /// The words joined without a separator.
    let joined: String

    /// Normalises `text`. White space, hyphens, full stops and middle dots separate words.
    init(_ text: String) {
        words = text.lowercased().split(whereSeparator: Self.isBetweenWords)
            .map { String($0.map(Self.withoutAccent)) }
        joined = words.joined()
    }

    /// The words in a canonical spelling that unifies pre-2000, informal and current romanisations of Korean: Pusan and
    /// Busan, Kyungju and Gyeongju, Sŏraksan and Seoraksan. Empty for text that is not entirely ASCII.
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

    /// The base letter of an accented lower-case Latin letter, such as o for ŏ; any other character unchanged.
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
