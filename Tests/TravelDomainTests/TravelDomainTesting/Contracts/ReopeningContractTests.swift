import Foundation
import Synchronization
import Testing
import TestConcurrency
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Contract of reopened stores", .limitedConcurrency)
struct ReopeningContractTests {
    enum Flaw: CaseIterable {
        case everythingIsForgotten, likesAreForgotten, editsAreForgotten, removalsAreForgotten, imagesAreForgotten
        case blocksAreForgotten, picturesAreForgotten, pagesBeginEmpty
    }

    @Test(
        "storage with a flaw fails the check for it",
        arguments: [
            (Flaw.likesAreForgotten, "a trip, its timeline, its images and its likes are there"),
            (.imagesAreForgotten, "a trip, its timeline, its images and its likes are there"),
            (.editsAreForgotten, "edits keep their versions, and an edit of an earlier one is outdated"),
            (.removalsAreForgotten, "a removed trip stays removed, and can be added again without likes"),
            (.everythingIsForgotten, "a cursor continues the pages of the store before"),
            (.pagesBeginEmpty, "an observation begins with what was stored before"),
            (.picturesAreForgotten, "users keep their nicknames and pictures, and removed ones stay removed"),
            (.blocksAreForgotten, "reports and blocks still hide trips, and are no new ones"),
            (.everythingIsForgotten, "operations of seed 1 have the results of plain lists"),
        ])
    func flawIsFound(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: ReopeningContract.checks, by: flaw) {
            FlawedStorage($0).reopenable
        }
    }

    @Test("every check fails for storage that keeps nothing")
    func nothingIsKept() async throws {
        let violations = try await ReopeningContract.checks.violations {
            FlawedStorage(.everythingIsForgotten).reopenable
        }
        #expect(violations.count == ReopeningContract.checks.count)
    }

    @Test("a check closes each store before it opens the next one, also when it fails")
    func storesAreClosed() async throws {
        for flaw in [nil, Flaw.everythingIsForgotten] {
            let events = Mutex<[String]>([])
            _ = try await ReopeningContract.checks.prefix(3).violations {
                let storage = FlawedStorage(flaw)
                return ReopenableStore {
                    events.withLock { $0.append("open") }
                    return storage.open()
                } close: { _ in
                    events.withLock { $0.append("close") }
                } store: {
                    $0
                }
            }
            let found = events.withLock { $0 }
            #expect(!found.isEmpty)
            #expect(found.indices.allSatisfy { found[$0] == ($0.isMultiple(of: 2) ? "open" : "close") })
            #expect(found.count.isMultiple(of: 2))
        }
    }
}

/// Storage in memory whose stores forget something when the next one is opened.
private final class FlawedStorage: Sendable {
    private let flaw: ReopeningContractTests.Flaw?
    private let state = Mutex((opened: 0, whole: InMemoryTripRepository()))

    init(_ flaw: ReopeningContractTests.Flaw?) { self.flaw = flaw }

    var reopenable: ReopenableStore {
        ReopenableStore {
            self.open()
        } close: { _ in
        } store: {
            $0
        }
    }

    func open() -> any TravelStore {
        state.withLock { state in
            state.opened += 1
            if flaw == .everythingIsForgotten { state.whole = InMemoryTripRepository() }
            let isFirst = state.opened == 1
            let losesEdits = isFirst && (flaw == .removalsAreForgotten || flaw == .editsAreForgotten)
            return ForgetfulStore(sound: state.whole, flaw: isFirst ? nil : flaw, losesEdits: losesEdits)
        }
    }
}

/// A store that was opened again, and has forgotten something.
private struct ForgetfulStore: SoundStore {
    let sound: InMemoryTripRepository
    let flaw: ReopeningContractTests.Flaw?
    /// Whether its edits and removals do not reach the storage.
    let losesEdits: Bool

    func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip {
        let trip = try await sound.trip(id, viewer: viewer)
        guard flaw == .likesAreForgotten else { return trip }
        return try Trip(
            id: trip.id, author: trip.author, content: trip.content, createdAt: trip.createdAt,
            updatedAt: trip.updatedAt, version: trip.version, likeCount: 0, isLiked: false, isMine: trip.isMine,
            thumbnail: trip.thumbnail)
    }

