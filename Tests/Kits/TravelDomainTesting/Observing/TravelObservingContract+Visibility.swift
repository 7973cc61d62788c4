import TravelDomain

extension TravelObservingContract {
    static let visibility: [ContractCheck<Subject>] = [
        check("the sixth report ends what others watch of a travel, and not what its author does") { store in
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
        check("a block ends what the one who blocks watches of a travel, and nobody else's") { store in
            try await watch(store.observeTravel(first, viewer: User.ID(seed: 3))) { others in
                _ = try await others.next()
                try await expectEnd(of: store, for: viewer) { try await store.block(author, by: viewer) }
                try await store.setLiked(true, travel: first, by: User.ID(seed: 3))
                try expect(try await others.next().likeCount, equals: 1, "the likes that others see")
            }
        },
        check("an image on the timeline becomes the thumbnail of a travel and of its page") { store in
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
        check("after an error, a sequence can be watched anew") { store in
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
        check("what was refused wakes nobody") { store in
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
        check("who is slow is spared the values in between") { store in
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
            try expect(values <= 3, "\(values) values came to one who asked after 30 changes")
        },
        check("who is slow gets the newest value at last") { store in
            try await watch(store.observeTravel(first, viewer: nil)) { inbox in
                var last = try await inbox.next().likeCount
                try expect(last, equals: 0, "the likes to begin with")
                try await store.add((10..<40).map { try TravelBuilder(seed: $0).build() })
                for person in UInt64(10)..<40 {
                    try await store.setLiked(true, travel: first, by: User.ID(seed: person))
                }
                while last < 30 {
                    let likes = try await inbox.next().likeCount
                    try expect(likes > last, "\(likes) likes came after \(last)")
                    last = likes
                }
            }
        },
    ]

    /// Expects what `person` watches of the first travel, in every way, to end with `happens` as not found.
    private static func expectEnd(
        of store: Subject, for person: User.ID, _ happens: () async throws -> Void
    ) async throws {
        try await watch(store.observeTravel(first, viewer: person)) { travel in
            try await watch(store.observeTimeline(of: first, viewer: person)) { timeline in
                try await watch(store.observeTimeline(of: first, day: 1, viewer: person)) { day in
                    _ = (try await travel.next(), try await timeline.next(), try await day.next())
                    try await happens()
                    try await expect(.notFound(.travel(first)), from: "the travel") { try await travel.next() }
                    try await expect(.notFound(.travel(first)), from: "the timeline") { try await timeline.next() }
                    try await expect(.notFound(.travel(first)), from: "the day") { try await day.next() }
                }
            }
        }
    }
}
