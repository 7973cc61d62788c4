import TravelDomain

/// All that a place can be found by, in the form in which it is compared.
struct PlaceNames {
    /// The Korean and the English name, then the others.
    private let names: [PlaceText]
    private let surroundings: [String]

    /// What `known` can be found by.
    init(_ known: KnownPlace) {
        names = ([known.place.name, known.englishName] + known.otherNames).map(PlaceText.init)
        surroundings = PlaceText(known.place.address).words + [known.region.rawValue]
    }

    /// How well a text fits a place; the smallest fits best.
    struct Fit: Comparable {
        let kind: Kind
        let isOtherName: Bool

        /// What a text may be of a name.
        enum Kind: Int {
            case name, beginning, beginningsOfWords, part
        }

        static func < (a: Fit, b: Fit) -> Bool {
            (a.kind.rawValue, a.isOtherName ? 1 : 0) < (b.kind.rawValue, b.isOtherName ? 1 : 0)
        }
    }

    /// How `text` fits the name that it fits best; `nil` when it fits none.
    func fit(_ text: PlaceText) -> Fit? {
        names.enumerated().compactMap { index, name in
            kind(of: text, in: name).map { Fit(kind: $0, isOtherName: index > 1) }
        }.min()
    }

    /// Whether each of these words begins a word of one name, all of them in ``PlaceText/spelledAlike``.
    func isSpelledLike(_ words: [String]) -> Bool {
        names.map(\.spelledAlike).contains { name in
            words.allSatisfy { word in name.contains { $0.hasPrefix(word) } }
        }
    }

    private func kind(of text: PlaceText, in name: PlaceText) -> Fit.Kind? {
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

    /// Whether a name has all of `words` but those that say where it is, and has at least one.
    private func areAllFound(_ words: [String], by isInName: (String) -> Bool) -> Bool {
        let others = words.filter { !isInName($0) }
        return others.count < words.count
            && others.allSatisfy { word in surroundings.contains { $0.hasPrefix(word) } }
    }
}
