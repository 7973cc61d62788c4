import Foundation
import Testing
import TravelDataShared
import TravelDomain
import TravelDomainTesting

@Suite("Recorded trips")
struct RecordedTripTests {
    private func entry(_ seed: UInt64, day: Int, hour: Int = 9, image: UInt64? = nil) throws -> TimelineEntry {
        try TimelineEntry(
            id: TimelineEntry.ID(seed: seed), day: day, time: TimeOfDay(hour: hour), title: Title("Entry"),
            text: EntryText("Text"), pictures: image.map { [Picture(TripImage.ID(seed: $0))] } ?? [])
    }

    private func recorded(_ entries: [TimelineEntry], days: Int = 3, thumbnail: UInt64? = nil) throws -> RecordedTrip {
        try TripBuilder(seed: 1).with {
            $0.numberOfDays = days
            $0.timeline = entries
            $0.thumbnail = thumbnail.map { TripImage.ID(seed: $0) }
        }.build()
    }

    @Test("a timeline is ordered by day, then by time, and keeps the order in which entries of one time are given")
    func timelineOrder() throws {
        let all = try (1...40).map { try entry($0, day: Int($0 % 3) + 1, hour: Int($0 % 5)) }
        var random = SeededGenerator(seed: 1)
        for _ in 0..<20 {
            let given = all.shuffled(using: &random)
            let expected = given.enumerated().sorted {
                ($0.element.day, $0.element.time, $0.offset) < ($1.element.day, $1.element.time, $1.offset)
            }.map(\.element)
            #expect(try recorded(given).timeline == expected)
        }
    }

    @Test("an entry that is saved again keeps its place, and follows the others of its time if its time is new")
    func savingAgain() throws {
        let trip = try recorded([entry(3, day: 1), entry(1, day: 1), entry(2, day: 1)])
        #expect(try trip.saving(entry(1, day: 1, image: 7)).timeline.map(\.id) == trip.timeline.map(\.id))
        #expect(try trip.saving(entry(4, day: 1)).timeline.map(\.id) == ids(3, 1, 2, 4))
        let later = try trip.saving(entry(3, day: 1, hour: 10))
        #expect(later.timeline.map(\.id) == ids(1, 2, 3))
        #expect(try later.saving(entry(3, day: 1)).timeline.map(\.id) == ids(1, 2, 3))
    }

    @Test("an entry moves directly before or after any other of its day and time, as in a list")
    func moving() throws {
        let seeds: [UInt64] = [5, 2, 4, 1, 3]
        let trip = try recorded(seeds.map { try entry($0, day: 2) } + [entry(6, day: 2, hour: 10), entry(7, day: 1)])
        for moved in seeds {
            for other in seeds where other != moved {
                var expected = seeds.filter { $0 != moved }
                expected.insert(moved, at: expected.firstIndex(of: other) ?? 0)
                let (id, neighbor) = (TimelineEntry.ID(seed: moved), TimelineEntry.ID(seed: other))
                #expect(try trip.moving(id, .before(neighbor)).timeline.map(\.id) == ids(7) + ids(expected) + ids(6))
                expected = seeds.filter { $0 != moved }
                expected.insert(moved, at: (expected.firstIndex(of: other) ?? 0) + 1)
                #expect(try trip.moving(id, .after(neighbor)).timeline.map(\.id) == ids(7) + ids(expected) + ids(6))
            }
        }
        let now = Date(timeIntervalSinceReferenceDate: 9)
        #expect(try trip.moving(ids(5)[0], .before(ids(2)[0]), at: now) == trip)
        #expect(try trip.moving(ids(5)[0], .after(ids(2)[0]), at: now).updatedAt == now)
    }

