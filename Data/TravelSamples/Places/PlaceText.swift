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

/// A line of a text file with its number.
struct TextLine {
    /// The line number, 1-based.
    let number: Int
    /// The line without surrounding white space.
    let text: String

    /// The non-blank lines of `text`.
    static func lines(of text: String) -> [TextLine] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { TextLine(number: $0 + 1, text: trimmed($1)) }
            .filter { !$0.text.isEmpty }
    }

    /// The fields between `|` separators, without surrounding white space.
    ///
    /// - Throws: ``MalformedLine`` when there are fewer than `count` or more than `count + optional` fields, or when
    ///   a field is empty.
    func fields(_ count: Int, optional: Int = 0) throws(MalformedLine) -> [String] {
        let fields = parts(of: text, between: "|")
        guard (count...count + optional).contains(fields.count) else {
            throw error("found \(fields.count) fields; expected \(count)")
        }
        guard !fields.contains("") else { throw error("an empty field") }
        return fields
    }

    /// The elements of a comma-separated field, without surrounding white space.
    ///
    /// - Throws: ``MalformedLine`` when an element is empty.
    func list(_ field: String) throws(MalformedLine) -> [String] {
        let parts = parts(of: field, between: ",")
        guard !parts.contains("") else { throw error("an empty element in '\(field)'") }
        return parts
    }

    /// Calls `parse` and rethrows its error as a ``MalformedLine`` that names the line and the expected value, `what`.
    func parse<Value>(_ what: String, _ parse: () throws(TravelError) -> Value) throws(MalformedLine) -> Value {
        do {
            return try parse()
        } catch {
            throw self.error("\(what): \(error)")
        }
    }

    func error(_ reason: String) -> MalformedLine {
        MalformedLine(number: number, text: text, reason: reason)
    }

    private func parts(of text: String, between separator: Character) -> [String] {
        text.split(separator: separator, omittingEmptySubsequences: false).map(Self.trimmed)
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }
}

/// An error about a line that does not have the expected format.
struct MalformedLine: Error, Hashable, CustomStringConvertible {
    /// The line number, 1-based.
    let number: Int
    let text: String
    let reason: String

    var description: String { "line \(number) (\(text)): \(reason)" }
}

/// The searchable names of a place in normalised form.
struct PlaceNames {
    /// The Korean and the English name, then the others.
    private let names: [PlaceText]
    private let surroundings: [String]

    /// Normalises the names, the address and the region of `known`.
    init(_ known: KnownPlace) {
        names = ([known.place.name, known.englishName] + known.otherNames).map(PlaceText.init)
        surroundings = PlaceText(known.place.address).words + [known.region.rawValue]
    }

    /// The rank of a match; smaller is better.
    struct MatchRank: Comparable {
        let kind: Kind
        let isOtherName: Bool

        /// The ways in which a text matches a name, best first.
        enum Kind: Int {
            case name, beginning, beginningsOfWords, part
        }

        static func < (a: MatchRank, b: MatchRank) -> Bool {
            (a.kind.rawValue, a.isOtherName ? 1 : 0) < (b.kind.rawValue, b.isOtherName ? 1 : 0)
        }
    }

    /// The best match between `text` and the names; `nil` without a match.
    func bestMatch(of text: PlaceText) -> MatchRank? {
        names.enumerated().compactMap { index, name in
            kind(of: text, in: name).map { MatchRank(kind: $0, isOtherName: index > 1) }
        }.min()
    }

    /// Whether one name has, for each of `words`, a word that begins with it; both in the form of
    /// ``PlaceText/spelledAlike``.
    func isSpelledLike(_ words: [String]) -> Bool {
        names.map(\.spelledAlike).contains { name in
            words.allSatisfy { word in name.contains { $0.hasPrefix(word) } }
        }
    }

    private func kind(of text: PlaceText, in name: PlaceText) -> MatchRank.Kind? {
        if name.joined == text.joined { return .name }
        if name.joined.hasPrefix(text.joined) { return .beginning }
        if areAllFound(text.words, by: { word in name.words.contains { $0.hasPrefix(word) } }) {
            return .beginningsOfWords
        }
        if name.joined.contains(text.joined) || areAllFound(text.words, by: { name.joined.contains($0) }) {
            return .part
        }
        return nil
    }

    /// Whether the name matches at least one of `words` and the address or region matches the others.
    private func areAllFound(_ words: [String], by isInName: (String) -> Bool) -> Bool {
        let others = words.filter { !isInName($0) }
        return others.count < words.count
            && others.allSatisfy { word in surroundings.contains { $0.hasPrefix(word) } }
    }
}
