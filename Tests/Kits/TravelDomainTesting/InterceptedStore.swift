import Synchronization
public import TravelDomain

/// A store that intercepts each call, to inject failures and delays into tests of screens and use cases.
///
/// ```swift
/// let offline = InterceptedStore.failing()
/// let flaky = InterceptedStore.failing(InMemoryTripRepository(), at: [.setLiked], times: 1)
/// let slow = InterceptedStore.slow(InMemoryTripRepository(), by: .seconds(2), clock: scheduler.virtualClock)
/// ```
///
/// An observation counts as one call for each value, including the first. Apart from that, the store behaves like its
/// base.
public struct InterceptedStore: ForwardingStore {
    /// The kinds of calls.
    ///
    /// ```swift
    /// let readOnly = InterceptedStore.failing(store, at: [.addTrips, .setLiked, .update])
    /// try await readOnly.search(query)                                  // as the store answers
    /// try await readOnly.setLiked(true, trip: id, by: user)           // throws InterceptedStore.outage
    /// ```
    public enum Call: Hashable, Sendable, CaseIterable {
        /// The calls of `TripRepository`.
        case search, trip, timeline, track, addTrips, setLiked
        /// The calls of `TripEditingRepository`.
        case update
        /// The calls of `TripObservingRepository`.
        case observe, observeTrip, observeTimeline
        /// The calls of `TitleRepository` and `ImageRepository`.
        case titles, image, keepPicture
        /// The calls of `ModerationRepository`.
        case report, block, unblock, blocked
        /// The calls of `UserRepository`.
        case user, isTaken, addUser, rename, setAvatar, removeUser
    }

    private let base: (any TravelStore)?
    private let before: @Sendable (Call) async throws -> Void

    /// Creates a store that calls `before`, and then forwards the call to `base`.
    ///
    /// - Parameters:
    ///   - base: The base store; without one, calls that `before` lets pass throw ``outage``.
    ///   - before: Called for each call, in the task of the caller. The call rethrows its errors: throw
    ///     `TravelError` or `CancellationError`, as repositories do.
    public init(_ base: (any TravelStore)?, before: @escaping @Sendable (Call) async throws -> Void) {
        self.base = base
        self.before = before
    }

    /// Creates a store whose calls fail.
    ///
    /// - Parameters:
    ///   - base: The base store for calls that do not fail.
    ///   - error: The error that failing calls throw; by default a temporary outage.
    ///   - calls: The kinds of calls that fail; by default all.
    ///   - times: The number of such calls that fail before the rest are forwarded; by default unlimited.
    public static func failing(
        _ base: (any TravelStore)? = nil, with error: TravelError = outage, at calls: Set<Call> = Set(Call.allCases),
        times: Int = .max
    ) -> InterceptedStore {
        let failures = Countdown(from: times)
        return InterceptedStore(base) { call in
            if calls.contains(call), failures.decrement() { throw error }
        }
    }

    /// Creates a store whose calls are delayed.
    ///
    /// - Parameters:
    ///   - base: The base store.
    ///   - delay: The delay before a call is forwarded. A call whose task is cancelled in the meantime throws
    ///     `CancellationError` immediately and is not forwarded.
    ///   - clock: The clock that measures the delay, such as that of a test scheduler in virtual time.
    ///   - calls: The kinds of calls that are delayed; by default all.
    public static func slow(
        _ base: any TravelStore, by delay: Duration, clock: any Clock<Duration>,
        at calls: Set<Call> = Set(Call.allCases)
    ) -> InterceptedStore {
        InterceptedStore(base) { call in
            if calls.contains(call) { try await clock.sleep(for: delay) }
        }
    }

    public static let outage = TravelError.unavailable(
        .init("The store cannot be reached.", cause: .unreachable, canRetry: true))

    public func store(for call: Call) async throws -> any TravelStore {
        try await before(call)
        guard let base else { throw Self.outage }
        return base
    }
}

/// Counts down the calls that are still to fail.
private final class Countdown: Sendable {
    private let count: Mutex<Int>

    init(from count: Int) {
        self.count = Mutex(count)
    }

