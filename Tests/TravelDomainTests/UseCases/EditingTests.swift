import Foundation
import StreamsTesting
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Editing trips", .inVirtualTime)
struct EditingTests {
    let trips = InMemoryTripRepository()
    let session = InMemorySession(signedIn: User.ID(seed: 1))
    let strangersSession = InMemorySession(signedIn: User.ID(seed: 2))
    let author = User.ID(seed: 1)
    let id = Trip.ID(seed: 1)
    let now: @Sendable () -> Date = { Date(timeIntervalSinceReferenceDate: 800_000_000) }

    /// A trip of three days with one entry on each, by `author`.
    init() async throws {
        let entries = try (1...3).map { day in
            try TimelineEntry(seed: UInt64(day), day: day, title: "Day \(day)")
        }
        try await trips.add([
            TripBuilder(seed: 1).with {
                $0.numberOfDays = 3
                $0.timeline = entries
            }.build()
        ])
    }

    func content(days: Int) throws -> TripContent {
        try TripBuilder(seed: 1).with {
            $0.title = "Changed"
            $0.numberOfDays = days
        }.build().content
    }

    @Test("the author changes the content", arguments: [3, 4, 30])
    func authorsEdit(days: Int) async throws {
        try await EditTrip(trips: trips, session: session, now: now)(id, content(days: days))
        #expect(try await trips.trip(id, viewer: nil).content == content(days: days))
    }

