#if PostgreSQL
    /// Where a search changes from one way to the next; tests choose it so that few travels need all of them.
    struct SearchEffort: Sendable {
        /// The number of travels that are read in order first.
        var recentCount = 4_000
        /// The maximum number of travels that are read in order where the first ones show that the page is among them.
        var furtherCount = 40_000
        /// The maximum number of travels with a keyword that are sorted.
        var sortedCount = 3_000
        /// The number of cells that hold so few travels that they are read first.
        var fewCells = 60
        /// The number of cells that are read sooner than the lists of the terms.
        var someCells = 200
        /// The maximum number of cells that are read: with more of them the order is read as fast.
        var cellCount = 2_500
    }
#endif