    @Test("an entry cannot be moved to another time, or beside one that is not there")
    func refusedMoves() throws {
        let trip = try recorded([entry(1, day: 1), entry(2, day: 1, hour: 10), entry(3, day: 2)])
        for other in ids(2, 3) {
            #expect {
                try trip.moving(ids(1)[0], .after(other))
            } throws: { error in
                guard case TravelError.invalid(let violation)? = error as? TravelError else { return false }
                return violation.field == .time
            }
        }
        #expect(throws: TravelError.notFound(.entry(ids(9)[0]))) { try trip.moving(ids(9)[0], .before(ids(1)[0])) }
        #expect(throws: TravelError.notFound(.entry(ids(9)[0]))) { try trip.moving(ids(1)[0], .before(ids(9)[0])) }
    }

    @Test("an entry can move up and down as far as the first and the last of its time")
    func placements() throws {
        let timeline = try recorded([entry(3, day: 1), entry(1, day: 1), entry(2, day: 1, hour: 10)]).timeline
        #expect(timeline.placementAbove(ids(1)[0]) == .before(ids(3)[0]))
        #expect(timeline.placementBelow(ids(3)[0]) == .after(ids(1)[0]))
        #expect(timeline.placementAbove(ids(3)[0]) == nil && timeline.placementBelow(ids(1)[0]) == nil)
        #expect(timeline.placementAbove(ids(2)[0]) == nil && timeline.placementBelow(ids(2)[0]) == nil)
        #expect(timeline.placementAbove(ids(9)[0]) == nil)
    }

    private func ids(_ seeds: UInt64...) -> [TimelineEntry.ID] { ids(seeds) }
    private func ids(_ seeds: [UInt64]) -> [TimelineEntry.ID] { seeds.map { TimelineEntry.ID(seed: $0) } }

    @Test("every entry must lie on a day of the trip", arguments: [(1, true), (3, true), (4, false)])
    func daysOfEntries(day: Int, isValid: Bool) throws {
        guard !isValid else {
            _ = try recorded([entry(1, day: day)])
            return
        }
        #expect(throws: TravelError.invalid(Violation(.day, .outOfRange("a day of the trip, 1…3")))) {
            try recorded([entry(1, day: day)])
        }
    }

    @Test("the time of recording is a number")
    func timesOfRecording() throws {
        let trip = try recorded([])
        #expect(
            throws: TravelError.invalid(.init(.date, .malformed(expected: "a moment in time")))
        ) {
            try RecordedTrip(
                author: trip.author, createdAt: Date(timeIntervalSinceReferenceDate: .nan), content: trip.content,
                timeline: [])
        }
    }

    @Test("an entry before the first day is rejected", arguments: [0, -1])
    func daysBeforeTheFirst(day: Int) {
        #expect(throws: TravelError.invalid(Violation(.day, .outOfRange("a day of the trip, starting at 1")))) {
            try entry(1, day: day)
        }
    }

    @Test("without a choice of the author, the first image of the timeline is the thumbnail")
    func thumbnails() throws {
        var trip = try recorded([entry(1, day: 1), entry(2, day: 2, image: 7), entry(3, day: 2, hour: 8, image: 8)])
        #expect(trip.thumbnail == TripImage.ID(seed: 8))
        trip = try trip.removing(TimelineEntry.ID(seed: 3))
        #expect(trip.thumbnail == TripImage.ID(seed: 7))
        trip = try trip.removing(TimelineEntry.ID(seed: 2))
        #expect(trip.thumbnail == nil)
    }

    @Test("the author's choice is the thumbnail, whatever the timeline shows")
    func chosenThumbnails() throws {
        let trip = try recorded([entry(1, day: 1, image: 7)], thumbnail: 9)
        #expect(trip.thumbnail == TripImage.ID(seed: 9))
        #expect(try trip.removing(TimelineEntry.ID(seed: 1)).thumbnail == TripImage.ID(seed: 9))
        var content = trip.content
        content.thumbnail = nil
        #expect(try trip.with(content).thumbnail == TripImage.ID(seed: 7))
    }

    @Test("the images of a trip have no duplicates: the choice comes first, then those of the timeline in order")
    func images() throws {
        let trip = try recorded(
            [entry(1, day: 2, image: 1), entry(2, day: 1, image: 2), entry(3, day: 3, image: 2), entry(4, day: 1)],
            thumbnail: 1)
        #expect(trip.images == [1, 2].map { TripImage.ID(seed: $0) })
    }

    @Test("a revision keeps what an edit cannot change, and has the next version if anything differs")
    func revisions() throws {
        let before = try recorded([entry(1, day: 1)])
        let now = Date(timeIntervalSinceReferenceDate: 900)
        let other = try RecordedTrip(
            author: User(seed: 9), createdAt: now, updatedAt: now, version: .first.next.next.next,
            content: before.content, timeline: [entry(2, day: 2)])
        let revision = try other.revision(of: before)
        #expect(revision.id == before.id)
        #expect(revision.author == before.author)
        #expect(revision.createdAt == before.createdAt)
        #expect(revision.updatedAt == now)
        #expect(revision.version == .first.next)
        #expect(revision.timeline == other.timeline)
        #expect(try before.with(before.content, at: now).revision(of: before) == before)
    }

    @Test("an edit has its time, or else keeps that of the last change")
    func timesOfChange() throws {
        let before = try recorded([entry(1, day: 1)])
        let (first, second) = (Date(timeIntervalSinceReferenceDate: 1), Date(timeIntervalSinceReferenceDate: 2))
        let changed = try before.saving(entry(2, day: 1), at: first)
        #expect(before.updatedAt == before.createdAt)
        #expect(changed.updatedAt == first)
        #expect(changed.version == before.version)
        #expect(try changed.removing(TimelineEntry.ID(seed: 2)).updatedAt == first)
        #expect(try changed.with(before.content, at: second).updatedAt == second)
        #expect(throws: TravelError.self) {
            try before.with(before.content, at: Date(timeIntervalSinceReferenceDate: .nan))
        }
    }

    @Test("only the author of a trip passes the check")
    func authors() throws {
        let trip = try recorded([])
        #expect(throws: Never.self) { try trip.requireAuthor(User.ID(seed: 1)) }
        #expect(throws: TravelError.forbidden(.trip(trip.id))) { try trip.requireAuthor(User.ID(seed: 2)) }
    }

    @Test("a new image is taken by the one trip that shows it")
    func newImages() throws {
        let images = try (UInt64(1)...3).map { try TripImage(seed: $0) }
        var new = try NewImages(images)
        let trip = try recorded([entry(1, day: 1, image: 1), entry(2, day: 2, image: 9)])
        #expect(try new.take(for: trip, besides: [TripImage.ID(seed: 9)]) == [images[0]])
        #expect(throws: TravelError.conflict(.image(images[0].id))) {
            try new.take(for: recorded([entry(3, day: 1, image: 1)]))
        }
        #expect(throws: TravelError.notFound(.image(TripImage.ID(seed: 9)))) {
            try new.take(for: recorded([entry(4, day: 1, image: 9)]))
        }
        #expect(try new.take(for: recorded([entry(3, day: 1, image: 2)], thumbnail: 3)) == [images[2], images[1]])
        #expect(throws: TravelError.conflict(.image(images[1].id))) {
            try NewImages([images[1], images[0], images[1]])
        }
    }
}

