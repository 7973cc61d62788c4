import Foundation
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Images of trips", .inVirtualTime)
struct ImageRulesTests {
    let trips = InMemoryTripRepository()
    let session = InMemorySession(device: User.ID(seed: 1), signedIn: User.ID(seed: 1))
    let id = Trip.ID(seed: 1)
    let now: @Sendable () -> Date = { Date(timeIntervalSinceReferenceDate: 800_000_000) }

    /// A trip of two days without entries, by the signed-in user.
    init() async throws {
        try await trips.add([TripBuilder(seed: 1).with { $0.numberOfDays = 2 }.build()])
    }

    private func entry(_ seed: UInt64, day: Int, showing image: TripImage?) throws -> TimelineEntry {
        try TimelineEntry(seed: seed, day: day, image: image?.id)
    }

    private var thumbnail: TripImage.ID? {
        get async throws { try await trips.trip(id, viewer: nil).thumbnail }
    }

    private func isThere(_ image: TripImage) async throws -> Bool {
        do {
            return try await trips.image(image.id, viewer: nil) == image
        } catch TravelError.notFound(.image(image.id)) {
            return false
        }
    }

    @Test("an entry is saved with its image, and the first image of the timeline is the thumbnail")
    func savingEntries() async throws {
        let (second, first) = (try TripImage(seed: 1), try TripImage(seed: 2))
        let save = SaveEntry(trips: trips, session: session, now: now)
        try await save(entry(1, day: 2, showing: second), adding: [second], in: id)
        #expect(try await thumbnail == second.id)
        try await save(entry(2, day: 1, showing: first), adding: [first], in: id)
        #expect(try await thumbnail == first.id)
        #expect(try await isThere(first))
        #expect(try await isThere(second))
    }

    @Test(
        "the author's choice is added by an edit, takes precedence over the timeline, and is removed by the next choice"
    )
    func choosingThumbnails() async throws {
        let (first, chosen) = (try TripImage(seed: 1), try TripImage(seed: 2))
        try await SaveEntry(trips: trips, session: session, now: now)(
            entry(1, day: 1, showing: first), adding: [first], in: id)
        let edit = EditTrip(trips: trips, session: session, now: now)
        var content = try await trips.trip(id, viewer: nil).content
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
}

@Suite("Pictures of users and the review of images", .inVirtualTime)
struct AvatarTests {
    let store = InMemoryTripRepository()
    let session = InMemorySession(signedIn: User.ID(seed: 1))
    let now: @Sendable () -> Date = { Date(timeIntervalSinceReferenceDate: 800_000_000) }

    /// A review that refuses one image.
    struct Review: ImageReview {
        let refused: TripImage.ID

        func review(_ image: TripImage) async throws {
            if image.id == refused { throw TravelError.refused(.image(image.id)) }
        }
    }

    init() async throws {
        try await store.add([TripBuilder(seed: 1).build()])
    }

    @Test("a user sets, replaces and removes their own picture")
    func avatars() async throws {
        let change = ChangeAvatar(users: store, session: session)
        let (first, second) = (try TripImage(seed: 1), try TripImage(seed: 2))
        #expect(try await change(first).avatar == first.id)
        #expect(try await store.trip(Trip.ID(seed: 1), viewer: nil).author.avatar == first.id)
        #expect(try await change(second).avatar == second.id)
        #expect(try await store.image(second.id, viewer: nil) == second)
        #expect(try await change(nil) == User(seed: 1))
    }

    @Test("without a user, no picture is set")
    func signedOut() async throws {
        let change = ChangeAvatar(users: store, session: .signedOut)
        await #expect(throws: TravelError.signedOut) { try await change(nil) }
    }

    @Test("an image that the review refuses is not stored, whichever use case adds it")
    func refusals() async throws {
        let image = try TripImage(seed: 1)
        let review = Review(refused: image.id)
        let refused = TravelError.refused(.image(image.id))
        let trip = try TripBuilder(seed: 1).build()
        let content = try TripBuilder(seed: 1).with { $0.thumbnail = image.id }.build().content
        let entry = try TimelineEntry(
            day: 1, time: TimeOfDay(hour: 9), title: Title("Entry"), text: EntryText("Text"),
            pictures: [Picture(image.id)])
        await #expect(throws: refused) {
            try await ChangeAvatar(users: store, session: session, review: review)(image)
        }
        await #expect(throws: refused) {
            try await RecordTrip(trips: store, users: store, session: session, review: review, now: now)(
                content, adding: image)
        }
        await #expect(throws: refused) {
            try await EditTrip(trips: store, session: session, review: review, now: now)(
                trip.id, content, adding: image)
        }
        await #expect(throws: refused) {
            try await SaveEntry(trips: store, session: session, review: review, now: now)(
                entry, adding: [image], in: trip.id)
        }
        await #expect(throws: TravelError.notFound(.image(image.id))) { try await store.image(image.id, viewer: nil) }
        #expect(try await store.search(TripQuery(TripCriteria(), viewer: nil)).trips.count == 1)
        #expect(try await store.trip(trip.id, viewer: nil).version == .first)
    }

    @Test("an image that the review accepts is stored")
    func acceptance() async throws {
        let image = try TripImage(seed: 1)
        let review = Review(refused: TripImage.ID(seed: 2))
        #expect(try await ChangeAvatar(users: store, session: session, review: review)(image).avatar == image.id)
    }
}
