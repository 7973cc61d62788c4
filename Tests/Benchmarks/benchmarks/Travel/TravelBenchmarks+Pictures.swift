import TravelDomain

extension TravelBenchmarks {
    /// A trip with 300 pictures, and one whose pictures have a description, a time and a position, beside one without, as they
    /// are opened; and a picture in a list as the store has it.
    static func pictures(_ report: inout Report, _ world: World) async throws {
        let shapes = ["open300Pictures", "open300DescribedPictures", "readPicture3MB", "readSmallPicture"]
        guard shapes.contains(where: { report.isWanted($0) }) else { return }
        let cover = try TripImage(bytes: Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(repeating: 0, count: 3 << 20))
        let trips = try PictureTrips(by: world.visitor, cover: cover)
        try await world.store.add(trips.all, images: trips.images + [cover])
        try await world.store.keep(Data(repeating: 0, count: 20_000), of: cover, in: .small)
        let shown = [("open300Pictures", trips.full), ("open300DescribedPictures", trips.described)]
        try await open(shown, beside: trips.plain, &report, world)
        for (shape, size) in [("readPicture3MB", nil), ("readSmallPicture", PictureSize.small)] {
            let images = Array(repeating: cover.id, count: 300)
            try await measureReads(&report, shape, element: "picture", world, images) { image in
                switch try await world.store.picture(image, in: size, viewer: nil) {
                case .kept(let picture): picture.count
                case .original(let image, _): image.bytes.count
                }
            }
        }
        // The rows are not those of later shapes.
        for trip in trips.all {
            try await world.store.update(trip.id, by: world.visitor.id) { _ in nil }
        }
    }

    /// Opens trips in turns, each as often as the one without pictures, which is the floor of their shapes.
    private static func open(
        _ trips: [(shape: String, trip: RecordedTrip)], beside plain: RecordedTrip, _ report: inout Report,
        _ world: World
    ) async throws {
        let trips = trips.filter { report.isWanted($0.shape) }
        var times = [[Double]](repeating: [], count: trips.count + 1)
        for _ in 0..<300 where !trips.isEmpty {
            for (index, trip) in (trips.map(\.trip) + [plain]).enumerated() {
                var best = Double.infinity
                for _ in 0..<5 {
                    let start = Report.Clock.wall.now
                    _ = try await world.store.details(of: trip.id, viewer: world.visitor.id)
                    best = min(best, Double(Report.Clock.wall.now - start))
                }
                times[index].append(best)
            }
        }
        for (trip, values) in zip(trips, times) {
            add(&report, trip.shape, element: "trip", world, values)
            report.add(
                shape: trip.shape, column: "\(world.column), none", element: "trip", times: times[trips.count])
        }
    }
}

/// A trip with 300 pictures in ten entries of three days, one whose pictures have a description, a time and a position, and
/// one with the same entries without pictures. All are public.
struct PictureTrips {
    let full, described, plain: RecordedTrip
    /// The pictures of both trips.
    let images: [TripImage]

    var all: [RecordedTrip] { [full, described, plain] }

    init(by author: User, cover: TripImage?) throws {
        // The first bytes of a JPEG file (ISO/IEC 10918-1).
        let images = try (0..<600).map { number in
            try TripImage(bytes: Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(repeating: UInt8(number % 256), count: 3_000))
        }
        self.images = images
        let pictures = Self.groups(images.prefix(300).map { Picture($0.id) })
        full = try Self.recorded(by: author, number: 3, showing: pictures, cover: cover)
        plain = try Self.recorded(by: author, number: 4, showing: pictures.map { _ in [] }, cover: nil)
        let described = try Self.groups(images.suffix(300).enumerated().map(Self.described))
        self.described = try Self.recorded(by: author, number: 5, showing: described, cover: nil)
    }

    private static func groups(_ pictures: [Picture]) -> [[Picture]] {
        let count = TimelineEntry.maximumPictureCount
        return stride(from: 0, to: pictures.count, by: count).map { Array(pictures[$0..<$0 + count]) }
    }

    private static func described(_ number: Int, _ image: TripImage) throws -> Picture {
        Picture(
            image.id, text: try PictureText("\(number)번째 사진"),
            taken: PhotoDate(
                day: CalendarDay(daysSince1970: 19_005), time: TimeOfDay(minutesSinceMidnight: number), utcOffset: 540),
            position: .shown(try Coordinate(latitude: 33 + Double(number) / 1_000, longitude: 126.5)))
    }

    /// A public trip with an entry for each group of pictures.
    private static func recorded(
        by author: User, number: Int, showing groups: [[Picture]], cover: TripImage?
    ) throws -> RecordedTrip {
        var content = try TripContent(
            title: Title("사진 \(number)번째"), region: .jeju,
            days: DayRange(CalendarDay(daysSince1970: 19_000 + number), days: 3), audience: .everyone)
        content.thumbnail = cover?.id
        let entries = try groups.enumerated().map { index, pictures in
            try TimelineEntry(
                day: 1 + index % 3, time: TimeOfDay(minutesSinceMidnight: index * 3), title: Title("\(index)번"),
                text: EntryText("\(index)번째로 들른 곳"), pictures: pictures)
        }
        return try RecordedTrip(
            author: author, createdAt: Date(timeIntervalSince1970: 1_640_995_200 + Double(number) * 9_000),
            content: content, timeline: entries)
    }
}