    @Test(
        "dates must include all entries, and the error lists the others in order",
        arguments: [
            (2, [3]), (1, [2, 3]),
        ] as [(Int, [UInt64])])
    func shrinkingDates(days: Int, inTheWay: [UInt64]) async throws {
        let entries = inTheWay.map { TimelineEntry.ID(seed: $0) }
        await #expect(throws: TravelError.invalid(.init(.dates, .entriesInTheWay(entries)))) {
            try await EditTrip(trips: trips, session: session, now: now)(id, content(days: days))
        }
        #expect(try await trips.trip(id, viewer: nil).content.days.count == 3)
    }

    @Test(
        "the error states how many entries lie after the last day",
        arguments: [
            (1, "There is 1 entry after the last day: move or delete it first."),
            (2, "There are 2 entries after the last day: move or delete them first."),
        ])
    func description(count: UInt64, sentence: String) {
        let violation = Violation(.dates, .entriesInTheWay((0..<count).map { TimelineEntry.ID(seed: $0) }))
        #expect(violation.description == sentence)
    }

    @Test("dates can shrink after the last entry is deleted")
    func shrinkingAfterDeletion() async throws {
        try await DeleteEntry(trips: trips, session: session, now: now)(TimelineEntry.ID(seed: 3), in: id)
        try await EditTrip(trips: trips, session: session, now: now)(id, content(days: 2))
        #expect(try await trips.timeline(of: id, viewer: nil).count == 2)
    }

    @Test("an entry must lie on a day of the trip, and a new version replaces it")
    func savingEntries() async throws {
        func entry(_ seed: UInt64, day: Int) throws -> TimelineEntry {
            try TimelineEntry(
                id: TimelineEntry.ID(seed: seed), day: day, time: TimeOfDay(hour: 8), title: Title("New"),
                text: EntryText("Text"))
        }
        let save = SaveEntry(trips: trips, session: session, now: now)
        try await save(entry(9, day: 3), in: id)
        try await save(entry(1, day: 2), in: id)
        #expect(
            try await trips.timeline(of: id, viewer: nil).map(\.id)
                == [1, 2, 9, 3].map { TimelineEntry.ID(seed: $0) })
        await #expect(throws: TravelError.invalid(.init(.day, .outOfRange("a day of the trip, 1…3")))) {
            try await save(entry(9, day: 4), in: id)
        }
    }

    @Test("a move that is repeated after a lost answer has no further effect, and one of another version is refused")
    func movingEntries() async throws {
        let (first, second) = (TimelineEntry.ID(seed: 1), TimelineEntry.ID(seed: 11))
        try await SaveEntry(trips: trips, session: session, now: now)(
            TimelineEntry(seed: 11, day: 1, title: "Second"), in: id)
        let move = MoveEntry(trips: trips, session: session, now: now)
        let before = try await trips.trip(id, viewer: nil).version
        let moved = try await move(second, .before(first), in: id, expecting: before)
        #expect(moved.timeline.prefix(2).map(\.id) == [second, first])
        #expect(moved.version == before.next && moved.updatedAt == now())
        #expect(try await move(second, .before(first), in: id, expecting: before) == moved)
        await #expect(throws: TravelError.outdated(moved)) {
            try await move(first, .before(second), in: id, expecting: before)
        }
        await #expect(throws: TravelError.forbidden(.trip(id))) {
            try await MoveEntry(trips: trips, session: strangersSession, now: now)(first, .before(second), in: id)
        }
    }

    @Test("an unknown entry cannot be deleted")
    func deletingUnknownEntries() async throws {
        await #expect(throws: TravelError.notFound(.entry(TimelineEntry.ID(seed: 8)))) {
            try await DeleteEntry(trips: trips, session: session, now: now)(TimelineEntry.ID(seed: 8), in: id)
        }
    }

    @Test("its author shares a trip by a link, which stays until it is withdrawn and is another one afterwards")
    func sharing() async throws {
        let share = ShareTrip(trips: trips, session: session, now: now)
        #expect(try await share(id, .onlyMe).content.audience == .onlyMe)
        let shared = try await share(id, .byLink)
        let key = try #require(shared.content.audience.key)
        #expect(shared.updatedAt == now())
        #expect(try await share(id, .byLink) == shared)
        #expect(try await trips.following(key).trip(id, viewer: nil).content.audience == .byLink(key))
        try await share(id, .onlyMe)
        await #expect(throws: TravelError.notFound(.trip(id))) {
            try await trips.following(key).trip(id, viewer: nil)
        }
        let again = try await share(id, .byLink)
        #expect(again.content.audience.key != key)
        #expect(again.timeline == shared.timeline)
        #expect(try await share(id, .everyone).content.audience == .everyone)
        #expect(try await trips.trip(id, viewer: nil).version.number == 6)
    }

    @Test("nobody but its author shares a trip, and whoever does not see it does not find it")
    func sharingByOthers() async throws {
        let share = ShareTrip(trips: trips, session: strangersSession, now: now)
        await #expect(throws: TravelError.forbidden(.trip(id))) { try await share(id, .onlyMe) }
        try await ShareTrip(trips: trips, session: session, now: now)(id, .onlyMe)
        await #expect(throws: TravelError.notFound(.trip(id))) { try await share(id, .everyone) }
        await #expect(throws: TravelError.notFound(.trip(id))) {
            try await EditTrip(trips: trips, session: strangersSession, now: now)(id, content(days: 3))
        }
        await #expect(throws: TravelError.notFound(.trip(id))) {
            try await DeleteTrip(trips: trips, session: strangersSession)(id)
        }
    }

    @Test("use cases reject other users even if the store does not")
    func authorisationIsDecidedInTheDomain() async throws {
        let entry = try TimelineEntry(day: 1, time: TimeOfDay(hour: 9), title: Title("New"), text: EntryText("Text"))
        let store = CarelessStore(trip: try TripBuilder(seed: 1).with { $0.timeline = [entry] }.build())
        let forbidden = TravelError.forbidden(.trip(id))
        await #expect(throws: forbidden) {
            try await EditTrip(trips: store, session: strangersSession, now: now)(id, content(days: 3))
        }
        await #expect(throws: forbidden) { try await DeleteTrip(trips: store, session: strangersSession)(id) }
        await #expect(throws: forbidden) {
            try await SaveEntry(trips: store, session: strangersSession, now: now)(entry, in: id)
        }
        await #expect(throws: forbidden) {
            try await DeleteEntry(trips: store, session: strangersSession, now: now)(entry.id, in: id)
        }
        try await EditTrip(trips: store, session: session, now: now)(id, content(days: 3))
    }
}

/// A store that lets everyone change its one trip.
private struct CarelessStore: TripEditingRepository {
    let trip: RecordedTrip

