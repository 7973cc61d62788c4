import TravelDomain

extension TravelRepositoryContract {
    static let timelines: [ContractCheck<any TravelRepository>] = [
        check("timeline", "entries are ordered by day, then by time") { travels in
            let moments = [(2, 600), (1, 1_439), (3, 0), (1, 0), (2, 599), (10, 5), (1, 540)]
            let entries = try moments.enumerated().map { seed, moment in
                try entry(UInt64(seed), day: moment.0, minutes: moment.1)
            }
            try await travels.add(
                TravelBuilder(seed: 1).with {
                    $0.numberOfDays = 10
                    $0.timeline = entries
                })
            try expect(
                try await travels.timeline(of: Travel.ID(seed: 1), viewer: nil),
                equals: [3, 6, 1, 4, 0, 2, 5].map { entries[$0] },
                "the timeline")
        },
        check("timeline", "entries in the same minute are ordered by ID") { travels in
            let entries = try (0..<12).map { try entry($0, day: 1, minutes: 540) }
            try await travels.add(TravelBuilder(seed: 1).with { $0.timeline = entries })
            try expect(
                try await travels.timeline(of: Travel.ID(seed: 1), viewer: nil),
                equals: entries.sorted { $0.id < $1.id },
                "the timeline")
        },
        check("timeline", "a travel can have an empty timeline") { travels in
            try await travels.add(TravelBuilder(seed: 1))
            try expect(try await travels.timeline(of: Travel.ID(seed: 1), viewer: nil), equals: [], "the timeline")
        },
        check("timeline", "an unknown travel has no timeline") { travels in
            let id = Travel.ID(seed: 2)
            try await travels.add(TravelBuilder(seed: 1).with { $0.timeline = [try entry(1)] })
            try await expect(.notFound(.travel(id)), from: "the timeline") {
                try await travels.timeline(of: id, viewer: nil)
            }
        },
        check("timeline", "each travel has its own entries") { travels in
            try await travels.add(
                TravelBuilder(seed: 1).with { $0.timeline = [try entry(1), try entry(2)] },
                TravelBuilder(seed: 2).with { $0.timeline = [try entry(3)] })
            let first = try await travels.timeline(of: Travel.ID(seed: 1), viewer: nil).map(\.id)
            let second = try await travels.timeline(of: Travel.ID(seed: 2), viewer: nil).map(\.id)
            try expect(first, equals: [1, 2].map { TimelineEntry.ID(seed: $0) }, "the first timeline")
            try expect(second, equals: [TimelineEntry.ID(seed: 3)], "the second timeline")
        },
        check("timeline", "a timeline of 300 entries is stored completely") { travels in
            let entries = try (0..<300).map { try entry($0, day: Int($0 % 7) + 1, minutes: Int($0 * 37 % 1_440)) }
            try await travels.add(
                TravelBuilder(seed: 1).with {
                    $0.numberOfDays = 7
                    $0.timeline = entries
                })
            try expect(
                try await travels.timeline(of: Travel.ID(seed: 1), viewer: nil),
                equals: entries.sorted(by: TimelineEntry.precedes),
                "the timeline")
        },
    ]

    private static func entry(_ seed: UInt64, day: Int, minutes: Int) throws -> TimelineEntry {
        try TimelineEntry(
            id: TimelineEntry.ID(seed: seed), day: day, time: TimeOfDay(minutesSinceMidnight: minutes),
            title: Title("Entry"), text: EntryText("Text"))
    }
}
