import TravelDataShared
import TravelDomain

/// The sets of a trip in ``RowSets``: one for each value of each filter, one for each of the `TitleTerms` of its title, others
/// for those of the titles and places of its entries, and one for its audience: that of all public trips, or that of the other
/// trips of its author, so that searches pass over the trips that the viewer does not see.
///
/// A trip leaves the sets of its former traits and audience at once, and those of its former texts only when it is removed.
///
/// An edit of a title writes a page for each set. Of a long title, which would need 200, only the first characters have
/// sets; besides it is in the set of long titles, which every search by a keyword reads. Of a long text of an entry all pairs
/// have sets, but no triples, and only its first characters; besides its trip is in the set of long entries.
///
/// The numbers are part of the file format; changing them requires a migration.
enum TripSets {
    /// The set of long titles.
    static let long: RowSets.Number = 62
    /// The number of folded characters from which a title is long.
    static let longTitle = 25
    /// The set of trips with an entry of which not all triples or characters have sets.
    static let longEntry: RowSets.Number = 64
    /// The set of trips that everyone may see.
    static let everyone: RowSets.Number = 65
    /// The number of characters up to which the triples of a text of an entry have sets.
    static let entryLength = 32
    /// The number of different characters of a text of an entry that have sets.
    static let entryCharacters = 24

    /// The sets of a trip with these traits (`TraitLayout`) and this title, without duplicates.
    static func of(traits: Int64, title: Title) -> [RowSets.Number] {
        let (grams, isLong) = TitleTerms.grams(of: title, atMost: longTitle - 1)
        let titles = grams.map(number) + (isLong ? [long] : TitleTerms.openings(of: title).map(number))
        return positions(of: traits) + Set(titles)
    }

    /// The sets of a trip with these entries, without duplicates.
    static func of(_ entries: some Sequence<TimelineEntry>) -> [RowSets.Number] {
        of(entryTexts: entries.flatMap { [$0.title.text, $0.place?.name].compactMap(\.self) })
    }

    /// The sets of a trip whose entries have these titles and places, without duplicates.
    static func of(entryTexts texts: [String]) -> [RowSets.Number] {
        var sets: Set<RowSets.Number> = []
        for text in texts {
            let (grams, isLong) = TitleTerms.grams(
                ofEntryText: text, length: entryLength, characters: entryCharacters)
            sets.formUnion(grams.lazy.map(entryNumber))
            if isLong { sets.insert(longEntry) }
        }
        return Array(sets)
    }

    static func of(traits: Int64) -> [RowSets.Number] { positions(of: traits) }

    /// The set of a trip with that audience by the author with the key `author`.
    static func of(_ audience: Audience, by author: Int64) -> RowSets.Number {
        audience == .everyone ? everyone : others(by: author)
    }

    /// The sets of which a trip must have one to be found by the user with the key `viewer`.
    static func visible(to viewer: Int64?) -> [RowSets.Number] {
        [everyone] + (viewer.map { [others(by: $0)] } ?? [])
    }

    /// The number of the set of the trips by an author that not everyone may see: 40 bits of the key, below the numbers of terms.
    static func others(by author: Int64) -> RowSets.Number { 1 << 40 | author & (1 << 40 - 1) }

    /// The groups of sets of which a trip must have one each to meet the filters.
    static func filters(_ criteria: TripCriteria) -> [[RowSets.Number]] {
        TraitLayout.filters(criteria).map { positions(of: $0) }
    }

    /// The groups of sets that a title with `keyword` has, unless it is long.
    static func groups(_ keyword: Keyword) -> [[RowSets.Number]] {
        // The last pairs first: words at the end of a title are less common than those at its beginning.
        TitleTerms.required(by: keyword).reversed().map { [number($0)] }
    }

    /// The groups of sets that a trip has of which an entry has `keyword`, and those that it has instead if that is long.
    static func groups(
        ofEntriesWith keyword: Keyword
    ) -> (groups: [[RowSets.Number]], ofLong: [[RowSets.Number]]) {
        func groups(_ terms: [UInt64]) -> [[RowSets.Number]] { terms.map { [entryNumber($0)] } }
        let all = groups(TitleTerms.required(ofEntriesBy: keyword))
        switch keyword.folded.count {
        case 1: return (all, [[longEntry]])
        case 2: return (all, [])
        default: return (all, [[longEntry]] + groups(TitleTerms.required(by: keyword)))
        }
    }

    /// The groups of sets that a title has of which `keyword` opens a word, unless it is long.
    static func groups(openedBy keyword: Keyword) -> [[RowSets.Number]] {
        TitleTerms.opening(by: keyword).map { [[number($0)]] } ?? []
    }

    private static func positions(of bits: Int64) -> [RowSets.Number] {
        var (rest, positions): (Int64, [RowSets.Number]) = (bits, [])
        while rest != 0 {
            positions.append(RowSets.Number(rest.trailingZeroBitCount))
            rest &= rest &- 1
        }
        return positions
    }

    /// The number of the set of a term: 42 of its bits, above the numbers of traits.
    private static func number(_ term: UInt64) -> RowSets.Number { 1 << 42 | RowSets.Number(term >> 22) }

    /// The number of the set of a term of entries: 41 of its bits, between those of traits and those of titles.
    private static func entryNumber(_ term: UInt64) -> RowSets.Number { 1 << 41 | RowSets.Number(term >> 23) }
}
