import Synchronization
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

/// A store that forwards every call to a correct store by default.
protocol ForwardingStore: TravelRepository, TravelEditingRepository, TravelObservingRepository, TitleRepository,
    ImageRepository, ModerationRepository, UserRepository
{
    var sound: InMemoryTravelRepository { get }
}

extension ForwardingStore {
    func search(_ query: TravelQuery) async throws -> TravelPage { try await sound.search(query) }
    func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel { try await sound.travel(id, viewer: viewer) }
    func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await sound.timeline(of: id, viewer: viewer)
    }
    func track(of id: Travel.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await sound.track(of: id, viewer: viewer)
    }
    func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws {
        try await sound.add(travels, images: images)
    }
    func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        try await sound.setLiked(isLiked, travel: id, by: user)
    }
    func update(
        _ id: Travel.ID, expecting version: TravelVersion?, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws -> RecordedTravel? {
        try await sound.update(id, expecting: version, by: user, adding: images, change)
    }
    func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try await sound.titles(containing: text, viewer: viewer, limit: limit)
    }
    func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage {
        try await sound.image(id, viewer: viewer)
    }
    func report(_ travel: Travel.ID, by user: User.ID) async throws -> Bool {
        try await sound.report(travel, by: user)
    }
    func block(_ author: User.ID, by user: User.ID) async throws -> Bool { try await sound.block(author, by: user) }
    func unblock(_ author: User.ID, by user: User.ID) async throws { try await sound.unblock(author, by: user) }
    func blocked(by user: User.ID) async throws -> [User] { try await sound.blocked(by: user) }
    func user(_ id: User.ID) async throws -> User { try await sound.user(id) }
    func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
        try await sound.isTaken(nickname, exceptBy: user)
    }
    func add(_ user: User) async throws { try await sound.add(user) }
    func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        try await sound.rename(id, to: nickname, by: user)
    }
    func setAvatar(_ image: TravelImage?, of id: User.ID, by user: User.ID) async throws {
        try await sound.setAvatar(image, of: id, by: user)
    }
    func removeUser(_ id: User.ID, by user: User.ID) async throws { try await sound.removeUser(id, by: user) }
}

extension ForwardingStore {
    func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable { sound.observe(query) }
    func observeTravel(_ id: Travel.ID, viewer: User.ID?) -> any AsyncSequence<Travel, any Error> & Sendable {
        sound.observeTravel(id, viewer: viewer)
    }
    func observeTimeline(
        of id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        sound.observeTimeline(of: id, viewer: viewer)
    }
    func observeTimeline(
        of id: Travel.ID, day: Int, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        sound.observeTimeline(of: id, day: day, viewer: viewer)
    }
}

/// Expects a subject with a flaw to fail the given check.
func expectViolation<Subject>(
    of check: String, among checks: [ContractCheck<Subject>], _ make: @Sendable () async throws -> Subject
) async throws {
    guard let expected = checks.first(where: { $0.id == check }) else { throw NoSuchCheck(id: check) }
    do {
        try await expected.run(make)
    } catch let violation as ContractViolation where violation.check == check {
        return
    }
    throw Unnoticed(check: check)
}

struct NoSuchCheck: Error {
    let id: String
}

struct Unnoticed: Error {
    let check: String
}

extension Collection {
    /// Whether one of these checks fails; stops at the first failure.
    func hasViolation<Subject>(
        of make: @Sendable () async throws -> Subject
    ) async throws -> Bool where Element == ContractCheck<Subject> {
        for check in self {
            do {
                try await Shrinking.$isOn.withValue(false) { try await check.run(make) }
            } catch is ContractViolation {
                return true
            }
        }
        return false
    }
}

/// A clock whose sleeps end immediately, unless their task is cancelled.
final class RecordingClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let slept = Mutex<[Duration]>([])

    var sleeps: [Duration] { slept.withLock { $0 } }
    var now: Instant { Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        slept.withLock { $0.append(deadline.offset) }
    }
}
