import TravelDomain

/// All that a place can be found by, in the form in which it is compared.
struct PlaceNames {
    private let names: [PlaceText]
    private let surroundings: [String]

    /// What `known` can be found by.
    init(_ known: KnownPlace) {
        names = ([known.place.name, known.englishName] + known.otherNames).map(PlaceText.init)
        surroundings = PlaceText(known.place.address).words + [known.region.rawValue]
    }

    /// How well a text fits a place; the smallest fits best.
    enum Fit: Int, Comparable {
        case isName, beginsName, beginsWords, isInside

        static func < (a: Fit, b: Fit) -> Bool { a.rawValue < b.rawValue }
    }

    /// How `text` fits the name that it fits best; `nil` when it fits none.
    func fit(_ text: PlaceText) -> Fit? {
        names.compactMap { fit(text, $0) }.min()
    }

    /// Whether each of these words begins a word of one name, all of them in ``PlaceText/spelledAlike``.
    func isSpelledLike(_ words: [String]) -> Bool {
        names.map(\.spelledAlike).contains { name in
            words.allSatisfy { word in name.contains { $0.hasPrefix(word) } }
        }
    }

    private func fit(_ text: PlaceText, _ name: PlaceText) -> Fit? {
        if name.joined == text.joined { return .isName }
        if name.joined.hasPrefix(text.joined) { return .beginsName }
        if areAllFound(text.words, by: { word in name.words.contains { $0.hasPrefix(word) } }) { return .beginsWords }
        if name.joined.contains(text.joined) || areAllFound(text.words, by: { name.joined.contains($0) }) {
            return .isInside
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
