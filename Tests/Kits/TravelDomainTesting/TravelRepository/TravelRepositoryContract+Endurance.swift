public import TravelDomain

extension TravelRepositoryContract {
    /// One check for either order: a search pages through without a travel twice or missing while another task writes
    /// `count` travels, whose places in the order are all over it.
    ///
    /// It is not one of ``checks``, because it takes as long as writing that many does.
    public static func pagingWhileWriting(_ count: Int) -> [ContractCheck<any TravelRepository>] {
        TravelSort.allCases.map { sort in
            check("paging", "while \(count) travels are written, pages sorted by \(sort) hide and repeat none") {
                travels in
                // Seeds decide the moment of recording: one of eleven is there before, the others fall between.
                let seeds = UInt64(0)..<UInt64(count + count / 10)
                try await travels.add(seeds.filter { $0 % 11 == 0 }.map { try TravelBuilder(seed: $0).build() })
                let found = try await withThrowingTaskGroup(of: [Travel.ID].self) { group in
                    group.addTask {
                        let new = seeds.filter { $0 % 11 != 0 }
                        for first in stride(from: 0, to: new.count, by: 100) {
                            let batch = new[first..<min(first + 100, new.count)]
                            try await travels.add(batch.map { try TravelBuilder(seed: $0).build() })
                        }
                        return []
                    }
                    group.addTask { try await travels.ids(TravelCriteria(sort: sort), limit: 20) }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                try shows(found, seeds.filter { $0 % 11 == 0 }.map { Travel.ID(seed: $0) })
                try expect(
                    try await travels.ids(TravelCriteria(sort: sort)).count, equals: seeds.count, "what is there")
            }
        }
    }
}