    func decrement() -> Bool {
        count.withLock { count in
            guard count > 0 else { return false }
            count -= 1
            return true
        }
    }
}

/// An observation that calls `before` for each value.
private struct InterceptedSequence<Value: Sendable>: AsyncSequence, Sendable {
    let before: @Sendable () async throws -> any TravelStore
    let values: @Sendable (any TravelStore) -> any AsyncSequence<Value, any Error> & Sendable

    struct Iterator: AsyncIteratorProtocol {
        let sequence: InterceptedSequence
        var base: (any AsyncIteratorProtocol<Value, any Error>)?

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
            let store = try await sequence.before()
            if base == nil {
                let values = sequence.values(store)
                base = values.makeAsyncIterator()
            }
            return try await base?.next(isolation: actor)
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }
}

/// A store that forwards each call to another store, unless the conforming type implements the call itself.
///
/// ```swift
/// struct Likeless: ForwardingStore {
///     let base: any TravelStore
///     func store(for call: InterceptedStore.Call) async throws -> any TravelStore { base }
///     func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws {}
/// }
/// ```
public protocol ForwardingStore: TravelStore {
    /// The store that answers a call; for an observation, asked for each value, including the first.
    ///
    /// - Throws: The error that the call rethrows: `TravelError` or `CancellationError`, as repositories do.
    func store(for call: InterceptedStore.Call) async throws -> any TravelStore

    /// Answers a call that is not an observation with `body`, the call on the other store; by default on that of
    /// ``store(for:)``.
    ///
    /// This is the requirement that a module with the feature `NonisolatedNonsendingByDefault` implements, and the
    /// following one that of a module without: the same declaration means either. A type implements one of them.
    func forward<Value>(
        _ call: InterceptedStore.Call, _ body: nonisolated(nonsending) (any TravelStore) async throws -> Value
    ) async throws -> Value

    func forward<Value: Sendable>(
        _ call: InterceptedStore.Call, _ body: @concurrent (any TravelStore) async throws -> Value
    ) async throws -> Value
}

/// A forwarding store whose calls go to the other store as someone sees it who follows a link.
private struct FollowedLink: ForwardingStore {
    let base: any ForwardingStore
    let key: LinkKey

    func store(for call: InterceptedStore.Call) async throws -> any TravelStore {
        try await base.store(for: call).following(key)
    }

    func following(_ key: LinkKey) -> any TravelStore { base.following(key) }
}

/// A value of a call that a type has forwarded with its own `forward`, whose `body` runs off the caller's actor.
private struct ForwardedValue<Value: Sendable>: ForwardedValueMark, Sendable {
    let value: Value
}

private protocol ForwardedValueMark {}

/// The type has no such `forward` of its own.
private struct NotImplemented: Error {}

extension ForwardingStore {
    public func forward<Value>(
        _ call: InterceptedStore.Call, _ body: nonisolated(nonsending) (any TravelStore) async throws -> Value
    ) async throws -> Value {
        try await body(store(for: call))
    }

    public func forward<Value: Sendable>(
        _ call: InterceptedStore.Call, _ body: @concurrent (any TravelStore) async throws -> Value
    ) async throws -> Value {
        if Value.self is any ForwardedValueMark.Type { throw NotImplemented() }
        let onActor: nonisolated(nonsending) (any TravelStore) async throws -> Value = { try await body($0) }
        return try await forward(call, onActor)
    }

    /// Calls the `forward` that the type implements, in its module's meaning of the declaration. Only one in a module
    /// without the feature runs `body` off the caller's actor, as that module's functions do.
    private func pass<Value: Sendable>(
        _ call: InterceptedStore.Call,
        _ body: nonisolated(nonsending) @escaping @Sendable (any TravelStore) async throws -> Value
    ) async throws -> Value {
        do {
            return try await forward(
                call,
                { @concurrent (store: any TravelStore) async throws -> ForwardedValue<Value> in
                    ForwardedValue(value: try await body(store))
                }
            ).value
        } catch is NotImplemented {
            return try await forward(call, body)
        }
    }

