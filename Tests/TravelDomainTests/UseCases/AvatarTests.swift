import Foundation
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Pictures of people and the review of images", .inVirtualTime)
struct AvatarTests {
    let store = InMemoryTravelRepository()
    let session = InMemorySession(signedIn: User.ID(seed: 1))
    let now: @Sendable () -> Date = { Date(timeIntervalSinceReferenceDate: 800_000_000) }

    /// A review that refuses one image.
    struct Review: ImageReview {
        let refused: TravelImage.ID

        func review(_ image: TravelImage) async throws {
            if image.id == refused { throw TravelError.refused(.image(image.id)) }
        }
    }

    init() async throws {
        try await store.add([TravelBuilder(seed: 1).build()])
    }

    @Test("a person sets, replaces and removes their own picture")
    func avatars() async throws {
        let change = ChangeAvatar(users: store, session: session)
        let (first, second) = (try TravelImage(seed: 1), try TravelImage(seed: 2))
        #expect(try await change(first).avatar == first.id)
        #expect(try await store.travel(Travel.ID(seed: 1), viewer: nil).author.avatar == first.id)
        #expect(try await change(second).avatar == second.id)
        #expect(try await store.image(second.id, viewer: nil) == second)
        #expect(try await change(nil) == User(seed: 1))
    }

    @Test("without a person, no picture is set")
    func signedOut() async throws {
        let change = ChangeAvatar(users: store, session: .signedOut)
        await #expect(throws: TravelError.signedOut) { try await change(nil) }
    }

    @Test("a changed nickname keeps the picture")
    func nickname() async throws {
        let picture = try TravelImage(seed: 1)
        try await ChangeAvatar(users: store, session: session)(picture)
        let renamed = try await ChangeNickname(users: store, session: session)(Nickname("Sora"))
        #expect(renamed.avatar == picture.id)
    }

    @Test("an image that the review refuses is not stored, whichever use case adds it")
    func refusals() async throws {
        let image = try TravelImage(seed: 1)
        let review = Review(refused: image.id)
        let refused = TravelError.refused(.image(image.id))
        let travel = try TravelBuilder(seed: 1).build()
        let content = try TravelBuilder(seed: 1).with { $0.thumbnail = image.id }.build().content
        let entry = try TimelineEntry(
            day: 1, time: TimeOfDay(hour: 9), title: Title("Entry"), text: EntryText("Text"), image: image.id)
        await #expect(throws: refused) {
            try await ChangeAvatar(users: store, session: session, review: review)(image)
        }
        await #expect(throws: refused) {
            try await RecordTravel(travels: store, users: store, session: session, review: review, now: now)(
                content, adding: image)
        }
        await #expect(throws: refused) {
            try await EditTravel(travels: store, session: session, review: review, now: now)(
                travel.id, content, adding: image)
        }
        await #expect(throws: refused) {
            try await SaveEntry(travels: store, session: session, review: review, now: now)(
                entry, adding: image, in: travel.id)
        }
        await #expect(throws: TravelError.notFound(.image(image.id))) { try await store.image(image.id, viewer: nil) }
        #expect(try await store.search(TravelQuery(TravelCriteria(), viewer: nil)).travels.count == 1)
        #expect(try await store.travel(travel.id, viewer: nil).version == .first)
    }

    @Test("an image that the review accepts is stored")
    func acceptance() async throws {
        let image = try TravelImage(seed: 1)
        let review = Review(refused: TravelImage.ID(seed: 2))
        #expect(try await ChangeAvatar(users: store, session: session, review: review)(image).avatar == image.id)
    }
}