    func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        try change(trip)
    }
}

@Suite("Versions and repeats", .inVirtualTime)
struct VersionTests {
    let trips = InMemoryTripRepository()
    let session = InMemorySession(signedIn: User.ID(seed: 1))
    let id = Trip.ID(seed: 1)
    let now: @Sendable () -> Date = { Date(timeIntervalSinceReferenceDate: 800_000_000) }

    var edit: EditTrip { EditTrip(trips: trips, session: session, now: now) }
    var save: SaveEntry { SaveEntry(trips: trips, session: session, now: now) }
    var delete: DeleteEntry { DeleteEntry(trips: trips, session: session, now: now) }
    var deleteTrip: DeleteTrip { DeleteTrip(trips: trips, session: session) }
    var record: RecordTrip { RecordTrip(trips: trips, users: trips, session: session, now: now) }

    init() async throws {
        try await trips.add([TripBuilder(seed: 1).build()])
    }

    private func content(_ title: String) throws -> TripContent {
        try TripBuilder(seed: 1).with { $0.title = title }.build().content
    }

    @Test("edits return the stored trip with the next version and the current time")
    func results() async throws {
        let first = try await edit(id, content("First"), expecting: .first)
        #expect(first.version == .first.next)
        #expect(first.updatedAt == now())
        #expect(first.content == (try content("First")))
        let second = try await save(TimelineEntry(seed: 1), in: id, expecting: first.version)
        #expect(second.timeline == [try TimelineEntry(seed: 1)])
        let third = try await delete(TimelineEntry.ID(seed: 1), in: id, expecting: second.version)
        #expect(third.version == second.version.next)
        let trip = try await trips.trip(id, viewer: nil)
        #expect(trip.version == third.version)
        #expect(trip.updatedAt == now())
        try await deleteTrip(id, expecting: third.version)
        await #expect(throws: TravelError.notFound(.trip(id))) { try await trips.trip(id, viewer: nil) }
    }

    @Test("an edit of an older version throws the current version, and changes nothing")
    func conflicts() async throws {
        try await save(TimelineEntry(seed: 1), in: id)
        let current = try await edit(id, content("First"))
        let outdated = TravelError.outdated(current)
        await #expect(throws: outdated) { try await edit(id, content("Second"), expecting: .first) }
        await #expect(throws: outdated) { try await save(TimelineEntry(seed: 2), in: id, expecting: .first) }
        await #expect(throws: outdated) {
            try await save(TimelineEntry(seed: 1, title: "Changed"), in: id, expecting: .first)
        }
        await #expect(throws: outdated) {
            try await delete(TimelineEntry.ID(seed: 1), in: id, expecting: .first)
        }
        await #expect(throws: outdated) { try await deleteTrip(id, expecting: .first) }
        #expect(try await trips.trip(id, viewer: nil).content == content("First"))
        #expect(try await trips.timeline(of: id, viewer: nil) == [try TimelineEntry(seed: 1)])
    }

    @Test("repeating an edit whose answer was lost returns the stored result")
    func repeatedEdits() async throws {
        let first = try await edit(id, content("First"), expecting: .first)
        #expect(try await edit(id, content("First"), expecting: .first) == first)
        let second = try await save(TimelineEntry(seed: 1), in: id, expecting: first.version)
        #expect(try await save(TimelineEntry(seed: 1), in: id, expecting: first.version) == second)
        let third = try await delete(TimelineEntry.ID(seed: 1), in: id, expecting: second.version)
        #expect(try await delete(TimelineEntry.ID(seed: 1), in: id, expecting: second.version) == third)
        #expect(try await edit(id, content("First")) == third)
    }

    @Test("recording again with the same ID and content returns the stored trip")
    func repeatedRecordings() async throws {
        let new = Trip.ID(seed: 5)
        let first = try await record(content("New"), id: new)
        #expect(first.id == new)
        #expect(try await record(content("New"), id: new) == first)
        let changed = try await save(TimelineEntry(seed: 1), in: new)
        #expect(try await record(content("New"), id: new) == changed)
        #expect(try await trips.search(TripQuery(TripCriteria(), viewer: nil)).trips.count == 2)
    }

    @Test("recording with the ID of another trip is a conflict")
    func conflictingRecordings() async throws {
        try await trips.add([TripBuilder(seed: 2).build()])
        await #expect(throws: TravelError.conflict(.trip(id))) { try await record(content("Other"), id: id) }
        let others = Trip.ID(seed: 2)
        let same = try TripBuilder(seed: 2).build().content
        await #expect(throws: TravelError.conflict(.trip(others))) { try await record(same, id: others) }
        for user in UInt64(10)...15 {
            try await trips.add(User(seed: user))
            try await trips.report(others, by: User.ID(seed: user))
        }
        await #expect(throws: TravelError.conflict(.trip(others))) { try await record(same, id: others) }
    }

    @Test("a trip recorded twice with its thumbnail has it once")
    func repeatedThumbnails() async throws {
        let image = try TripImage(seed: 1)
        var content = try content("New")
        content.thumbnail = image.id
        let first = try await record(content, id: Trip.ID(seed: 5), adding: image)
        #expect(try await record(content, id: Trip.ID(seed: 5), adding: image) == first)
        #expect(try await trips.image(image.id, viewer: nil) == image)
    }
}