    public func search(_ query: TripQuery) async throws -> TripPage {
        try await pass(.search) { try await $0.search(query) }
    }
    public func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip {
        try await pass(.trip) { try await $0.trip(id, viewer: viewer) }
    }
    public func timeline(of id: Trip.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await pass(.timeline) { try await $0.timeline(of: id, viewer: viewer) }
    }
    public func track(of id: Trip.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await pass(.track) { try await $0.track(of: id, viewer: viewer) }
    }
    public func add(_ trips: [RecordedTrip], images: [TripImage]) async throws {
        try await pass(.addTrips) { try await $0.add(trips, images: images) }
    }
    public func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws {
        try await pass(.setLiked) { try await $0.setLiked(isLiked, trip: id, by: user) }
    }
    @discardableResult
    public func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        try await pass(.update) { try await $0.update(id, expecting: version, by: user, adding: images, change) }
    }
    public func observe(_ query: TripQuery) -> any AsyncSequence<TripPage, any Error> & Sendable {
        observe(.observe) { $0.observe(query) }
    }
    public func observeTrip(
        _ id: Trip.ID, viewer: User.ID?
    ) -> any AsyncSequence<Trip, any Error> & Sendable {
        observe(.observeTrip) { $0.observeTrip(id, viewer: viewer) }
    }
    public func observeTimeline(
        of id: Trip.ID, day: Int?, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        observe(.observeTimeline) { $0.observeTimeline(of: id, day: day, viewer: viewer) }
    }
    public func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try await pass(.titles) { try await $0.titles(containing: text, viewer: viewer, limit: limit) }
    }
    public func image(_ id: TripImage.ID, viewer: User.ID?) async throws -> TripImage {
        try await pass(.image) { try await $0.image(id, viewer: viewer) }
    }
    public func picture(_ id: TripImage.ID, in size: PictureSize?, viewer: User.ID?) async throws -> StoredPicture {
        try await pass(.image) { try await $0.picture(id, in: size, viewer: viewer) }
    }
    public func keep(_ picture: Data, of image: TripImage, in size: PictureSize) async throws {
        try await pass(.keepPicture) { try await $0.keep(picture, of: image, in: size) }
    }
    @discardableResult
    public func report(_ trip: Trip.ID, by user: User.ID, at time: Date) async throws -> Bool {
        try await pass(.report) { try await $0.report(trip, by: user, at: time) }
    }
    @discardableResult
    public func block(_ author: User.ID, by user: User.ID) async throws -> Bool {
        try await pass(.block) { try await $0.block(author, by: user) }
    }
    public func unblock(_ author: User.ID, by user: User.ID) async throws {
        try await pass(.unblock) { try await $0.unblock(author, by: user) }
    }
    public func blocked(by user: User.ID) async throws -> [User] {
        try await pass(.blocked) { try await $0.blocked(by: user) }
    }
    public func user(_ id: User.ID) async throws -> User { try await pass(.user) { try await $0.user(id) } }
    public func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
        try await pass(.isTaken) { try await $0.isTaken(nickname, exceptBy: user) }
    }
    public func add(_ user: User) async throws { try await pass(.addUser) { try await $0.add(user) } }
    public func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        try await pass(.rename) { try await $0.rename(id, to: nickname, by: user) }
    }
    public func setAvatar(_ image: TripImage?, of id: User.ID, by user: User.ID) async throws {
        try await pass(.setAvatar) { try await $0.setAvatar(image, of: id, by: user) }
    }
    public func removeUser(_ id: User.ID, by user: User.ID) async throws {
        try await pass(.removeUser) { try await $0.removeUser(id, by: user) }
    }

    /// The stores that answer calls, each as someone sees it who follows the link.
    public func following(_ key: LinkKey) -> any TravelStore { FollowedLink(base: self, key: key) }

    private func observe<Value: Sendable>(
        _ call: InterceptedStore.Call,
        _ values: @escaping @Sendable (any TravelStore) -> any AsyncSequence<Value, any Error> & Sendable
    ) -> any AsyncSequence<Value, any Error> & Sendable {
        InterceptedSequence(before: { try await store(for: call) }, values: values)
    }
}
