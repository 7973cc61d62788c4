#if PostgreSQL
    extension Connection {
        /// The limits up to which a commit announces topics by name: their number, and the size of each in UTF-8 bytes.
        private static let (maximumCount, maximumSize) = (100, 7000)

        /// The payload that announces a change of everything; the payload of a topic is never empty.
        static let everything = ""

        /// Announces the topics at the commit, if the schema has an observer.
        ///
        /// Commits that notify wait for each other. Therefore one of the observing processes holds an exclusive
        /// advisory lock, which each writer tries to share until the end of its transaction. If the writer succeeds,
        /// there is no observer: a later one requests the lock before its first fetch, and fetches again once it has
        /// the lock, after the writer's commit.
        func announceTopics() throws {
            guard !topics.isEmpty else { return }
            let isTooMuch =
                topics.count > Self.maximumCount
                || topics.contains { $0.isEmpty || $0.utf8.count > Self.maximumSize || $0.utf8.contains(0) }
            let names = isTooMuch ? [Self.everything] : topics.sorted()
            let channel = configuration.channel
            try execute(
                """
                SELECT pg_notify(\(channel)::text || '_' || md5(current_schema()), topic)
                FROM (
                    SELECT NOT pg_try_advisory_xact_lock_shared(
                        hashtextextended(\(channel)::text || ' ' || current_schema(), 0)) AS is_observed
                    OFFSET 0
                ) AS observers, unnest(\(names)::text[]) AS topic
                WHERE is_observed
                """)
        }
    }
#endif
