import TravelDomain

extension TravelObservingContract {
    static let visibility: [ContractCheck<Subject>] = [
        check("the sixth report ends the observations of others, but not those of the author") { store in
            try await store.add((UInt64(10)...15).map { try TravelBuilder(seed: $0).build() })
            try await watch(store.observeTravel(first, viewer: author)) { mine in
                _ = try await mine.next()
                try await expectEnd(of: store, for: viewer) {
                    for person in UInt64(10)...15 { try await store.report(first, by: User.ID(seed: person)) }
                }
                try await store.setLiked(true, travel: first, by: author)
                try expect(try await mine.next().likeCount, equals: 1, "the likes that the author sees")
            }
        },
        check("a block ends only the observations of the person who blocks") { store in
            try await watch(store.observeTravel(first, viewer: User.ID(seed: 3))) { others in
                _ = try await others.next()
                try await expectEnd(of: store, for: viewer) { try await store.block(author, by: viewer) }
                try await store.setLiked(true, travel: first, by: User.ID(seed: 3))
                try expect(try await others.next().likeCount, equals: 1, "the likes that others see")
            }
        },
        check("an image of the timeline becomes the thumbnail in observed travels and pages") { store in
            let image = try TravelImage(seed: 1)
            let entry = try TimelineEntry(
                day: 1, time: TimeOfDay(hour: 9), title: Title("Entry"), text: EntryText("Text"), image: image.id)
            let query = try TravelQuery(TravelCriteria(), viewer: nil)
            try await watch(store.observeTravel(first, viewer: nil)) { travel in
                try await watch(store.observe(query)) { page in
                    try expect(try await travel.next().thumbnail, equals: nil, "the thumbnail")
                    _ = try await page.next()
                    try await store.update(first, by: author, adding: [image]) { travel throws(TravelError) in
                        try travel.saving(entry)
                    }
                    try expect(try await travel.next().thumbnail, equals: image.id, "the thumbnail afterwards")
                    let thumbnails = try await page.next().travels.map(\.thumbnail)
                    try expect(thumbnails, equals: [nil, nil, image.id], "the thumbnails on the page")
                }
            }
        },
    ]

    static let lives: [ContractCheck<Subject>] = [
        check("a sequence can be iterated again after an error") { store in
            let (travels, id) = (store.observeTravel(Travel.ID(seed: 9), viewer: nil), Travel.ID(seed: 9))
            for _ in 0..<2 {
                try await watch(travels) { inbox in
                    try await expect(.notFound(.travel(id)), from: "the first value") { try await inbox.next() }
                }
                try await store.add([TravelBuilder(seed: 9).build()])
                try await watch(travels) { inbox in
                    try expect(try await inbox.next().id, equals: id, "the travel")
                    try await store.update(id, by: User.ID(seed: 9)) { _ in nil }
                    try await expect(.notFound(.travel(id)), from: "the next value") { try await inbox.next() }
                }
            }
        },
        check("rejected changes do not emit values") { store in
            let query = try TravelQuery(TravelCriteria(), viewer: nil)
            try await watch(store.observe(query)) { inbox in
                _ = try await inbox.next()
                _ = try await outcome {
                    try await store.add([TravelBuilder(seed: 4).build(), TravelBuilder(seed: 1).build()])
                }
                _ = try await outcome { try await store.update(first, by: viewer) { _ in nil } }
                _ = try await outcome { try await store.block(author, by: author) }
                try await store.add([TravelBuilder(seed: 5).build()])
                try expect(try await inbox.next().travels.map(\.id), equals: ids(5, 3, 2, 1), "the next page")
            }
        },
        check("a slow consumer does not receive every intermediate value") { store in
            var travels = store.observeTravel(first, viewer: nil).makeAsyncIterator()
            _ = try await travels.next(isolation: #isolation)
            try await store.add((10..<40).map { try TravelBuilder(seed: $0).build() })
            for person in UInt64(10)..<40 {
                try await store.setLiked(true, travel: first, by: User.ID(seed: person))
            }
            var (last, values) = (0, 0)
            while last < 30 {
                last = try await travels.next(isolation: #isolation)?.likeCount ?? Int.max
                values += 1
            }
            try expect(last, equals: 30, "the last number of likes")
            try expect(values <= 3, "expected at most 3 values after 30 changes; received \(values)")
        },
        check("a slow consumer eventually receives the latest value") { store in
            try await watch(store.observeTravel(first, viewer: nil)) { inbox in
                var last = try await inbox.next().likeCount
                try expect(last, equals: 0, "the initial likes")
                try await store.add((10..<40).map { try TravelBuilder(seed: $0).build() })
                for person in UInt64(10)..<40 {
                    try await store.setLiked(true, travel: first, by: User.ID(seed: person))
                }
                while last < 30 {
                    let likes = try await inbox.next().likeCount
                    try expect(likes > last, "received \(likes) likes after \(last)")
                    last = likes
                }
            }
        },
    ]

    /// Expects every kind of observation of the first travel by `person` to throw notFound after `change`.
    private static func expectEnd(
        of store: Subject, for person: User.ID, _ change: () async throws -> Void
    ) async throws {
        try await watch(store.observeTravel(first, viewer: person)) { travel in
            try await watch(store.observeTimeline(of: first, viewer: person)) { timeline in
                try await watch(store.observeTimeline(of: first, day: 1, viewer: person)) { day in
                    _ = (try await travel.next(), try await timeline.next(), try await day.next())
                    try await change()
                    try await expect(.notFound(.travel(first)), from: "the travel") { try await travel.next() }
                    try await expect(.notFound(.travel(first)), from: "the timeline") { try await timeline.next() }
                    try await expect(.notFound(.travel(first)), from: "the day") { try await day.next() }
                }
            }
        }
    }
}
