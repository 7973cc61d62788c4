#if PostgreSQL
    /// Where a search changes from one way to the next; tests choose it so that few travels need all of them.
    struct SearchEffort: Sendable {
        /// The number of travels that are read in order first.
        var recentCount = 4_000
        /// The maximum number of travels with a rare keyword that are sorted.
        var sortedCount = 1_000
        /// The same of a search with filters, which would read more of the order.
        var filteredCount = 3_000
        /// The maximum number of cells that are read: with more of them the order is read as fast.
        var cellCount = 2_500
    }
#endif