    func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        if losesEdits { return nil }
        return try await sound.update(id, expecting: version, by: user, adding: images, change)
    }

    func image(_ id: TripImage.ID, viewer: User.ID?) async throws -> TripImage {
        if flaw == .imagesAreForgotten { throw TravelError.notFound(.image(id)) }
        return try await sound.image(id, viewer: viewer)
    }

    func user(_ id: User.ID) async throws -> User {
        let user = try await sound.user(id)
        return flaw == .picturesAreForgotten ? User(id: id, nickname: user.nickname) : user
    }

    func blocked(by user: User.ID) async throws -> [User] {
        flaw == .blocksAreForgotten ? [] : try await sound.blocked(by: user)
    }

    func observe(_ query: TripQuery) -> any AsyncSequence<TripPage, any Error> & Sendable {
        let pages = sound.observe(query)
        guard flaw == .pagesBeginEmpty else { return pages }
        return AsyncThrowingStream<TripPage, any Error> { continuation in
            continuation.yield(TripPage(trips: [], next: nil))
            continuation.finish()
        }
    }
}

@Suite("Contract of caches", .limitedConcurrency)
struct TripCacheContractTests {
    enum Flaw: CaseIterable {
        case timelinesForgotten, contentWithoutTimelineStored, likesIgnored, ownLikeIgnored, missingKept, usersIgnored
        case missingPeopleKept, blocksIgnored, imagesIgnored, timesIgnored, bytesAlwaysKnown
        case picturesIgnored, likeOfUnknownIgnored, blocksOfUnknownIgnored, blockKept, cancellationIgnored
        case formerNicknamesKept, replacedTripsKept, otherTripsTakenForVersions, viewersLikesDropped, formerImagesKept
        case removedIDsKeptForAuthors
    }

    @Test(
        "a cache with a flaw fails the check for it",
        arguments: [
            (Flaw.timelinesForgotten, "a trip that was fetched with its timeline is complete"),
            (.contentWithoutTimelineStored, "a new version without its timeline does not replace the content of a"),
            (.likesIgnored, "likes of unknown users count, and order the trips"),
            (.ownLikeIgnored, "the viewer's own like is that of the answer"),
            (.likeOfUnknownIgnored, "the like of a viewer whose own profile is unknown is stored"),
            (.blocksOfUnknownIgnored, "the blocks by a user whose own profile is unknown are stored"),
            (.blockKept, "a trip that the viewer sees ends their block of its author, and no other block"),
            (.missingKept, "a missing trip is removed, and an unknown one is ignored"),
            (.usersIgnored, "users are stored with the nicknames of the answer, which need not be unique"),
            (.missingPeopleKept, "a missing user is removed with everything they own"),
            (.blocksIgnored, "the blocks by a user are those of the answer"),
            (.imagesIgnored, "images are known by their IDs first, and with their bytes once they were fetched"),
            (.bytesAlwaysKnown, "images are known by their IDs first, and with their bytes once they were fetched"),
            (.picturesIgnored, "the picture of a user is known by its ID first"),
            (.bytesAlwaysKnown, "the picture of a user is known by its ID first"),
            (.imagesIgnored, "the picture of a user is known by its ID first"),
            (.timesIgnored, "the time of the last answer to a question is stored"),
            (.cancellationIgnored, "a lookup in a cancelled task throws CancellationError"),
            (.formerNicknamesKept, "a complete trip has the current nickname of its author"),
            (.replacedTripsKept, "a trip that has an entry of another one here replaces it"),
            (.replacedTripsKept, "a trip that shows an image of another one here replaces it"),
            (.otherTripsTakenForVersions, "a trip of another author or time under the ID of a known one replaces it"),
            (.removedIDsKeptForAuthors, "a trip of another author under the ID of one that was removed here is stored"),
            (.viewersLikesDropped, "fewer likes than are known remove those of others, not of the viewer"),
            (.formerImagesKept, "an image that the next version of a trip does not show is removed with its bytes"),
            (.formerImagesKept, "another picture of a user replaces the former one with its bytes"),
        ])
    func flawIsFound(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: TripCacheContract.checks, by: flaw) { FlawedCache(flaw: $0) }
    }
}

