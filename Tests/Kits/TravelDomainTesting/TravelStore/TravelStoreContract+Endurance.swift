import TravelDomain

extension TravelStoreContract {
    /// One check for either order: a search pages through without a travel twice or missing while another task writes
    /// `count` travels, whose places in the order are all over it, removes some, and likes others.
    ///
    /// While a page is read, a hundredth of them is written, and the next page waits for it: so it is on any machine.
    /// It is not one of ``checks``, because it takes as long as writing that many does.
    public static func pagingWhileWriting(_ count: Int) -> [ContractCheck<TravelStore>] {
        TravelSort.allCases.map { sort in
            ContractCheck("paging", "while \(count) travels are written, pages sorted by \(sort) hide and repeat none")
            {
                store in
                let story = try WrittenWhilePaging(count: count, sort: sort)
                try await store.add(story.before)
                for (travel, person) in story.likesBefore {
                    try await store.setLiked(true, travel: travel, by: person)
                }
                let (pages, pageBegins) = AsyncStream<Void>.makeStream()
                let (batches, batchEnds) = AsyncStream<Void>.makeStream()
                let found = try await withThrowingTaskGroup(of: [Travel.ID].self) { group in
                    group.addTask {
                        defer { batchEnds.finish() }
                        for batch in story.batches {
                            // Once the last page is read, there is nothing to wait for.
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
                    found.contains { story.isAmongBatches($0) }, "no travel was shown that was written meanwhile")
                try TravelRepositoryContract.shows(found.filter { !story.moved.contains($0) }, story.stay)
                try expect(
                    try await store.ids(TravelCriteria(sort: sort)).count, equals: story.countAfterwards,
                    "the number of travels afterwards")
            }
        }
    }

    /// Returns once `happenings` has one more, or is over.
    private static func next(of happenings: AsyncStream<Void>) async {
        for await _ in happenings { return }
    }

    private static func write(_ batch: WrittenWhilePaging.Batch, to store: TravelStore) async throws {
        try await store.add(batch.new)
        for travel in batch.removed { try await store.update(travel.id, by: travel.author.id) { _ in nil } }
        for (travel, person) in batch.likes { try await store.setLiked(true, travel: travel, by: person) }
    }
}
