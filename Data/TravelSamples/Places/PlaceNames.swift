import TravelDomain

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
