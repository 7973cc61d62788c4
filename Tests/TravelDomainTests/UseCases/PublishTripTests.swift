import Foundation
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Publishing a whole trip", .inVirtualTime)
struct PublishTripTests {
    let store = InMemoryTripRepository()
    let mina = User.ID(seed: 1)
    let now = Date(timeIntervalSinceReferenceDate: 757_400_000)

    /// The use case for `user`, who has an account if `exists`.
    func publish(as user: User.ID? = User.ID(seed: 1), review: any ImageReview = .everyImage) async throws
        -> PublishTrip
    {
        if let user, user != User.ID(seed: 9), try await !store.hasUser(user) {
            try await store.add(User(id: user, nickname: Nickname(user == mina ? "Mina" : "Sora")))
        }
        return PublishTrip(
            trips: store, users: store, session: InMemorySession(signedIn: user), review: review, now: { now })
    }

    func trip(_ change: (inout TripBuilder) throws -> Void = { _ in }) throws -> RecordedTrip {
        try TripBuilder(seed: 1, author: User(seed: 1, nickname: "Somebody")).with {
            $0.timeline = [try entry(3)]
            try change(&$0)
        }.build()
    }

    func entry(_ seed: UInt64) throws -> TimelineEntry {
        try TimelineEntry(
            id: TimelineEntry.ID(seed: seed), day: 1, time: TimeOfDay("09:30"), title: Title("Arrival"),
            text: EntryText("It rained."))
    }

    @Test("a new trip is added with its times, under the nickname that its author has here")
    func adding() async throws {
        let trip = try trip()
        let published = try await publish()(trip, replacing: nil)
        #expect(published.isNew)
        #expect(published.trip.author.nickname.text == "Mina")
        #expect(published.trip.createdAt == trip.createdAt)
        #expect(published.trip.timeline == trip.timeline)
        let details = try await store.trip(trip.id, viewer: nil)
        #expect(details.author.nickname.text == "Mina")
    }

    @Test("a repeated addition returns the stored trip, and changes nothing")
    func repeatedAddition() async throws {
        let trip = try trip()
        let publish = try await publish()
        let first = try await publish(trip, replacing: nil)
        try await store.setLiked(true, trip: trip.id, by: mina)
        let second = try await publish(trip, replacing: nil)
        #expect(!second.isNew)
        #expect(second.trip == first.trip)
        #expect(try await store.trip(trip.id, viewer: nil).likeCount == 1)
    }