@Suite("Images")
struct TripImageTests {
    @Test(
        "the format is detected from the bytes",
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
            (Array("GIF87a".utf8), .gif), (Array("GIF89a...".utf8), .gif), (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), .webP),
            (Array("\0\0\0\u{18}ftypheic".utf8), .heic), (Array("\0\0\0\u{18}ftypmif1....".utf8), .heic),
            (Array("\0\0\0\u{1C}ftypavif".utf8), .avif),
            ([0xFF, 0xD8], nil), ([0x89, 0x50, 0x4E, 0x47], nil), (Array("GIF88a".utf8), nil),
            (Array("RIFF\0\0\0\0WAVE".utf8), nil), (Array("\0\0\0\u{18}ftypmp42".utf8), nil),
            (Array("<svg></svg>".utf8), nil), (Array("BM".utf8), nil), ([0], nil),
        ] as [([UInt8], ImageFormat?)])
    func formats(bytes: [UInt8], format: ImageFormat?) throws {
        guard let format else {
            let expected = "a JPEG, PNG, GIF, WebP, HEIC or AVIF picture"
            #expect(throws: TravelError.invalid(Violation(.image, .malformed(expected: expected)))) {
                try TripImage(bytes: Data(bytes))
            }
            return
        }
        #expect(try TripImage(bytes: Data(bytes)).format == format)
        // A slice of other bytes, whose indices do not begin at 0.
        #expect(try TripImage(bytes: Data([1, 2, 3] + bytes).dropFirst(3)).format == format)
    }

    @Test("an image has between 1 byte and 10 MiB")
    func sizes() throws {
        #expect(throws: TravelError.invalid(Violation(.image, .empty))) { try TripImage(bytes: Data()) }
        let largest = Data([0xFF, 0xD8, 0xFF]) + Data(count: 10 * 1_048_576 - 3)
        #expect(try TripImage(bytes: largest).bytes.count == 10_485_760)
        #expect(throws: TravelError.invalid(Violation(.image, .tooLarge(maximumBytes: 10_485_760)))) {
            try TripImage(bytes: largest + [0])
        }
    }
}