/// A store in memory that loses a part of what was fetched.
private actor FlawedCache: SoundStore, TripCache {
    let sound = InMemoryTripRepository()
    let flaw: TripCacheContractTests.Flaw?
    private var complete: [Trip.ID: RecordedTrip] = [:]
    private var images: [TripImage.ID: TripImage] = [:]

    init(flaw: TripCacheContractTests.Flaw?) { self.flaw = flaw }

    func image(_ id: TripImage.ID, viewer: User.ID?) async throws -> TripImage {
        if flaw == .formerImagesKept, let image = images[id] { return image }
        return try await sound.image(id, viewer: viewer)
    }

    func store(_ fetched: FetchedTrips) async throws {
        for image in fetched.images { images[image.id] = image }
        for trip in fetched.trips {
            let former = complete[trip.id]?.author.id ?? trip.author.id
            if flaw == .removedIDsKeptForAuthors, former != trip.author.id,
                try await sound.knowledge(of: trip.id) == .unknown
            {
                throw TravelError.conflict(.trip(trip.id))
            }
            guard let timeline = fetched.timelines[trip.id] else { continue }
            complete[trip.id] = try TripDetails(trip: trip, timeline: timeline).recorded
        }
        var fetched = fetched
        switch flaw {
        case .timelinesForgotten: fetched.timelines = [:]
        case .contentWithoutTimelineStored:
            for trip in fetched.trips where fetched.timelines[trip.id] == nil {
                fetched.timelines[trip.id] = []
            }
        case .likesIgnored:
            fetched.trips = try fetched.trips.map { try copy(of: $0, likes: 0, isLiked: $0.isLiked) }
        case .ownLikeIgnored:
            fetched.trips = try fetched.trips.map { try copy(of: $0, likes: $0.likeCount, isLiked: false) }
        case .missingKept: fetched.missingTrips = []
        case .usersIgnored: fetched.users = []
        case .picturesIgnored: fetched.users = fetched.users.map { User(id: $0.id, nickname: $0.nickname) }
        case .missingPeopleKept: fetched.missingUsers = []
        case .blocksIgnored: fetched.blocked = [:]
        case .imagesIgnored: fetched.images = []
        case .timesIgnored: fetched.answers = [:]
        case .likeOfUnknownIgnored:
            if let viewer = fetched.viewer, try await !isKnown(viewer) {
                fetched.trips = try fetched.trips.map { try copy(of: $0, likes: $0.likeCount, isLiked: false) }
            }
        case .blocksOfUnknownIgnored:
            for user in fetched.blocked.keys where try await !isKnown(user) { fetched.blocked[user] = nil }
        case .blockKept:
            guard let viewer = fetched.viewer else { break }
            let blocked = try await sound.blocked(by: viewer)
            try await sound.store(fetched)
            for author in blocked { try await sound.block(author.id, by: viewer) }
            return
        case .otherTripsTakenForVersions:
            fetched.trips.removeAll { complete[$0.id] != nil && fetched.timelines[$0.id] == nil }
        case .viewersLikesDropped:
            fetched.trips = try fetched.trips.map { trip in
                try copy(of: trip, likes: trip.likeCount, isLiked: trip.isLiked && trip.author.id != fetched.viewer)
            }
        case .bytesAlwaysKnown, .cancellationIgnored, .formerNicknamesKept, .replacedTripsKept, .formerImagesKept,
            .removedIDsKeptForAuthors, nil:
            break
        }
        try await sound.store(fetched)
    }

    private func isKnown(_ user: User.ID) async throws -> Bool {
        do { return try await sound.user(user).id == user } catch TravelError.notFound { return false }
    }

    func lastAnswer(to question: String) async throws -> Date? { try await sound.lastAnswer(to: question) }

    func knowledge(of id: Trip.ID) async throws -> TripKnowledge {
        if flaw == .cancellationIgnored {
            return try await Task.detached { [sound] in try await sound.knowledge(of: id) }.value
        }
        let knowledge = try await sound.knowledge(of: id)
        guard let trip = complete[id] else { return knowledge }
        switch knowledge {
        case .complete(let current) where flaw == .formerNicknamesKept:
            return .complete(try current.with(author: trip.author))
        case .unknown where flaw == .replacedTripsKept: return .complete(trip)
        default: return knowledge
        }
    }

    func lacksBytes(of image: TripImage.ID) async throws -> Bool {
        let lacks = try await sound.lacksBytes(of: image)
        return lacks && flaw != .bytesAlwaysKnown
    }

    private func copy(of trip: Trip, likes: Int, isLiked: Bool) throws -> Trip {
        try Trip(
            id: trip.id, author: trip.author, content: trip.content, createdAt: trip.createdAt,
            updatedAt: trip.updatedAt, version: trip.version, likeCount: likes, isLiked: isLiked,
            isMine: trip.isMine, thumbnail: trip.thumbnail)
    }
}
