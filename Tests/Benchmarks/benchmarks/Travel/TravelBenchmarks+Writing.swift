import Synchronization
import TravelDomain

extension TravelBenchmarks {
    /// A like given and taken back, each in a write of its own.
    static func likes(_ report: inout Report, _ world: World) async throws {
        let toggles = world.trips.prefix(300).flatMap { trip in [true, false].map { (trip.id, $0) } }
        try await measureWrites(&report, "like", element: "like", world, toggles) { trip, isLiked in
            try await world.store.setLiked(isLiked, trip: trip, by: world.visitor.id)
        }
    }

    /// A like until someone who observes the trip sees it.
    static func likesAtObserver(_ report: inout Report, _ world: World) async throws {
        guard report.isWanted("likeAtObserver") else { return }
        let trip = world.trips[0]
        var values = world.store.observeTrip(trip.id, viewer: world.visitor.id).makeAsyncIterator()
        _ = try await values.next(isolation: #isolation)
        var times: [Double] = []
        for number in 0..<300 {
            let (isLiked, start) = (number.isMultiple(of: 2), Report.Clock.wall.now)
            try await world.store.setLiked(isLiked, trip: trip.id, by: world.visitor.id)
            while let seen = try await values.next(isolation: #isolation), seen.isLiked != isLiked {}
            times.append(Double(Report.Clock.wall.now - start))
        }
        add(&report, "likeAtObserver", element: "like", world, times)
    }

    /// A trip and its timeline, as the screen that shows them reads them.
    static func timelines(_ report: inout Report, _ world: World) async throws {
        try await measureReads(&report, "openTimeline", element: "trip", world, world.trips.map(\.id)) { trip in
            let found = try await world.store.trip(trip, viewer: world.visitor.id)
            return try await found.likeCount + world.store.timeline(of: trip, viewer: world.visitor.id).count
        }
    }

    /// A new title, new values of the filters, and a new entry in a timeline of 300.
    static func edits(_ report: inout Report, _ world: World) async throws {
        let trips = Array(world.trips.prefix(1_500).enumerated())
        try await measureWrites(&report, "editTitle", element: "edit", world, trips) { number, trip in
            let content = try trip.content.with(title: Title("고친 제목 \(number % 97)번"))
            try await world.store.update(trip.id, by: trip.author.id) { recorded throws(TravelError) in
                try recorded.with(content)
            }
        }
        let regions = Array(Region.allCases)
        try await measureWrites(&report, "editFilters", element: "edit", world, trips) { number, trip in
            let (theme, companion) = (Array(Theme.allCases)[number % 9], Array(Companion.allCases)[number % 4])
            try await world.store.update(trip.id, by: trip.author.id) { recorded throws(TravelError) in
                let region = regions[number % regions.count]
                return try recorded.with(
                    recorded.content.with(region: region, themes: [theme], companions: [companion]))
            }
        }
        guard report.isWanted("saveEntry300") else { return }
        let long = try recorded(by: world.visitor, number: 1, entries: 300)
        try await world.store.add([long])
        try await measureWrites(&report, "saveEntry300", element: "edit", world, Array(0..<200)) { number in
            let entry = try entry(number)
            try await world.store.update(long.id, by: world.visitor.id) { recorded throws(TravelError) in
                try recorded.saving(
                    TimelineEntry(
                        id: recorded.timeline[number].id, day: entry.day, time: entry.time, title: entry.title,
                        text: entry.text))
            }
        }
    }

    /// Likes while photos of 9 MB are added.
    static func photos(_ report: inout Report, _ world: World) async throws {
        guard report.isWanted("addPhoto9MBLikes") else { return }
        let trip = try recorded(by: world.visitor, number: 2, entries: 1)
        try await world.store.add([trip])
        let images = try (0..<20).map { number in
            // The first bytes of a JPEG file (ISO/IEC 10918-1).
            try TripImage(bytes: Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(repeating: UInt8(number), count: 9 << 20))
        }
        let (adding, likes) = try await Self.likes(world) {
            var times: [Double] = []
            for image in images {
                let start = Report.Clock.wall.now
                try await world.store.update(trip.id, by: world.visitor.id, adding: [image]) {
                    recorded throws(TravelError) in
                    let entry = recorded.timeline[0]
                    return try recorded.saving(
                        TimelineEntry(
                            id: entry.id, day: entry.day, time: entry.time, title: entry.title, text: entry.text,
                            pictures: [Picture(image.id)]))
                }
                times.append(Double(Report.Clock.wall.now - start))
            }
            return times
        }
        add(&report, "addPhoto9MB", element: "photo", world, adding)
        add(&report, "addPhoto9MBLikes", element: "like", world, likes)
    }

    /// Removes an author of 10,000 trips while others like trips.
    static func removal(_ report: inout Report, _ world: World) async throws {
        guard report.isWanted("removeAuthor10000") else { return }
        let author = try User(nickname: Nickname("prolific"))
        try await world.store.add(author)
        try await world.giveTrips(author)
        let (removing, likes) = try await Self.likes(world) {
            let start = Report.Clock.wall.now
            try await world.store.removeUser(author.id, by: author.id)
            return [Double(Report.Clock.wall.now - start)]
        }
        report.add(shape: "removeAuthor10000", column: world.column, element: "author", times: removing)
        add(&report, "removeAuthor10000Likes", element: "like", world, likes)
    }

    /// Performs `work`, and meanwhile likes trips; returns the times of both.
    private static func likes(
        _ world: World, while work: @escaping @Sendable () async throws -> [Double]
    ) async throws -> (work: [Double], likes: [Double]) {
        let isDone = Mutex(false)
        async let result: [Double] = {
            defer { isDone.withLock { $0 = true } }
            return try await work()
        }()
        var times: [Double] = []
        var number = 0
        repeat {
            let trip = world.trips[number % world.trips.count]
            let start = Report.Clock.wall.now
            do {
                try await world.store.setLiked(number.isMultiple(of: 2), trip: trip.id, by: world.visitor.id)
            } catch TravelError.notFound {}  // It has been removed.
            times.append(Double(Report.Clock.wall.now - start))
            number += 1
        } while !isDone.withLock { $0 }
        return (try await result, times)
    }

    private static func recorded(by author: User, number: Int, entries: Int) throws -> RecordedTrip {
        let content = try TripContent(
            title: Title("\(number)번째 \(["바다", "산책", "캠핑", "섬"][number % 4])"), region: .allCases[number % 17],
            days: DayRange(CalendarDay(daysSince1970: 19_000 + number % 700), days: 3), themes: [.food],
            companions: [.friends])
        return try RecordedTrip(
            author: author, createdAt: Date(timeIntervalSince1970: 1_640_995_200 + Double(number) * 9_000),
            content: content, timeline: (0..<entries).map { try entry($0) })
    }

    private static func entry(_ number: Int) throws -> TimelineEntry {
        try TimelineEntry(
            day: 1 + number % 3, time: TimeOfDay(minutesSinceMidnight: number * 3 % 1_440), title: Title("\(number)번"),
            text: EntryText("\(number)번째로 들른 곳"))
    }
}

extension TripContent {
    /// The same content with other values.
    fileprivate func with(
        title: Title? = nil, region: Region? = nil, themes: Set<Theme>? = nil, companions: Set<Companion>? = nil
    ) -> TripContent {
        TripContent(
            title: title ?? self.title, region: region ?? self.region, days: days, themes: themes ?? self.themes,
            companions: companions ?? self.companions, headcount: headcount, budget: budget,
            transportation: transportation, thumbnail: thumbnail, audience: audience)
    }
}
