import TravelDomain

extension TravelBenchmarks {
    /// A like given and taken back, each in a write of its own.
    static func likes(_ report: inout Report, _ world: World) async throws {
        let (travels, person) = (world.travels.prefix(200), world.people[1].id)
        try await compare(&report, "likeToggle", element: "toggle", count: travels.count * 2, world) { store in
            for travel in travels {
                try await store.setLiked(true, travel: travel, by: person)
                try await store.setLiked(false, travel: travel, by: person)
            }
            return try await store.travel(travels[0], viewer: person).likeCount
        }
    }

    /// A travel and its timeline, as the screen that shows them reads them.
    static func timelines(_ report: inout Report, _ world: World) async throws {
        let (travels, person) = (world.travels.prefix(500), world.people[1].id)
        try await compare(&report, "openTimeline", element: "travel", count: travels.count, world) { store in
            var sum = 0
            for travel in travels {
                let found = try await store.travel(travel, viewer: person)
                sum &+= found.title.text.utf8.count + found.likeCount
                sum &+= try await store.timeline(of: travel, viewer: person).count
            }
            return sum
        }
    }
}
