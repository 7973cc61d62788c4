import Foundation
import TestTurns
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Contract of caches", .takesTurns)
struct TravelCacheContractTests {
    enum Flaw: CaseIterable {
        case timelinesForgotten, contentWithoutTimelineStored, likesIgnored, ownLikeIgnored, missingKept, peopleIgnored
        case missingPeopleKept, blocksIgnored, imagesIgnored, timesIgnored, bytesAlwaysKnown
        case picturesIgnored, likeOfUnknownIgnored, blocksOfUnknownIgnored, blockKept
    }

    @Test(
        "a cache with a flaw fails the check for it",
        arguments: [
            (Flaw.timelinesForgotten, "cache: a travel that was fetched with its timeline is complete"),
            (
                .contentWithoutTimelineStored,
                "cache: a new version without its timeline does not replace the content of a complete travel"
            ),
            (.likesIgnored, "cache: likes of unknown people count, and order the travels"),
            (.ownLikeIgnored, "cache: the viewer's own like is that of the answer"),
            (.likeOfUnknownIgnored, "cache: the like of a viewer whose own profile is unknown is stored"),
            (.blocksOfUnknownIgnored, "cache: the blocks by a person whose own profile is unknown are stored"),
            (.blockKept, "cache: a travel that the viewer sees ends their block of its author, and no other block"),
            (.missingKept, "cache: a missing travel is removed, and an unknown one is ignored"),
            (.peopleIgnored, "cache: people are stored with the nicknames of the answer, which need not be unique"),
            (.missingPeopleKept, "cache: a missing person is removed with everything they own"),
            (.blocksIgnored, "cache: the blocks by a person are those of the answer"),
            (.imagesIgnored, "cache: images are known by their IDs first, and with their bytes once they were fetched"),
            (
                .bytesAlwaysKnown,
                "cache: images are known by their IDs first, and with their bytes once they were fetched"
            ),
            (
                .picturesIgnored,
                "cache: the picture of a person is known by its ID first, and with its bytes once they were fetched"
            ),
            (
                .bytesAlwaysKnown,
                "cache: the picture of a person is known by its ID first, and with its bytes once they were fetched"
            ),
            (
                .imagesIgnored,
                "cache: the picture of a person is known by its ID first, and with its bytes once they were fetched"
            ),
            (.timesIgnored, "cache: the time of the last answer to a question is stored"),
        ])
    func flawIsFound(flaw: Flaw, check: String) async throws {
        let expected = try #require(TravelCacheContract.checks.first { $0.id == check }, "unknown check")
        await #expect("\(flaw) goes unnoticed") {
            try await expected.run { FlawedCache(flaw: flaw) }
        } throws: { error in
            (error as? ContractViolation)?.check == check
        }
    }

    @Test("the names of the checks are unique")
    func namesAreUnique() {
        let names = TravelCacheContract.checks.map(\.id)
        #expect(Set(names).count == names.count)
    }
}

/// A store in memory that loses a part of what was fetched.
private struct FlawedCache: ForwardingStore, TravelCache {
    let sound = InMemoryTravelRepository()
    let flaw: TravelCacheContractTests.Flaw

    func store(_ fetched: FetchedTravels) async throws {
        var fetched = fetched
        switch flaw {
        case .timelinesForgotten: fetched.timelines = [:]
        case .contentWithoutTimelineStored:
            for travel in fetched.travels where fetched.timelines[travel.id] == nil {
                fetched.timelines[travel.id] = []
            }
        case .likesIgnored:
            fetched.travels = try fetched.travels.map { try copy(of: $0, likes: 0, isLiked: $0.isLiked) }
        case .ownLikeIgnored:
            fetched.travels = try fetched.travels.map { try copy(of: $0, likes: $0.likeCount, isLiked: false) }
        case .missingKept: fetched.missingTravels = []
        case .peopleIgnored: fetched.people = []
        case .picturesIgnored: fetched.people = fetched.people.map { User(id: $0.id, nickname: $0.nickname) }
        case .missingPeopleKept: fetched.missingPeople = []
        case .blocksIgnored: fetched.blocked = [:]
        case .imagesIgnored: fetched.images = []
        case .timesIgnored: fetched.answers = [:]
        case .likeOfUnknownIgnored:
            if let viewer = fetched.viewer, try await !isKnown(viewer) {
                fetched.travels = try fetched.travels.map { try copy(of: $0, likes: $0.likeCount, isLiked: false) }
            }
        case .blocksOfUnknownIgnored:
            for person in fetched.blocked.keys where try await !isKnown(person) { fetched.blocked[person] = nil }
        case .blockKept:
            guard let viewer = fetched.viewer else { break }
            let blocked = try await sound.blocked(by: viewer)
            try await sound.store(fetched)
            for author in blocked { try await sound.block(author.id, by: viewer) }
            return
        case .bytesAlwaysKnown: break
        }
        try await sound.store(fetched)
    }

    private func isKnown(_ person: User.ID) async throws -> Bool {
        do { return try await sound.user(person).id == person } catch TravelError.notFound { return false }
    }

    func lastAnswer(to question: String) async throws -> Date? { try await sound.lastAnswer(to: question) }
    func knowledge(of id: Travel.ID) async throws -> TravelKnowledge { try await sound.knowledge(of: id) }

    func lacksBytes(of image: TravelImage.ID) async throws -> Bool {
        let lacks = try await sound.lacksBytes(of: image)
        return lacks && flaw != .bytesAlwaysKnown
    }

    private func copy(of travel: Travel, likes: Int, isLiked: Bool) throws -> Travel {
        try Travel(
            id: travel.id, author: travel.author, content: travel.content, createdAt: travel.createdAt,
            updatedAt: travel.updatedAt, version: travel.version, likeCount: likes, isLiked: isLiked,
            isMine: travel.isMine, thumbnail: travel.thumbnail)
    }
}
