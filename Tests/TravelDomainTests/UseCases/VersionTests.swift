import Foundation
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Versions and repeats", .inVirtualTime)
struct VersionTests {
    let travels = InMemoryTravelRepository()
    let session = InMemorySession(signedIn: User.ID(seed: 1))
    let id = Travel.ID(seed: 1)
    let now: @Sendable () -> Date = { Date(timeIntervalSinceReferenceDate: 800_000_000) }

    var edit: EditTravel { EditTravel(travels: travels, session: session, now: now) }
    var save: SaveEntry { SaveEntry(travels: travels, session: session, now: now) }
    var delete: DeleteEntry { DeleteEntry(travels: travels, session: session, now: now) }
    var deleteTravel: DeleteTravel { DeleteTravel(travels: travels, session: session) }
    var record: RecordTravel { RecordTravel(travels: travels, users: travels, session: session, now: now) }

    init() async throws {
        try await travels.add([TravelBuilder(seed: 1).build()])
    }

    private func content(_ title: String) throws -> TravelContent {
        try TravelBuilder(seed: 1).with { $0.title = title }.build().content
    }

    private func entry(_ seed: UInt64) throws -> TimelineEntry {
        try TimelineEntry(
            id: TimelineEntry.ID(seed: seed), day: 1, time: TimeOfDay(hour: 9), title: Title("Entry"),
            text: EntryText("Text"))
    }

    @Test("edits return the stored travel with the next version and the current time")
    func results() async throws {
        let first = try await edit(id, content("First"), expecting: .first)
        #expect(first.version == .first.next)
        #expect(first.updatedAt == now())
        #expect(first.content == (try content("First")))
        let second = try await save(entry(1), in: id, expecting: first.version)
        #expect(second.timeline == [try entry(1)])
        let third = try await delete(TimelineEntry.ID(seed: 1), in: id, expecting: second.version)
        #expect(third.version == second.version.next)
        let travel = try await travels.travel(id, viewer: nil)
        #expect(travel.version == third.version)
        #expect(travel.updatedAt == now())
        try await deleteTravel(id, expecting: third.version)
        await #expect(throws: TravelError.notFound(.travel(id))) { try await travels.travel(id, viewer: nil) }
    }

    @Test("an edit of an older version throws the current version, and changes nothing")
    func conflicts() async throws {
        try await save(entry(1), in: id)
        let current = try await edit(id, content("First"))
        let outdated = TravelError.outdated(current)
        await #expect(throws: outdated) { try await edit(id, content("Second"), expecting: .first) }
        await #expect(throws: outdated) { try await save(entry(2), in: id, expecting: .first) }
        await #expect(throws: outdated) {
            try await delete(TimelineEntry.ID(seed: 1), in: id, expecting: .first)
        }
        await #expect(throws: outdated) { try await deleteTravel(id, expecting: .first) }
        #expect(try await travels.travel(id, viewer: nil).content == content("First"))
        #expect(try await travels.timeline(of: id, viewer: nil) == [try entry(1)])
    }

    @Test("repeating an edit whose answer was lost returns the stored result")
    func repeatedEdits() async throws {
        let first = try await edit(id, content("First"), expecting: .first)
        #expect(try await edit(id, content("First"), expecting: .first) == first)
        let second = try await save(entry(1), in: id, expecting: first.version)
        #expect(try await save(entry(1), in: id, expecting: first.version) == second)
        let third = try await delete(TimelineEntry.ID(seed: 1), in: id, expecting: second.version)
        #expect(try await delete(TimelineEntry.ID(seed: 1), in: id, expecting: second.version) == third)
        #expect(try await edit(id, content("First")) == third)
    }

    @Test("without an expected version, an edit changes whatever is there")
    func unconditionalEdits() async throws {
        try await edit(id, content("First"))
        #expect(try await edit(id, content("Second")).content == content("Second"))
        try await deleteTravel(id)
    }

    @Test("recording again with the same ID and content returns the stored travel")
    func repeatedRecordings() async throws {
        let new = Travel.ID(seed: 5)
        let first = try await record(content("New"), id: new)
        #expect(first.id == new)
        #expect(try await record(content("New"), id: new) == first)
        let changed = try await save(entry(1), in: new)
        #expect(try await record(content("New"), id: new) == changed)
        #expect(try await travels.search(TravelQuery(TravelCriteria(), viewer: nil)).travels.count == 2)
    }

    @Test("recording with the ID of another travel is a conflict")
    func conflictingRecordings() async throws {
        try await travels.add([TravelBuilder(seed: 2).build()])
        await #expect(throws: TravelError.conflict(.travel(id))) { try await record(content("Other"), id: id) }
        let others = Travel.ID(seed: 2)
        let same = try TravelBuilder(seed: 2).build().content
        await #expect(throws: TravelError.conflict(.travel(others))) { try await record(same, id: others) }
        for person in UInt64(10)...15 {
            try await travels.add(User(seed: person))
            try await travels.report(others, by: User.ID(seed: person))
        }
        await #expect(throws: TravelError.conflict(.travel(others))) { try await record(same, id: others) }
    }

    @Test("a travel recorded twice with its thumbnail has it once")
    func repeatedThumbnails() async throws {
        let image = try TravelImage(seed: 1)
        var content = try content("New")
        content.thumbnail = image.id
        let first = try await record(content, id: Travel.ID(seed: 5), adding: image)
        #expect(try await record(content, id: Travel.ID(seed: 5), adding: image) == first)
        #expect(try await travels.image(image.id, viewer: nil) == image)
    }
}
