import Foundation
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Editing travels", .inVirtualTime)
struct EditingTests {
    let travels = InMemoryTravelRepository()
    let session = InMemorySession(signedIn: User.ID(seed: 1))
    let strangersSession = InMemorySession(signedIn: User.ID(seed: 2))
    let author = User.ID(seed: 1)
    let id = Travel.ID(seed: 1)
    let now: @Sendable () -> Date = { Date(timeIntervalSinceReferenceDate: 800_000_000) }

    /// A travel of three days with one entry on each, by `author`.
    init() async throws {
        let entries = try (1...3).map { day in
            try TimelineEntry(
                id: TimelineEntry.ID(seed: UInt64(day)), day: day, time: TimeOfDay(hour: 9), title: Title("Day \(day)"),
                text: EntryText("Text"))
        }
        try await travels.add([
            TravelBuilder(seed: 1).with {
                $0.numberOfDays = 3
                $0.timeline = entries
            }.build()
        ])
    }

    func content(days: Int) throws -> TravelContent {
        try TravelBuilder(seed: 1).with {
            $0.title = "Changed"
            $0.numberOfDays = days
        }.build().content
    }

    @Test("the author changes the content", arguments: [3, 4, 30])
    func authorsEdit(days: Int) async throws {
        try await EditTravel(travels: travels, session: session, now: now)(id, content(days: days))
        #expect(try await travels.travel(id, viewer: nil).content == content(days: days))
    }

    @Test(
        "dates must include all entries, and the error lists the others in order",
        arguments: [
            (2, [3]), (1, [2, 3]),
        ] as [(Int, [UInt64])])
    func shrinkingDates(days: Int, inTheWay: [UInt64]) async throws {
        let entries = inTheWay.map { TimelineEntry.ID(seed: $0) }
        await #expect(throws: TravelError.invalid(.init(.dates, .entriesInTheWay(entries)))) {
            try await EditTravel(travels: travels, session: session, now: now)(id, content(days: days))
        }
        #expect(try await travels.travel(id, viewer: nil).content.days.count == 3)
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
        try await DeleteEntry(travels: travels, session: session, now: now)(TimelineEntry.ID(seed: 3), in: id)
        try await EditTravel(travels: travels, session: session, now: now)(id, content(days: 2))
        #expect(try await travels.timeline(of: id, viewer: nil).count == 2)
    }

    @Test("an entry must lie on a day of the trip, and a new version replaces it")
    func savingEntries() async throws {
        func entry(_ seed: UInt64, day: Int) throws -> TimelineEntry {
            try TimelineEntry(
                id: TimelineEntry.ID(seed: seed), day: day, time: TimeOfDay(hour: 8), title: Title("New"),
                text: EntryText("Text"))
        }
        let save = SaveEntry(travels: travels, session: session, now: now)
        try await save(entry(9, day: 3), in: id)
        try await save(entry(1, day: 2), in: id)
        #expect(
            try await travels.timeline(of: id, viewer: nil).map(\.id)
                == [1, 2, 9, 3].map { TimelineEntry.ID(seed: $0) })
        await #expect(throws: TravelError.invalid(.init(.day, .outOfRange("a day of the trip, 1…3")))) {
            try await save(entry(9, day: 4), in: id)
        }
    }

    @Test("an unknown entry cannot be deleted")
    func deletingUnknownEntries() async throws {
        await #expect(throws: TravelError.notFound(.entry(TimelineEntry.ID(seed: 8)))) {
            try await DeleteEntry(travels: travels, session: session, now: now)(TimelineEntry.ID(seed: 8), in: id)
        }
    }

    @Test("the author deletes the travel")
    func authorsDelete() async throws {
        try await DeleteTravel(travels: travels, session: session)(id)
        await #expect(throws: TravelError.notFound(.travel(id))) { try await travels.travel(id, viewer: author) }
    }

    @Test("only the author can edit or delete")
    func strangersMayNot() async throws {
        let forbidden = TravelError.forbidden(.travel(id))
        let before = try await travels.timeline(of: id, viewer: nil)
        await #expect(throws: forbidden) {
            try await EditTravel(travels: travels, session: strangersSession, now: now)(id, content(days: 3))
        }
        await #expect(throws: forbidden) { try await DeleteTravel(travels: travels, session: strangersSession)(id) }
        await #expect(throws: forbidden) {
            try await SaveEntry(travels: travels, session: strangersSession, now: now)(before[0], in: id)
        }
        await #expect(throws: forbidden) {
            try await DeleteEntry(travels: travels, session: strangersSession, now: now)(before[0].id, in: id)
        }
        #expect(try await travels.timeline(of: id, viewer: nil) == before)
    }

    @Test("use cases reject other people even if the store does not")
    func authorisationIsDecidedInTheDomain() async throws {
        let entry = try TimelineEntry(day: 1, time: TimeOfDay(hour: 9), title: Title("New"), text: EntryText("Text"))
        let store = CarelessStore(travel: try TravelBuilder(seed: 1).with { $0.timeline = [entry] }.build())
        let forbidden = TravelError.forbidden(.travel(id))
        await #expect(throws: forbidden) {
            try await EditTravel(travels: store, session: strangersSession, now: now)(id, content(days: 3))
        }
        await #expect(throws: forbidden) { try await DeleteTravel(travels: store, session: strangersSession)(id) }
        await #expect(throws: forbidden) {
            try await SaveEntry(travels: store, session: strangersSession, now: now)(entry, in: id)
        }
        await #expect(throws: forbidden) {
            try await DeleteEntry(travels: store, session: strangersSession, now: now)(entry.id, in: id)
        }
        try await EditTravel(travels: store, session: session, now: now)(id, content(days: 3))
    }
}

/// A store that lets everyone change its one travel.
private struct CarelessStore: TravelEditingRepository {
    let travel: RecordedTravel

    func update(
        _ id: Travel.ID, expecting version: TravelVersion?, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws -> RecordedTravel? {
        try change(travel)
    }
}