    @Test("a trip that exists with something else in it, or of someone else, is a conflict")
    func conflicts() async throws {
        let publish = try await publish()
        try await store.add([TripBuilder(seed: 2, author: User(seed: 7, nickname: "Jun")).build()])
        _ = try await publish(trip(), replacing: nil)
        for other in [
            try trip { $0.title = "Another one" }, try trip { $0.timeline = [] },
            try trip { $0.timeline = [try entry(4)] },
        ] {
            await #expect(throws: TravelError.conflict(.trip(other.id))) {
                try await publish(other, replacing: nil)
            }
        }
        let taken = try TripBuilder(seed: 2, author: User(seed: 1)).build()
        await #expect(throws: TravelError.conflict(.trip(taken.id))) { try await publish(taken, replacing: nil) }
        let copy = try TripBuilder(seed: 5, author: User(seed: 1)).with {
            $0.timeline = [try entry(3)]
        }.build()
        await #expect(throws: TravelError.conflict(.entry(TimelineEntry.ID(seed: 3)))) {
            try await publish(copy, replacing: nil)
        }
    }

    @Test("nobody publishes for someone else, or signed out, or without an account")
    func strangers() async throws {
        let trip = try trip()
        let asJun = try await publish(as: User.ID(seed: 2))
        let asNobody = try await publish(as: nil)
        let asStranger = try await publish(as: User.ID(seed: 9))
        for version in [nil, TripVersion.first] {
            await #expect(throws: TravelError.forbidden(.trip(trip.id))) {
                try await asJun(trip, replacing: version)
            }
            await #expect(throws: TravelError.signedOut) { try await asNobody(trip, replacing: version) }
        }
        let theirs = try TripBuilder(seed: 9, author: User(seed: 9)).build()
        await #expect(throws: TravelError.notFound(.user(User.ID(seed: 9)))) {
            try await asStranger(theirs, replacing: nil)
        }
        await #expect(throws: TravelError.notFound(.trip(theirs.id))) {
            try await store.trip(theirs.id, viewer: nil)
        }
    }

    @Test("the trip of someone else cannot be replaced in one's own name")
    func takingOver() async throws {
        let theirs = try TripBuilder(seed: 1, author: User(seed: 7, nickname: "Jun")).build()
        try await store.add([theirs])
        let publish = try await publish()
        await #expect(throws: TravelError.forbidden(.trip(theirs.id))) {
            try await publish(trip(), replacing: .first)
        }
        #expect(try await store.trip(theirs.id, viewer: nil).author.nickname.text == "Jun")
    }

    @Test("a version that is there is replaced; the time of recording and the likes stay")
    func replacing() async throws {
        let publish = try await publish()
        let first = try await publish(trip(), replacing: nil).trip
        try await store.setLiked(true, trip: first.id, by: mina)
        let edited = try trip {
            $0.title = "Edited"
            ($0.createdAt, $0.updatedAt) = (now.addingTimeInterval(1e9), now)
        }
        let second = try await publish(edited, replacing: first.version)
        #expect(!second.isNew)
        #expect(second.trip.version == first.version.next)
        #expect(second.trip.createdAt == first.createdAt)
        #expect(second.trip.updatedAt == now)
        #expect(second.trip.content.title.text == "Edited")
        #expect(try await store.trip(first.id, viewer: nil).likeCount == 1)

        let again = try await publish(edited, replacing: first.version)
        #expect(again.trip == second.trip)

        await #expect(throws: TravelError.outdated(second.trip)) {
            try await publish(trip { $0.title = "Late" }, replacing: first.version)
        }
    }

    @Test("a trip that is not there cannot be replaced")
    func replacingNothing() async throws {
        let publish = try await publish()
        await #expect(throws: TravelError.notFound(.trip(Trip.ID(seed: 1)))) {
            try await publish(trip(), replacing: .first)
        }
    }

    @Test("a trip may be a day ahead of the clock of the server, and no more")
    func times() async throws {
        let publish = try await publish()
        let limit = now.addingTimeInterval(86_400)
        let late = try trip { $0.createdAt = limit.addingTimeInterval(0.001) }
        let violation = Violation(.date, .outOfRange("at most one day ahead of now"))
        await #expect(throws: TravelError.invalid(violation)) { try await publish(late, replacing: nil) }
        #expect(try await publish(trip { $0.createdAt = limit }, replacing: nil).isNew)
        let changed = try trip { ($0.createdAt, $0.updatedAt) = (now, limit.addingTimeInterval(0.001)) }
        await #expect(throws: TravelError.invalid(violation)) { try await publish(changed, replacing: .first) }
    }

    @Test("a trip that has been edited on a device keeps its version, but none that edits would bring to the end")
    func versions() async throws {
        let publish = try await publish()
        let last = try #require(TripVersion(number: 1 << 62))
        let violation = Violation(.version, .outOfRange("at most 4503599627370496"))
        await #expect(throws: TravelError.invalid(violation)) {
            try await publish(trip { $0.version = last }, replacing: nil)
        }
        let version = try #require(TripVersion(number: 1 << 52))
        #expect(try await publish(trip { $0.version = version }, replacing: nil).trip.version == version)
        let edited = try await publish(trip { $0.title = "Edited" }, replacing: version).trip
        #expect(edited.version == version.next)
    }

    @Test("of the images, those that the trip shows are stored, and go when a later version does not show them")
    func images() async throws {
        let (cover, other, unused) = (try TripImage(seed: 1), try TripImage(seed: 2), try TripImage(seed: 3))
        let publish = try await publish()
        let first = try trip { $0.thumbnail = cover.id }
        await #expect(throws: TravelError.notFound(.image(cover.id))) {
            try await publish(first, replacing: nil, adding: [unused])
        }
        _ = try await publish(first, replacing: nil, adding: [cover, unused])
        #expect(try await !publish(first, replacing: nil, adding: [cover]).isNew)
        #expect(try await store.image(cover.id, viewer: nil) == cover)
        await #expect(throws: TravelError.notFound(.image(unused.id))) { try await store.image(unused.id, viewer: nil) }

        let second = try trip { $0.thumbnail = other.id }
        _ = try await publish(second, replacing: .first, adding: [other])
        #expect(
            try await publish(second, replacing: .first, adding: [other]).trip.version == TripVersion.first.next)
        #expect(try await store.image(other.id, viewer: nil) == other)
        await #expect(throws: TravelError.notFound(.image(cover.id))) { try await store.image(cover.id, viewer: nil) }
    }

    /// The entry as a device knows it that knows of one picture an entry.
    private func earlier(_ entry: TimelineEntry, _ image: TripImage.ID?) throws -> TimelineEntry {
        try entry.with(pictures: image.map { [Picture($0)] } ?? [])
    }

    @Test(
        "a device that knows of one picture an entry leaves, replaces or removes the first, and the others stay",
        arguments: [
            (1, [1, 2, 3]), (9, [9, 2, 3]), (nil, [2, 3]), (2, [2, 3]),
        ] as [(UInt64?, [UInt64])])
    func furtherPictures(image: UInt64?, after: [UInt64]) async throws {
        let pictures = try (1...3).map { number in
            Picture(
                .init(seed: number), text: try PictureText("Picture \(number)"),
                position: .mineOnly(try Coordinate(latitude: 35, longitude: 129)))
        }
        let before = try trip { $0.timeline = [try entry(3).with(pictures: pictures), try entry(4)] }
        let publish = try await publish()
        let images = try ([1, 2, 3, 9] as [UInt64]).map { try TripImage(seed: $0) }
        _ = try await publish(before, replacing: nil, adding: Array(images.dropLast()))
        let edited = try trip {
            $0.title = "Edited"
            $0.timeline = [try earlier(entry(3), image.map { .init(seed: $0) }), try entry(4)]
        }
        let (stored, _) = try await publish(
            edited, replacing: before.version, adding: images, keepingPictures: true)
        #expect(stored.content.title.text == "Edited" && stored.timeline.count == 2)
        let expected = after.map { number in
            pictures.first { $0.id == .init(seed: number) } ?? Picture(.init(seed: number))
        }
        #expect(stored.timeline.first { $0.id == .init(seed: 3) }?.pictures == expected)
        // A device that knows of several means what it says.
        let (newer, _) = try await publish(edited, replacing: stored.version, adding: images)
        #expect(newer.timeline.flatMap(\.pictures).count == (image == nil ? 0 : 1))
    }

    @Test("a repeat of an earlier device after a lost answer changes nothing, but for a removal, which is outdated")
    func repeatedByEarlierDevice() async throws {
        let pictures = ([1, 2, 3] as [UInt64]).map { Picture(.init(seed: $0)) }
        let before = try trip { $0.timeline = [try entry(3).with(pictures: pictures)] }
        let publish = try await publish()
        let images = try ([1, 2, 3, 9] as [UInt64]).map { try TripImage(seed: $0) }
        _ = try await publish(before, replacing: nil, adding: Array(images.dropLast()))
        let replaced = try trip { $0.timeline = [try earlier(entry(3), .init(seed: 9))] }
        for _ in 0..<2 {
            let (stored, _) = try await publish(
                replaced, replacing: before.version, adding: images, keepingPictures: true)
            #expect(stored.version.number == 2 && stored.timeline[0].pictures.count == 3)
        }
        let removed = try trip { $0.timeline = [try entry(3)] }
        let (stored, _) = try await publish(removed, replacing: before.version.next, keepingPictures: true)
        #expect(stored.timeline[0].pictures == Array(pictures.dropFirst()))
        await #expect(throws: TravelError.outdated(stored)) {
            try await publish(removed, replacing: before.version.next, keepingPictures: true)
        }
    }

    @Test(
        "whatever devices of both kinds write, no picture goes that its device could not know",
        arguments: 0..<40 as Range<UInt64>)
    func historyOfEarlierDevices(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let publish = try await publish()
        var model: [UInt64: [UInt64]] = [1: [], 2: [], 3: []]
        func timeline(_ pictures: [UInt64: [UInt64]]) throws -> [TimelineEntry] {
            try pictures.sorted { $0.key < $1.key }.map { id, pictures in
                try entry(id).with(pictures: pictures.map { Picture(.init(seed: $0)) })
            }
        }
        var (stored, _) = try await publish(trip { $0.timeline = try timeline(model) }, replacing: nil)
        for step in 0..<30 {
            let isEarlier = Bool.random(using: &random)
            var sent = isEarlier ? model.mapValues { Array($0.prefix(1)) } : model
            let new = UInt64(100 + step)
            let id = UInt64.random(in: 1...4, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: sent[id] = isEarlier ? [new] : (sent[id] ?? []) + [new]
            case 1: sent[id] = Array((sent[id] ?? []).dropFirst())
            case 2: sent[id] = nil
            default: break
            }
            for (id, pictures) in sent { model[id] = pictures + (isEarlier ? (model[id] ?? []).dropFirst() : []) }
            model = model.filter { sent[$0.key] != nil }
            let edited = try trip {
                $0.title = "Step \(step)"
                $0.timeline = try timeline(sent)
            }
            (stored, _) = try await publish(
                edited, replacing: stored.version, adding: [TripImage(seed: new)], keepingPictures: isEarlier)
            let pictures = stored.timeline.map { ($0.id, $0.pictures.map(\.id)) }
            #expect(
                Dictionary(uniqueKeysWithValues: pictures)
                    == Dictionary(
                        uniqueKeysWithValues: model.map { id, pictures in
                            (TimelineEntry.ID(seed: id), pictures.map { TripImage.ID(seed: $0) })
                        }), "step \(step)")
        }
    }

    @Test("an image that may not be published keeps the whole trip out")
    func review() async throws {
        struct Refusal: ImageReview {
            func review(_ image: TripImage) async throws { throw TravelError.refused(.image(image.id)) }
        }
        let image = try TripImage(seed: 1)
        let publish = try await publish(review: Refusal())
        let first = try trip { $0.thumbnail = image.id }
        await #expect(throws: TravelError.refused(.image(image.id))) {
            try await publish(first, replacing: nil, adding: [image])
        }
        await #expect(throws: TravelError.notFound(.trip(first.id))) {
            try await store.trip(first.id, viewer: nil)
        }
        // It is not asked for images that are not shown.
        #expect(try await publish(trip(), replacing: nil, adding: [image]).isNew)
    }
}

extension UserRepository {
    fileprivate func hasUser(_ id: User.ID) async throws -> Bool {
        do {
            _ = try await user(id)
            return true
        } catch TravelError.notFound {
            return false
        }
    }
}
