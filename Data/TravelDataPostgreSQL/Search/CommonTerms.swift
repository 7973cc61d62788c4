#if PostgreSQL
    internal import PostgreSQLStore
    internal import Synchronization

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
