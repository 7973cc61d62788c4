import Foundation
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Images of travels", .inVirtualTime)
struct ImageRulesTests {
    let travels = InMemoryTravelRepository()
    let session = InMemorySession(device: User.ID(seed: 1), signedIn: User.ID(seed: 1))
    let id = Travel.ID(seed: 1)
    let now: @Sendable () -> Date = { Date(timeIntervalSinceReferenceDate: 800_000_000) }

    /// A travel of two days without entries, by the signed-in person.
    init() async throws {
        try await travels.add([TravelBuilder(seed: 1).with { $0.numberOfDays = 2 }.build()])
    }

    private func entry(_ seed: UInt64, day: Int, showing image: TravelImage?) throws -> TimelineEntry {
        try TimelineEntry(
            id: TimelineEntry.ID(seed: seed), day: day, time: TimeOfDay(hour: 9), title: Title("Entry"),
            text: EntryText("Text"), image: image?.id)
    }

    private var thumbnail: TravelImage.ID? {
        get async throws { try await travels.travel(id, viewer: nil).thumbnail }
    }

    private func isThere(_ image: TravelImage) async throws -> Bool {
        do {
            return try await travels.image(image.id, viewer: nil) == image
        } catch TravelError.notFound(.image(image.id)) {
            return false
        }
    }

    @Test("an entry is saved with its image, and the first image of the timeline is the thumbnail")
    func savingEntries() async throws {
        let (second, first) = (try TravelImage(seed: 1), try TravelImage(seed: 2))
        let save = SaveEntry(travels: travels, session: session, now: now)
        try await save(entry(1, day: 2, showing: second), adding: second, in: id)
        #expect(try await thumbnail == second.id)
        try await save(entry(2, day: 1, showing: first), adding: first, in: id)
        #expect(try await thumbnail == first.id)
        #expect(try await isThere(first))
        #expect(try await isThere(second))
    }

    @Test("deleting the entry of the thumbnail removes its image and selects the next one")
    func deletingEntries() async throws {
        let images = try [TravelImage(seed: 1), TravelImage(seed: 2)]
        for (index, image) in images.enumerated() {
            let entry = try entry(UInt64(index), day: index + 1, showing: image)
            try await SaveEntry(travels: travels, session: session, now: now)(entry, adding: image, in: id)
        }
        let delete = DeleteEntry(travels: travels, session: session, now: now)
        try await delete(TimelineEntry.ID(seed: 0), in: id)
        #expect(try await thumbnail == images[1].id)
        #expect(try await !isThere(images[0]))
        try await delete(TimelineEntry.ID(seed: 1), in: id)
        #expect(try await thumbnail == nil)
        #expect(try await !isThere(images[1]))
    }

    @Test("replacing the image of an entry removes the old one; keeping it does not require it again")
    func rewritingEntries() async throws {
        let (old, new) = (try TravelImage(seed: 1), try TravelImage(seed: 2))
        let save = SaveEntry(travels: travels, session: session, now: now)
        try await save(entry(1, day: 1, showing: old), adding: old, in: id)
        try await save(entry(1, day: 2, showing: old), in: id)
        #expect(try await isThere(old))
        try await save(entry(1, day: 2, showing: new), adding: new, in: id)
        #expect(try await !isThere(old))
        #expect(try await thumbnail == new.id)
    }

    @Test(
        "the author's choice is added by an edit, takes precedence over the timeline, and is removed by the next choice"
    )
    func choosingThumbnails() async throws {
        let (first, chosen) = (try TravelImage(seed: 1), try TravelImage(seed: 2))
        try await SaveEntry(travels: travels, session: session, now: now)(
            entry(1, day: 1, showing: first), adding: first, in: id)
        let edit = EditTravel(travels: travels, session: session, now: now)
        var content = try await travels.travel(id, viewer: nil).content
        content.thumbnail = chosen.id
        try await edit(id, content, adding: chosen)
        #expect(try await thumbnail == chosen.id)
        content.title = try Title("바다")
        try await edit(id, content)
        #expect(try await thumbnail == chosen.id)
        content.thumbnail = nil
        try await edit(id, content)
        #expect(try await thumbnail == first.id)
        #expect(try await !isThere(chosen))
    }

    @Test("an unknown image cannot be shown, and nothing changes")
    func missingImages() async throws {
        let image = try TravelImage(seed: 1)
        await #expect(throws: TravelError.notFound(.image(image.id))) {
            try await SaveEntry(travels: travels, session: session, now: now)(entry(1, day: 1, showing: image), in: id)
        }
        #expect(try await travels.timeline(of: id, viewer: nil) == [])
    }

    @Test("only the author can add images")
    func strangers() async throws {
        let image = try TravelImage(seed: 1)
        await #expect(throws: TravelError.forbidden(.travel(id))) {
            try await SaveEntry(travels: travels, session: InMemorySession(signedIn: User.ID(seed: 2)), now: now)(
                entry(1, day: 1, showing: image), adding: image, in: id)
        }
        #expect(try await !isThere(image))
    }

    @Test("deleting a travel or its author deletes the images", arguments: [true, false])
    func removals(withdraws: Bool) async throws {
        let image = try TravelImage(seed: 1)
        try await SaveEntry(travels: travels, session: session, now: now)(
            entry(1, day: 1, showing: image), adding: image, in: id)
        if withdraws {
            try await Withdraw(users: travels, identity: session, session: session)()
        } else {
            try await DeleteTravel(travels: travels, session: session)(id)
        }
        #expect(try await !isThere(image))
    }
}
