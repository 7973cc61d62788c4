import TravelDataShared
import TravelDomain

/// The sets of a travel in ``RowSets``: one for each value of each filter, one for each character and each pair of
/// adjacent characters of its title, and one for each of some lengths to which the title's openings are cut.
///
/// A title contains a keyword only if it has all pairs of the keyword, or its only character; `Keyword.matches(_:)`
/// then decides. Pairs find Korean words of two syllables, which a trigram index cannot. A travel leaves the sets of its
/// former traits at once, and those of its former titles only when it is removed.
///
/// An edit of a title writes a page for each set. Of a long title, which would need 200, only the first characters have
/// sets; besides it is in the set of long titles, which every search by a keyword reads.
///
/// The numbers are part of the file format; changing them requires a migration.
enum TravelSets {
    /// The set of long titles.
    static let long: RowSets.Number = 62
    /// The number of folded characters from which a title is long.
    static let longTitle = 25

    /// The sets of a travel with these traits (`TraitLayout`) and this title, without duplicates.
    static func of(traits: Int64, title: Title) -> [RowSets.Number] {
        let keys = Self.keys(of: Keyword.folded(title.text))
        if keys.count >= longTitle {
            let first = Array(keys.prefix(longTitle - 1))
            return positions(of: traits) + Set(characters(first) + pairs(first) + [long])
        }
        let openings = title.openings.flatMap { Self.openings(Self.keys(of: $0)) }
        return positions(of: traits) + Set(characters(keys) + pairs(keys) + openings)
    }

    /// The sets of a travel with these traits.
    static func of(traits: Int64) -> [RowSets.Number] { positions(of: traits) }

    /// The groups of sets of which a travel must have one each to meet the filters.
    static func filters(_ criteria: TravelCriteria) -> [[RowSets.Number]] {
        typealias Layout = TraitLayout
        let filters = [
            Layout.bits(of: criteria.regions),
            Layout.bits(criteria.seasons, in: Layout.seasons) << Layout.firstSeason,
            bits(criteria.period, in: Layout.periods) << Layout.firstPeriod,
            bits(criteria.headcount, in: Layout.headcounts) << Layout.firstHeadcount,
            bits(criteria.budget, in: Layout.budgets) << Layout.firstBudget,
            bits(criteria.transportation, in: Layout.transportations) << Layout.firstTransportation,
            Layout.bits(criteria.themes, in: Layout.themes) << Layout.firstTheme,
            Layout.bits(criteria.companions, in: Layout.companions) << Layout.firstCompanion,
        ]
        return filters.filter { $0 != 0 }.map { positions(of: $0) }
    }

    /// The groups of sets that a title with `keyword` has, unless it is long.
    static func groups(_ keyword: Keyword) -> [[RowSets.Number]] {
        let keys = keys(of: keyword.folded)
        // The last pairs first: words at the end of a title are less common than those at its beginning.
        return (keys.count == 1 ? characters(keys) : pairs(keys).reversed()).map { [$0] }
    }

    /// The groups of sets that a title has of which `keyword` opens a word, unless it is long.
    static func groups(openedBy keyword: Keyword) -> [[RowSets.Number]] {
        // The set of the longest is in those of the others.
        openings(keys(of: keyword.keystrokes)).suffix(1).map { [$0] }
    }

    /// The numbers of letters by which openings are found; `Keyword.opens(_:)` compares further letters. Older files
    /// also have sets for 5 and 12 letters, which nothing reads.
    private static let openingLengths = [1, 2, 3, 4, 6, 8, 10, 14]

    /// The sets of titles that have an opening with the first letters of a text, one for each length.
    private static func openings(_ keys: [UInt64]) -> [RowSets.Number] {
        openingLengths.prefix { $0 <= keys.count }.map { length in
            // FNV-1a, with the length, so that an opening is in other sets than a pair.
            number(
                of: keys.prefix(length).reduce(0xCBF2_9CE4_8422_2325 ^ UInt64(length)) { ($0 ^ $1) &* 0x100_0000_01B3 })
        }
    }

    private static func bits<Value: Hashable>(_ value: Value?, in list: [Value]) -> Int64 {
        value.map { TraitLayout.bits([$0], in: list) } ?? 0
    }

    private static func positions(of bits: Int64) -> [RowSets.Number] {
        (0..<64).filter { bits & 1 << $0 != 0 }
    }

    private static func keys(of folded: String) -> [UInt64] {
        folded.map { UInt64(CharacterKey.scalar(of: $0).value) }
    }

    private static func characters(_ keys: [UInt64]) -> [RowSets.Number] { keys.map(number) }

    private static func pairs(_ keys: [UInt64]) -> [RowSets.Number] {
        zip(keys, keys.dropFirst()).map { number(of: $0 << 32 | $1) }
    }

    /// The number of the set of a character or a pair: a Fibonacci hash, whose upper bits are evenly distributed, above
    /// the numbers of traits. Different pairs may have the same number.
    private static func number(of gram: UInt64) -> RowSets.Number {
        1 << 42 | RowSets.Number(((gram ^ gram >> 29) &* 0x9E37_79B9_7F4A_7C15) >> 22)
    }
}