@Suite("Recording trips", .inVirtualTime)
struct RecordTripTests {
    let trips = InMemoryTripRepository()
    let session = InMemorySession(signedIn: User.ID(seed: 1))
    let clock = InVirtualTime.clock
    let start = Date(timeIntervalSinceReferenceDate: 757_382_400)

    var record: RecordTrip {
        RecordTrip(trips: trips, users: trips, session: session) { [clock, start] in
            start.addingTimeInterval(clock.now.offset / .seconds(1))
        }
    }

    private func content(_ title: String) throws -> TripContent {
        try TripBuilder(seed: 1).with { $0.title = title }.build().content
    }

    @Test("a new trip has its author and the current time, and is empty")
    func recording() async throws {
        let author = try User(seed: 1)
        try await trips.add(author)
        try await clock.sleep(for: .seconds(90))
        let first = try await record(content("First"))
        try await clock.sleep(for: .seconds(3_600))
        let second = try await record(content("Second"))
        #expect(first.author == author)
        #expect(first.timeline == [])
        #expect(abs(first.createdAt.timeIntervalSince(start) - 90) < 1)
        #expect(abs(second.createdAt.timeIntervalSince(first.createdAt) - 3_600) < 1)
        let found = try await SearchTrips(trips: trips, session: session)(TripCriteria()).trips
        #expect(found.map(\.id) == [second.id, first.id])
        #expect(found.allSatisfy { $0.isMine && $0.likeCount == 0 })
    }

    @Test("a new trip has the current nickname of its author")
    func nicknames() async throws {
        try await trips.add(User(seed: 1, nickname: "Mina"))
        try await trips.rename(User.ID(seed: 1), to: Nickname("Sora"), by: User.ID(seed: 1))
        #expect(try await record(content("First")).author.nickname.text == "Sora")
    }

    @Test("a user without an account cannot record a trip, and nobody can when signed out")
    func strangers() async throws {
        await #expect(throws: TravelError.notFound(.user(User.ID(seed: 1)))) {
            try await record(content("First"))
        }
        try await session.setSession(nil)
        await #expect(throws: TravelError.signedOut) { try await record(content("First")) }
        #expect(try await SearchTrips(trips: trips, session: session)(TripCriteria()).trips == [])
    }

    @Test("a trip whose thumbnail is missing is not recorded")
    func thumbnails() async throws {
        try await trips.add(User(seed: 1))
        let image = try TripImage(seed: 1)
        var content = try content("First")
        content.thumbnail = image.id
        await #expect(throws: TravelError.notFound(.image(image.id))) {
            try await record(content)
        }
        let trip = try await record(content, adding: image)
        #expect(try await trips.trip(trip.id, viewer: nil).thumbnail == image.id)
        #expect(try await SearchTrips(trips: trips, session: session)(TripCriteria()).trips.count == 1)
    }
}
