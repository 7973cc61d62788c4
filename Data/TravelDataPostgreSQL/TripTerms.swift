#if PostgreSQL
internal import PostgreSQLStore
internal import Synchronization
import TravelDataShared
import TravelDomain

/// The `TitleTerms` of a title, by which the index of the column `terms` finds it, and those of an entry.
///
/// The numbers are part of the stored form; changing them requires a migration.
enum TripTerms {
    /// The terms of a title, in ascending order.
    static func of(_ title: Title) -> [Int32] {
        numbers(TitleTerms.grams(of: title).terms + TitleTerms.openings(of: title))
    }

    /// The terms of the title of an entry and the name of its place, in ascending order.
    static func of(entryTitle title: String, placeName: String?) -> [Int32] {
        numbers([title, placeName].compactMap(\.self).flatMap { TitleTerms.grams(ofEntryText: $0).terms })
    }

    static func grams(of keyword: Keyword) -> [Int32] { numbers(TitleTerms.required(by: keyword)) }

    static func grams(ofEntriesBy keyword: Keyword) -> [Int32] { numbers(TitleTerms.required(ofEntriesBy: keyword)) }

    /// The term that a title has of which `keyword` opens a word.
    static func opening(by keyword: Keyword) -> [Int32] { TitleTerms.opening(by: keyword).map { [number($0)] } ?? [] }

    /// A set of 64 elements, with one for each character and pair of a title.
    ///
    /// The set of a title with a keyword includes the set of the keyword. The indexes of both orders contain it,
    /// and therefore reject most other titles without reading them.
    static func signature(of title: Title) -> Int64 { signature(TitleTerms.grams(of: title).terms) }

    static func signature(of keyword: Keyword) -> Int64 { signature(TitleTerms.grams(of: keyword)) }

    private static func signature(_ terms: [UInt64]) -> Int64 {
        terms.reduce(0) { $0 | 1 << Int64(number($1) & 63) }
    }

    private static func numbers(_ terms: [UInt64]) -> [Int32] { Set(terms.map(number)).sorted() }

    private static func number(_ term: UInt64) -> Int32 { Int32(term >> 33) }
}

/// The terms that many titles or entries have, according to the statistics of the server.
///
/// Reading the list of rows of such a term would take longer than a search. The statistics are those of the last
/// `ANALYZE`, which the server runs by itself; the results of a search do not depend on them.
final class CommonTerms: Sendable {
    /// The number of searches after which the statistics are read again.
    private static let lifetime = 1_000
    /// The same while the server has none.
    private static let emptyLifetime = 50

    private let table: String
    /// The least share of rows that have a common term; of rarer ones the server may know the frequency, too.
    private let frequency: Double
    private let state = Mutex<(terms: Set<Int32>, uses: Int)>(([], 0))

    private init(of table: String, frequency: Double) { (self.table, self.frequency) = (table, frequency) }

    static func ofTitles() -> CommonTerms { CommonTerms(of: "trip", frequency: 0) }

    /// Of a term that more entries have, a page is found sooner in the order of the trips.
    static func ofEntries() -> CommonTerms { CommonTerms(of: "entry", frequency: 0.004) }

    /// The terms among `terms` that are not common.
    func rare(among terms: [Int32], _ db: Connection) throws -> [Int32] {
        if terms.isEmpty { return [] }
        if let rare = known(among: terms) { return rare }
        // Not within the lock: meanwhile, other searches read them, too.
        let rows = try db.fetchAll(
            Int32.self,
            """
            SELECT term FROM pg_stats, unnest(most_common_elems::text::integer[], most_common_elem_freqs) AS common (term, share)
            WHERE schemaname = current_schema() AND tablename = \(table) AND attname = 'terms'
                AND term IS NOT NULL AND share >= \(frequency)
            """)
        let common = Set(rows)
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
