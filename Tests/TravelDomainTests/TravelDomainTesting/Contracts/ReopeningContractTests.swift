import Synchronization
import TestTurns
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Contract of reopened stores", .takesTurns)
struct ReopeningContractTests {
    enum Flaw: CaseIterable {
        case everythingIsForgotten, likesAreForgotten, editsAreForgotten, removalsAreForgotten, imagesAreForgotten
        case blocksAreForgotten, picturesAreForgotten, pagesBeginEmpty
    }

    @Test(
        "storage with a flaw fails the check for it",
        arguments: [
            (Flaw.likesAreForgotten, "reopening: a travel, its timeline, its images and its likes are there"),
            (.imagesAreForgotten, "reopening: a travel, its timeline, its images and its likes are there"),
            (.editsAreForgotten, "reopening: edits keep their versions, and an edit of an earlier one is outdated"),
            (.removalsAreForgotten, "reopening: a removed travel stays removed, and can be added again without likes"),
            (.everythingIsForgotten, "reopening: a cursor continues the pages of the store before"),
            (.pagesBeginEmpty, "reopening: an observation begins with what was stored before"),
            (
                .picturesAreForgotten,
                "reopening: people keep their nicknames and pictures, and removed ones stay removed"
            ),
            (.blocksAreForgotten, "reopening: reports and blocks still hide travels, and are no new ones"),
            (
                .everythingIsForgotten,
                "reopening: operations of seed 1 have the results of plain lists, however often the store is opened"
            ),
        ])
    func flawIsFound(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: ReopeningContract.checks) { FlawedStorage(flaw).reopenable }
    }

    @Test("every check fails for storage that keeps nothing")
    func nothingIsKept() async throws {
        let violations = try await ReopeningContract.checks.violations {
            FlawedStorage(.everythingIsForgotten).reopenable
        }
        #expect(violations.count == ReopeningContract.checks.count)
    }

    @Test("storage without a flaw passes every check")
    func withoutFlawEveryCheckPasses() async throws {
        #expect(try await ReopeningContract.checks.violations { FlawedStorage(nil).reopenable } == [])
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

    @Test("the names of the checks are unique")
    func namesAreUnique() {
        let names = ReopeningContract.checks.map(\.id)
        #expect(Set(names).count == names.count)
    }
}

/// Storage in memory whose stores forget something when the next one is opened.
private final class FlawedStorage: Sendable {
    private let flaw: ReopeningContractTests.Flaw?
    private let state = Mutex((opened: 0, whole: InMemoryTravelRepository()))

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
            if flaw == .everythingIsForgotten { state.whole = InMemoryTravelRepository() }
            let isFirst = state.opened == 1
            let losesEdits = isFirst && (flaw == .removalsAreForgotten || flaw == .editsAreForgotten)
            return ForgetfulStore(sound: state.whole, flaw: isFirst ? nil : flaw, losesEdits: losesEdits)
        }
    }
}

/// A store that was opened again, and has forgotten something.
private struct ForgetfulStore: ForwardingStore {
    let sound: InMemoryTravelRepository
    let flaw: ReopeningContractTests.Flaw?
    /// Whether its edits and removals do not reach the storage.
    let losesEdits: Bool

    func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel {
        let travel = try await sound.travel(id, viewer: viewer)
        guard flaw == .likesAreForgotten else { return travel }
        return try Travel(
            id: travel.id, author: travel.author, content: travel.content, createdAt: travel.createdAt,
            updatedAt: travel.updatedAt, version: travel.version, likeCount: 0, isLiked: false, isMine: travel.isMine,
            thumbnail: travel.thumbnail)
    }

    func update(
        _ id: Travel.ID, expecting version: TravelVersion?, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws -> RecordedTravel? {
        if losesEdits { return nil }
        return try await sound.update(id, expecting: version, by: user, adding: images, change)
    }

    func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage {
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

    func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable {
        let pages = sound.observe(query)
        guard flaw == .pagesBeginEmpty else { return pages }
        return AsyncThrowingStream<TravelPage, any Error> { continuation in
            continuation.yield(TravelPage(travels: [], next: nil))
            continuation.finish()
        }
    }
}
