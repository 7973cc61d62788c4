#if PostgreSQL
    extension Connection {
        /// The largest number of topics, and their largest size in bytes, that one commit announces by name.
        private static let (maximumCount, maximumSize) = (100, 7000)

        /// The payload that stands for everything; a topic is never empty.
        static let everything = ""

        /// Announces the topics at the commit, if anybody observes the schema.
        ///
        /// Announcing makes commits wait for each other. Therefore observers hold an advisory lock, which writers try to
        /// share until the end of their transaction: if they can, nobody observes, and an observer that comes later waits
        /// for their commit before its first fetch.
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
