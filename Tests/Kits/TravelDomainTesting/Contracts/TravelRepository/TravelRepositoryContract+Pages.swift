#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TravelDomain

extension TravelRepositoryContract {
    static let pages: [ContractCheck<any TravelRepository>] =
        TravelSort.allCases.flatMap { sort in limits(sort) + bordersAmongTies(sort) + whileWriting(sort) }

    private static func limits(_ sort: TravelSort) -> [ContractCheck<any TravelRepository>] {
        [1, 2, 3, 7, 20, 99, 100].map { limit in
            check("paging", "pages of \(limit), sorted by \(sort), contain every travel once and in order") { travels in
                try await travels.add(
                    (0..<101).map { seed in
                        try TravelBuilder(seed: seed).with { $0.firstDay = "2024-05-0\(1 + seed % 3)" }.build()
                    })
                for seed in stride(from: UInt64(0), to: 101, by: 4) {
                    try await travels.setLiked(true, travel: Travel.ID(seed: seed), by: User.ID(seed: seed % 3))
                }
                let newest = (0..<101).reversed().map { Travel.ID(seed: $0) }
                let days: [Set<Travel.ID>] = (UInt64(0)..<3).map { first in
                    Set(stride(from: first, to: 101, by: 3).map { Travel.ID(seed: $0) })
                }
                let liked = Set(stride(from: UInt64(0), to: 101, by: 4).map { Travel.ID(seed: $0) })
                let inOrderOfDays: [Travel.ID] = days.reversed().flatMap { day in newest.filter { day.contains($0) } }
                let expected =
                    switch sort {
                    case .newest: newest
                    case .mostLiked: newest.filter(liked.contains) + newest.filter { !liked.contains($0) }
                    case .tripDate: inOrderOfDays
                    }
                try expect(
                    try await travels.ids(TravelCriteria(sort: sort), limit: limit), equals: expected,
                    "the travels on all pages")
            }
        } + [
            check("paging", "a full last page has no next page, sorted by \(sort)") { travels in
                _ = try await addAtOnce(40, to: travels)
                let criteria = TravelCriteria(sort: sort)
                let first = try await travels.search(TravelQuery(criteria, viewer: nil, limit: 20))
                let last = try await travels.search(TravelQuery(criteria, viewer: nil, after: first.next, limit: 20))
                try expect(first.next != nil, "expected a cursor on the first of two pages")
                try expect(last.travels.count, equals: 20, "the number of travels on the last page")
                try expect(last.next, equals: nil, "the cursor of the last page")
            },
            check("paging", "sparse matches fill whole pages, sorted by \(sort)") { travels in
                try await travels.add(
                    (0..<200).map { seed in
                        try TravelBuilder(seed: seed).with { $0.region = seed % 60 == 7 ? .jeju : .seoul }.build()
                    })
                let found = try await travels.ids(TravelCriteria(regions: [.jeju], sort: sort), limit: 2)
                let expected = stride(from: UInt64(7), to: 200, by: 60).map { Travel.ID(seed: $0) }
                try expect(Set(found), equals: Set(expected), "the travels found")
                try expect(found.count, equals: expected.count, "the number of travels found")
            },
        ]
    }

    private static func bordersAmongTies(_ sort: TravelSort) -> [ContractCheck<any TravelRepository>] {
        [1, 2, 3, 5].map { limit in
            check("paging", "page boundaries among ties lose no travel, with a limit of \(limit), sorted by \(sort)") {
                travels in
                let ids = try await addAtOnce(11, to: travels)
                try expect(
                    try await travels.ids(TravelCriteria(sort: sort), limit: limit), equals: ids.sorted(by: >),
                    "the travels on all pages")
            }
        } + [
            check("paging", "a page can begin at a cursor without a travel, sorted by \(sort)") { travels in
                _ = try await addAtOnce(9, to: travels)
                let criteria = TravelCriteria(sort: sort)
                let all = try await travels.search(TravelQuery(criteria, viewer: nil)).travels
                let gone = try Travel(
                    id: Travel.ID(seed: 1_000), author: all[0].author, content: all[0].content,
                    createdAt: all[0].createdAt, likeCount: 0, isLiked: false, isMine: false)
                let cursor = TravelCursor(after: gone, in: sort)
                let page = try await travels.search(TravelQuery(criteria, viewer: nil, after: cursor))
                try expect(page.travels, equals: all.filter(cursor.precedes), "the page")
            },
            check("paging", "a page after the last travel is empty and the last, sorted by \(sort)") { travels in
                _ = try await addAtOnce(3, to: travels)
                let criteria = TravelCriteria(sort: sort)
                let all = try await travels.search(TravelQuery(criteria, viewer: nil)).travels
                let cursor = all.last.map { TravelCursor(after: $0, in: sort) }
                let page = try await travels.search(TravelQuery(criteria, viewer: nil, after: cursor))
                try expect(page, equals: TravelPage(travels: [], next: nil), "the page")
            },
        ]
    }

    private static func whileWriting(_ sort: TravelSort) -> [ContractCheck<any TravelRepository>] {
        [
            check("paging", "travels added between pages cause neither gaps nor duplicates, sorted by \(sort)") {
                travels in
                let there = try await addAtOnce(30, to: travels)
                let found = try await travels.ids(TravelCriteria(sort: sort), limit: 4) { page in
                    guard page <= 30 else { return }
                    let seed = UInt64(page) * 100
                    _ = try await addAtOnce(2, from: seed, to: travels)
                    try await travels.add(
                        TravelBuilder(seed: seed + 10),
                        TravelBuilder(seed: seed + 11).with { $0.createdAt = .distantPast })
                }
                try expectComplete(found, there)
            },
            check(
                "paging",
                "travels that other tasks add concurrently cause neither gaps nor duplicates, sorted by \(sort)"
            ) {
                travels in
                let there = try await addAtOnce(60, to: travels)
                let found = try await withThrowingTaskGroup(of: [Travel.ID].self) { group in
                    for writer in UInt64(1)...2 {
                        group.addTask {
                            for batch in UInt64(0)..<8 {
                                _ = try await addAtOnce(5, from: writer * 10_000 + batch * 10, to: travels)
                            }
                            return []
                        }
                    }
                    group.addTask { try await travels.ids(TravelCriteria(sort: sort), limit: 7) }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                try expectComplete(found, there)
            },
        ]
    }

    static func expectComplete(_ found: [Travel.ID], _ required: [Travel.ID]) throws {
        try expect(Set(found).count, equals: found.count, "the number of different travels on the pages")
        let missing = Set(required).subtracting(found)
        try expect(
            missing.isEmpty,
            "missing on the pages: \(missing.count) \(missing.count == 1 ? "travel that exists" : "travels that exist") throughout"
        )
    }
}
