import TravelDomain

extension TravelStoreContract {
    /// One check for each order: paging through all travels has neither gaps nor duplicates, while another task adds
    /// `count` travels at positions throughout the order, removes some, and likes others.
    ///
    /// While a page is read, a hundredth of them is written, and the next page waits for that, so that the check
    /// behaves the same on every machine. It is not one of ``checks``, because it takes as long as writing that many
    /// travels does.
    public static func pagingWhileWriting(_ count: Int) -> [ContractCheck<any TravelStore>] {
        TravelSort.allCases.map { sort in
            ContractCheck(
                "paging", "while \(count) travels are written, pages sorted by \(sort) have neither gaps nor duplicates"
            ) {
                store in
                let scenario = try PagingScenario(count: count, sort: sort)
                try await store.add(scenario.before)
                for (travel, person) in scenario.likesBefore {
                    try await store.setLiked(true, travel: travel, by: person)
                }
                let (pages, pageBegins) = AsyncStream<Void>.makeStream()
                let (batches, batchEnds) = AsyncStream<Void>.makeStream()
                let found = try await withThrowingTaskGroup(of: [Travel.ID].self) { group in
                    group.addTask {
                        defer { batchEnds.finish() }
                        for batch in scenario.batches {
                            // After the last page, there is nothing to wait for.
                            await next(of: pages)
                            try await write(batch, to: store)
                            batchEnds.yield()
                        }
                        return []
                    }
                    group.addTask {
                        defer { pageBegins.finish() }
                        pageBegins.yield()
                        return try await store.ids(TravelCriteria(sort: sort), limit: 20) { _ in
                            await next(of: batches)
                            pageBegins.yield()
                        }
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                try expect(
                    found.contains { scenario.isAmongBatches($0) }, "expected at least one new travel on the pages")
                try TravelRepositoryContract.expectComplete(
                    found.filter { !scenario.moved.contains($0) }, scenario.required)
                try expect(
                    try await store.ids(TravelCriteria(sort: sort)).count, equals: scenario.finalCount,
                    "the number of travels afterwards")
            }
        }
    }

    /// Waits for the next element of `events`, or for its end.
    private static func next(of events: AsyncStream<Void>) async {
        for await _ in events { return }
    }

    private static func write(_ batch: PagingScenario.Batch, to store: any TravelStore) async throws {
        try await store.add(batch.new)
        for travel in batch.removed { try await store.update(travel.id, by: travel.author.id) { _ in nil } }
        for (travel, person) in batch.likes { try await store.setLiked(true, travel: travel, by: person) }
    }
}
