import TravelDomain

extension TravelBenchmarks {
    /// A trip with 300 pictures and one without as they are opened, and a picture in a list as the store has it.
    static func pictures(_ report: inout Report, _ world: World) async throws {
        let shapes = ["open300Pictures", "openNoPictures", "readPicture3MB", "readSmallPicture"]
        guard shapes.contains(where: report.isWanted) else { return }
        // The first bytes of a JPEG file (ISO/IEC 10918-1).
        let images = try (0..<300).map { number in
            try TripImage(bytes: Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(repeating: UInt8(number % 256), count: 3_000))
        }
        let cover = try TripImage(bytes: Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(repeating: 0, count: 3 << 20))
        let count = TimelineEntry.maximumPictureCount
        let groups = stride(from: 0, to: images.count, by: count).map { images[$0..<$0 + count].map { Picture($0.id) } }
        let full = try recorded(by: world.visitor, number: 3, showing: groups, cover: cover)
        let plain = try recorded(by: world.visitor, number: 4, showing: groups.map { _ in [] }, cover: nil)
        try await world.store.add([full, plain], images: images + [cover])
        try await world.store.keep(Data(repeating: 0, count: 20_000), of: cover, in: .small)
        for (shape, trip) in [("open300Pictures", full), ("openNoPictures", plain)] {
            let trips = Array(repeating: trip.id, count: 300)
            try await measureReads(&report, shape, element: "trip", world, trips) { trip in
                try await world.store.details(of: trip, viewer: world.visitor.id).timeline.count
            }
        }
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
        for trip in [full, plain] { try await world.store.update(trip.id, by: world.visitor.id) { _ in nil } }
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
