#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TravelDomain

extension TravelRepositoryContract {
    static let orders: [ContractCheck<any TravelRepository>] = [
        check("order", "the most recently recorded travels come first") { travels in
            let builders = try [3, 1, 5, 2, 4].map { try TravelBuilder(seed: $0) }
            try await travels.add(builders.map { try $0.build() })
            try expect(
                try await travels.ids(TravelCriteria()), equals: [5, 4, 3, 2, 1].map { Travel.ID(seed: $0) },
                "the order")
        },
        check("order", "of travels recorded at the same time, the greater ID comes first") { travels in
            let ids = try await addAtOnce(20, to: travels)
            try expect(try await travels.ids(TravelCriteria()), equals: ids.sorted(by: >), "the order")
        },
        check("order", "times that differ by less than a microsecond are distinct") { travels in
            let moments = (0..<10).map { 757_382_400 + Double($0) * 0x1p-23 }
            try await travels.add(
                moments.enumerated().map { seed, moment in
                    try TravelBuilder(seed: UInt64(seed)).with {
                        $0.createdAt = Date(timeIntervalSinceReferenceDate: moment)
                    }.build()
                })
            try expect(
                try await travels.ids(TravelCriteria()), equals: (0..<10).reversed().map { Travel.ID(seed: $0) },
                "the order")
        },
        check("order", "times in the distant past and future are in order") { travels in
            let moments = [
                -.infinity, -.greatestFiniteMagnitude, -1e12, -63_114_076_800, -1, -0.5, 0, 0.25, 63_113_904_000, 1e12,
                .greatestFiniteMagnitude, .infinity,
            ]
            try await travels.add(
                moments.enumerated().map { seed, moment in
                    try TravelBuilder(seed: UInt64(seed)).with {
                        $0.createdAt = Date(timeIntervalSinceReferenceDate: moment)
                    }.build()
                })
            for limit in [1, 100] {
                try expect(
                    try await travels.ids(TravelCriteria(), limit: limit),
                    equals: (0..<12).reversed().map { Travel.ID(seed: $0) }, "the order, \(limit) on a page")
            }
        },
        check("order", "the most liked come first") { travels in
            try await addWithLikes([2, 0, 4, 1, 3], to: travels)
            try expect(
                try await travels.ids(TravelCriteria(sort: .mostLiked)),
                equals: [2, 4, 0, 3, 1].map { Travel.ID(seed: $0) }, "the order")
        },
        check("order", "of travels with equal likes, the later ones come first") { travels in
            try await addWithLikes([1, 0, 2, 1, 0, 1, 2, 0], to: travels)
            try expect(
                try await travels.ids(TravelCriteria(sort: .mostLiked)),
                equals: [6, 2, 5, 3, 0, 7, 4, 1].map { Travel.ID(seed: $0) }, "the order")
        },
        check("order", "of travels with equal likes and times, the greater ID comes first") { travels in
            let ids = try await addAtOnce(8, to: travels)
            for id in ids[2...4] { try await travels.setLiked(true, travel: id, by: User.ID(seed: 0)) }
            try expect(
                try await travels.ids(TravelCriteria(sort: .mostLiked)),
                equals: ids[2...4].sorted(by: >) + (ids[..<2] + ids[5...]).sorted(by: >), "the order")
        },
        check("order", "a like moves a travel up and its withdrawal moves it down again") { travels in
            try await addWithLikes([2, 1, 0], to: travels)
            let mostLiked = TravelCriteria(sort: .mostLiked)
            for person in UInt64(0)..<3 {
                try await travels.setLiked(true, travel: Travel.ID(seed: 2), by: User.ID(seed: person))
            }
            try expect(
                try await travels.ids(mostLiked), equals: [2, 0, 1].map { Travel.ID(seed: $0) }, "the order after")
            for person in UInt64(0)..<3 {
                try await travels.setLiked(false, travel: Travel.ID(seed: 2), by: User.ID(seed: person))
            }
            try expect(
                try await travels.ids(mostLiked), equals: [0, 1, 2].map { Travel.ID(seed: $0) }, "the order after that")
        },
        check("order", "the latest first day comes first, and of the same day the most recently recorded") { travels in
            let days = ["2024-05-02", "2024-12-31", "0001-01-01", "2024-05-02", "9999-12-31", "1969-12-31"]
            try await travels.add(
                days.enumerated().map { seed, day in
                    try TravelBuilder(seed: UInt64(seed)).with { $0.firstDay = day }.build()
                })
            try await travels.setLiked(true, travel: Travel.ID(seed: 2), by: User.ID(seed: 0))
            for limit in [1, 2, 100] {
                try expect(
                    try await travels.ids(TravelCriteria(sort: .tripDate), limit: limit),
                    equals: [4, 1, 3, 0, 5, 2].map { Travel.ID(seed: $0) }, "the order, \(limit) on a page")
            }
        },
        check("order", "travels of some seasons are in the order of their first days on pages of every size") {
            travels in
            for number in 0..<72 {
                // Recorded in another order than they begin: three a month, in two years.
                let (month, day) = (number / 3 % 12 + 1, 1 + number % 3 * 13)
                let firstDay = try CalendarDay(year: 2023 + number / 36, month: month, day: day)
                let seed = UInt64(number * 7 % 72)
                try await travels.add(TravelBuilder(seed: seed).with { $0.firstDay = firstDay.description })
            }
            for seasons in [[.winter], [.summer, .winter], [.spring, .autumn], Set(Season.allCases)] as [Set<Season>] {
                let criteria = TravelCriteria(seasons: seasons, sort: .tripDate)
                let all = try await travels.search(TravelQuery(TravelCriteria(), viewer: nil, limit: 100)).travels
                let expected = all.filter { seasons.contains($0.days.season) }.sorted(by: TravelSort.tripDate.precedes)
                for limit in [1, 2, 5, 9, 100] {
                    try expect(
                        try await travels.ids(criteria, limit: limit), equals: expected.map(\.id),
                        "the order, \(limit) on a page")
                }
            }
        },
        check("order", "likes do not change the order by time") { travels in
            try await addWithLikes([2, 0, 1], to: travels)
            try expect(
                try await travels.ids(TravelCriteria()), equals: [2, 1, 0].map { Travel.ID(seed: $0) }, "the order")
        },
    ]

    /// Adds a number of travels with the same time of recording, and returns their IDs.
    static func addAtOnce(_ count: UInt64, from first: UInt64 = 0, to travels: any TravelRepository) async throws
        -> [Travel.ID]
    {
        let recorded = try (first..<first + count).map { seed in
            try TravelBuilder(seed: seed).with { $0.createdAt = Date(timeIntervalSinceReferenceDate: 757_382_400) }
                .build()
        }
        try await travels.add(recorded)
        return recorded.map(\.id)
    }

    /// Adds one travel for each count, with its index as seed; as many people, of seeds 0, 1, …, like it.
    static func addWithLikes(_ counts: [Int], to travels: any TravelRepository) async throws {
        try await travels.add(counts.indices.map { try TravelBuilder(seed: UInt64($0)).build() })
        for (seed, count) in counts.enumerated() {
            for person in 0..<count {
                try await travels.setLiked(
                    true, travel: Travel.ID(seed: UInt64(seed)), by: User.ID(seed: UInt64(person)))
            }
        }
    }
}
