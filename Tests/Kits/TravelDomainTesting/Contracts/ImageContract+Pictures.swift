import TravelDomain

extension ImageContract {
    /// What is known of the pictures of entries, and who sees it.
    static let pictures: [ContractCheck<Subject>] = [
        check("the pictures of an entry keep their order, and what is known of each") { store in
            let images = try (0..<TimelineEntry.maximumPictureCount).map { try TripImage(seed: UInt64($0)) }
            let pictures = try described(images)
            let entries = [
                try entry(1, showing: pictures), try entry(2, showing: []), try entry(3, showing: [pictures[7]]),
                try entry(4, day: 2, showing: pictures.reversed()),
            ]
            let trip = try await add(entries, with: images, to: store)
            let author = trip.author.id
            try expect(try await store.timeline(of: trip.id, viewer: author), equals: trip.timeline, "the timeline")
            let details = try await store.details(of: trip.id, viewer: author)
            try expect(details.timeline, equals: trip.timeline, "the timeline with its trip")
            try await expectImages(images, in: store)
        },
        check("the position of a picture that its author has not shown is withheld from everyone else") { store in
            let images = try (0..<12).map { try TripImage(seed: $0) }
            let trip = try await add([try entry(1, showing: try described(images))], with: images, to: store)
            try await store.add(User(seed: 2))
            let shown = trip.timeline[0].pictures.map { picture in
                var picture = picture
                if case .mineOnly = picture.position { picture.position = .withheld }
                return picture
            }
            let seen = [try trip.timeline[0].with(pictures: shown)]
            for viewer in [nil, User.ID(seed: 2), User.ID(seed: 77)] {
                try expect(try await store.timeline(of: trip.id, viewer: viewer), equals: seen, "the timeline")
                let details = try await store.details(of: trip.id, viewer: viewer)
                try expect(details.timeline, equals: seen, "the timeline with its trip")
            }
            let own = try await store.timeline(of: trip.id, viewer: trip.author.id)
            try expect(own, equals: trip.timeline, "the timeline of the author")
        },
        check("an edit by someone who did not see the positions of pictures keeps them") { store in
            let images = try (0..<6).map { try TripImage(seed: $0) }
            let trip = try await add([try entry(1, showing: try described(images))], with: images, to: store)
            let seen = try await store.timeline(of: trip.id, viewer: nil)[0]
            let kept = try TimelineEntry(
                id: seen.id, day: 2, time: seen.time, title: Title("Moved"), text: seen.text,
                pictures: seen.pictures.reversed())
            try await edit(trip, in: store) { trip throws(TravelError) in try trip.saving(kept) }
            let after = try await store.timeline(of: trip.id, viewer: trip.author.id)
            try expect(after.map(\.title.text), equals: ["Moved"], "the titles")
            try expect(
                after[0].pictures, equals: Array(trip.timeline[0].pictures.reversed()), "the pictures of the author")
        },
        check("a change of what is known of a picture is an edit, and keeps its image") { store in
            let images = try (0..<3).map { try TripImage(seed: $0) }
            let trip = try await add([try entry(1, showing: try described(images))], with: images, to: store)
            var pictures = trip.timeline[0].pictures
            pictures[1] = Picture(pictures[1].id, text: try PictureText("other"))
            pictures.swapAt(0, 2)
            let changed = try trip.timeline[0].with(pictures: pictures)
            try await edit(trip, in: store) { trip throws(TravelError) in try trip.saving(changed) }
            let after = try await store.details(of: trip.id, viewer: trip.author.id)
            try expect(after.timeline, equals: [changed], "the timeline")
            try expect(after.trip.version, equals: trip.version.next, "the version")
            try expect(after.trip.thumbnail, equals: images[2].id, "the image that represents the trip")
            try await expectImages(images, in: store)
        },
        check("an image goes with the last picture that shows it, and the others stay") { store in
            let images = try (0..<3).map { try TripImage(seed: $0) }
            let pictures = images.map { Picture($0.id) }
            let trip = try await add(
                [try entry(1, showing: pictures), try entry(2, showing: [pictures[1]])], with: images, to: store)
            let rest = try trip.timeline[0].with(pictures: [pictures[2]])
            try await edit(trip, in: store) { trip throws(TravelError) in try trip.saving(rest) }
            try await expectMissing([images[0]], in: store)
            try await expectImages([images[1], images[2]], in: store)
            try await edit(trip, in: store) { trip throws(TravelError) in try trip.removing(entryID(2)) }
            try await expectMissing([images[1]], in: store)
            try await expectImages([images[2]], in: store)
        },
    ]

    private static func entry(_ seed: UInt64, day: Int = 1, showing pictures: [Picture]) throws -> TimelineEntry {
        try entry(seed, day: day).with(pictures: pictures)
    }

    /// A picture for each image, with and without texts, times and positions of each kind.
    private static func described(_ images: [TripImage]) throws -> [Picture] {
        let sea = try Coordinate(latitude: 35.1587, longitude: 129.1604)
        return try images.enumerated().map { number, image in
            let taken = PhotoDate(
                day: CalendarDay(daysSince1970: 19_844 + number), time: TimeOfDay(minutesSinceMidnight: 570 + number),
                utcOffset: number.isMultiple(of: 2) ? -210 + number : nil)
            return Picture(
                image.id, text: number % 4 == 3 ? nil : try PictureText("등대 \(number) – 'a\u{0301}' 🌊"),
                taken: number % 5 == 4 ? nil : taken,
                position: number % 3 == 2 ? nil : number % 3 == 1 ? .shown(sea) : .mineOnly(sea))
        }
    }
}
