#if PostgreSQL
internal import PostgreSQLStore
internal import Synchronization
import TravelDataShared
import TravelDomain

/// The terms of a title, by which the index of the column `terms` finds it: one for each character and each pair of
/// adjacent characters, and one for each of some lengths to which the title's openings are cut.
///
/// A title contains a keyword only if it has all pairs of the keyword, or its only character; `Keyword.matches(_:)`
/// then decides. Pairs find Korean words of two syllables.
///
/// The numbers are part of the stored form; changing them requires a migration.
enum TravelTerms {
    /// The terms of a title, in ascending order.
    static func of(_ title: Title) -> [Int32] {
        let openings = title.openings.flatMap { Self.openings(keys(of: $0)) }
        return Set(grams(of: title) + openings).sorted()
    }

    /// The terms that a title with `keyword` has.
    static func grams(of keyword: Keyword) -> [Int32] {
        let keys = keys(of: keyword.folded)
        return Set(keys.count == 1 ? characters(keys) : pairs(keys)).sorted()
    }

    /// The term that a title has of which `keyword` opens a word.
    static func opening(by keyword: Keyword) -> [Int32] {
        // A title with the term of the longest also has those of the others.
        openings(keys(of: keyword.keystrokes)).suffix(1)
    }

    /// A set of 64 elements, with one for each character and pair of a title.
    ///
    /// The set of a title with a keyword includes the set of the keyword. The indexes of both orders contain it,
    /// and therefore reject most other titles without reading them.
    static func signature(of title: Title) -> Int64 {
        signature(of: keys(of: Keyword.folded(title.text)))
    }

    /// The signature of a keyword.
    static func signature(of keyword: Keyword) -> Int64 {
        signature(of: keys(of: keyword.folded))
    }

    private static func signature(of keys: [UInt64]) -> Int64 {
        (characters(keys) + pairs(keys)).reduce(0) { $0 | 1 << Int64($1 & 63) }
    }

    private static func grams(of title: Title) -> [Int32] {
        let keys = keys(of: Keyword.folded(title.text))
        return characters(keys) + pairs(keys)
    }

    /// The numbers of letters by which openings are found; `Keyword.opens(_:)` compares further letters.
    private static let openingLengths = [1, 2, 3, 4, 5, 6, 8, 10, 12, 14]

    /// The terms of titles that have an opening with the first letters of a text, one for each length.
    private static func openings(_ keys: [UInt64]) -> [Int32] {
        openingLengths.prefix { $0 <= keys.count }.map { length in
            // FNV-1a, with the length, so that an opening has other terms than a pair.
            number(
                of: keys.prefix(length).reduce(0xCBF2_9CE4_8422_2325 ^ UInt64(length)) {
                    ($0 ^ $1) &* 0x100_0000_01B3
                })
        }
    }

    private static func keys(of folded: String) -> [UInt64] {
        folded.map { UInt64(CharacterKey.scalar(of: $0).value) }
    }

    private static func characters(_ keys: [UInt64]) -> [Int32] { keys.map(number) }

    private static func pairs(_ keys: [UInt64]) -> [Int32] {
        zip(keys, keys.dropFirst()).map { number(of: $0 << 32 | $1) }
    }

    /// The term of a character, a pair or an opening: the upper bits of a Fibonacci hash, which are evenly
    /// distributed. Different texts may have the same term.
    private static func number(of text: UInt64) -> Int32 {
        Int32(((text ^ text >> 29) &* 0x9E37_79B9_7F4A_7C15) >> 33)
    }
}

/// The terms that many titles have, according to the statistics of the server.
///
/// Reading the list of titles of such a term would take longer than a search. The statistics are those of the last
/// `ANALYZE`, which the server runs by itself; the results of a search do not depend on them.
final class CommonTerms: Sendable {
    /// The number of searches after which the statistics are read again.
    private static let lifetime = 1_000
    /// The same while the server has none.
    private static let emptyLifetime = 50

    private let state = Mutex<(terms: Set<Int32>, uses: Int)>(([], 0))

    /// The terms among `terms` that are not common.
    func rare(among terms: [Int32], _ db: Connection) throws -> [Int32] {
        if terms.isEmpty { return [] }
        if let rare = known(among: terms) { return rare }
        // Not within the lock: meanwhile, other searches read them, too.
        let rows = try db.fetchAll(
            [Int32].self,
            """
            SELECT most_common_elems::text::integer[] FROM pg_stats
            WHERE schemaname = current_schema() AND tablename = 'travel' AND attname = 'terms'
                AND most_common_elems IS NOT NULL
            """)
        let common = Set(rows.joined())
        state.withLock { $0 = (common, common.isEmpty ? Self.emptyLifetime : Self.lifetime) }
        return terms.filter { !common.contains($0) }
    }

    private func known(among terms: [Int32]) -> [Int32]? {
        state.withLock { state in
            guard state.uses > 0 else { return nil }
            state.uses -= 1
            return terms.filter { !state.terms.contains($0) }
        }
    }
}
#endif
