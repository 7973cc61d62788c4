import Testing
import TravelDataSQLite
import TravelDomain
import TravelDomainTesting

@Suite("Paging while others write", .timeLimit(.minutes(5)))
struct PagingWhileWritingTests {
    @Test(
        "a search pages through without a gap or a duplicate while 10,000 travels are written",
        arguments: TravelSort.allCases)
    func tenThousandTravels(sort: TravelSort) async throws {
        let travels = try await TravelDatabase.temporary().travels
        try await travels.add((0..<1_000).map { try TravelBuilder(seed: $0 * 11).build() })
        let there = Set((UInt64(0)..<1_000).map { Travel.ID(seed: $0 * 11) })
        let found = try await withThrowingTaskGroup(of: [Travel.ID].self) { group in
            group.addTask {
                // Seeds decide the moment of recording: these fall between those that are there.
                let seeds = (UInt64(0)..<11_000).filter { $0 % 11 != 0 }
                for first in stride(from: 0, to: seeds.count, by: 200) {
                    try await travels.add(seeds[first..<first + 200].map { try TravelBuilder(seed: $0).build() })
                }
                return []
            }
            group.addTask {
                var ids: [Travel.ID] = []
                var cursor: TravelCursor?
                repeat {
                    let page = try await travels.search(
                        TravelQuery(TravelCriteria(sort: sort), viewer: nil, after: cursor))
                    ids += page.travels.map(\.id)
                    cursor = page.next
                } while cursor != nil
                return ids
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(found).count == found.count)
        #expect(there.isSubset(of: found))
    }
}
