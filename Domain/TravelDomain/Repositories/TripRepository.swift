/// Stores trips.
///
/// Every function throws ``TravelError/unavailable(_:)`` when the store cannot answer, and `CancellationError` when its
/// task is cancelled before the answer is available; a call that throws changes nothing. `TripRepositoryContract` in
/// `TravelDomainTesting` checks an implementation against this documentation.
///
/// What is read equals what was saved, times included: a store keeps each `Date` to its last bit, in memory, in a column of
/// floating point numbers, or in JSON. No entity rounds its times, and no store does.
///
/// ```swift
/// try await repository.add([trip], images: [])
/// try await repository.setLiked(true, trip: trip.id, by: trip.author.id)
/// try await repository.trip(trip.id, viewer: nil).likeCount    // 1
/// ```
public protocol TripRepository: Sendable {
    /// Returns one page of the trips that meet the criteria, in the order of the query: those whose title contains the
    /// keyword before those that only an entry finds (``TripMatch``), which the page names.
    ///
    /// Following ``TripPage/next`` to the end returns each trip that exists throughout exactly once, and each
    /// trip that is added in between at most once, regardless of other additions and removals. In the order of
    /// likes, this holds for trips whose number of likes does not change in between, in the order of dates for those whose
    /// first day does not change, and in a search by keyword for those whose texts keep their ``TripMatch/Rank``: otherwise a
    /// trip moves to another position.
    func search(_ query: TripQuery) async throws -> TripPage

    /// Returns the trip as `viewer` sees it.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such trip, or when `viewer` does not see it
    ///   according to ``Visibility``.
    func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip

    /// Returns the timeline of a trip, ordered by day and then by time; at one time in the order in which the entries were
    /// written or moved to.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such trip, or when `viewer` does not see it.
    func timeline(of id: Trip.ID, viewer: User.ID?) async throws -> [TimelineEntry]

    /// Returns the way of the recorded track of a trip; `nil` if it was not imported from one.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such trip, or when `viewer` does not see it.
    func track(of id: Trip.ID, viewer: User.ID?) async throws -> TrackGeometry?

    /// Returns a trip with its timeline and track as `viewer` sees them: all belong to one version. An implementation that
    /// reads them at once replaces the one here, which reads them one after the other.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such trip, or when `viewer` does not see it.
    func details(of id: Trip.ID, viewer: User.ID?) async throws -> TripDetails

    /// Adds complete trips, all or none, with their versions, times and tracks.
    ///
    /// Unknown authors are added too, without a picture; a known author keeps their nickname and their picture,
    /// whatever the trip says. Of `images`, those that a trip shows are stored. The ID of a removed trip, whose links may
    /// still be in use, stays that of its author: they can add it again.
    ///
    /// - Throws: ``TravelError/conflict(_:)`` when a trip, an entry or an image with the same ID already exists, or a
    ///   trip of another author had the ID; ``TravelError/notFound(_:)`` when a trip shows an image that is not among `images`.
    func add(_ trips: [RecordedTrip], images: [TripImage]) async throws

    /// Sets whether `user` likes the trip. The call is idempotent.
    ///
    /// A like can be taken back even if the trip is hidden from `user` by now.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` with the trip when there is none, or when `user` does not see it,
    ///   except to take back a like that they gave; with the user when there is no such user.
    func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws
}

extension TripRepository {
    /// Adds complete trips without images, as ``add(_:images:)`` does.
    ///
    /// - Throws: The errors of ``add(_:images:)``.
    public func add(_ trips: [RecordedTrip]) async throws {
        try await add(trips, images: [])
    }
}

extension TripRepository {
    public func details(of id: Trip.ID, viewer: User.ID?) async throws -> TripDetails {
        var before = try await trip(id, viewer: viewer)
        while true {
            let timeline = try await timeline(of: id, viewer: viewer)
            let track = try await track(of: id, viewer: viewer)
            // Both were read between two reads of the trip: if they have the same version, so have they.
            let after = try await trip(id, viewer: viewer)
            if after.version == before.version { return TripDetails(trip: after, timeline: timeline, track: track) }
            before = after
        }
    }
}

/// Observes trips.
///
/// Each sequence emits the current value first, and then a new value after each change that affects it. Consecutive
/// values are never equal, and a slow consumer receives only the latest value. A sequence ends when the task that
/// iterates over it is cancelled, or after it has thrown ``TravelError`` under the conditions of the corresponding lookup.
/// Each iterator observes independently. An implementation subscribes to its changes before it reads the first value,
/// because a change in between would be lost. `TripObservingContract` in `TravelDomainTesting` checks an
/// implementation.
///
/// ```swift
/// for try await trip in trips.observeTrip(id, viewer: me) {
///     show(trip.likeCount)
/// }
/// ```
public protocol TripObservingRepository: Sendable {
    /// Observes one page of a search: now, and again after each change of its trips, or of the entries that it names.
    func observe(_ query: TripQuery) -> any AsyncSequence<TripPage, any Error> & Sendable

    /// Observes one trip as `viewer` sees it; throws ``TravelError/notFound(_:)`` when `viewer` no longer sees it.
    func observeTrip(_ id: Trip.ID, viewer: User.ID?) -> any AsyncSequence<Trip, any Error> & Sendable

    /// Observes the timeline of a trip, or one day of it, ordered by time. Changes to other days do not emit a value.
    ///
    /// The value is empty for a day without entries. The sequence throws ``TravelError/notFound(_:)`` when `viewer` no
    /// longer sees the trip.
    ///
    /// `day` is 1-based; `nil` observes all days.
    func observeTimeline(
        of id: Trip.ID, day: Int?, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable
}

/// Changes and removes trips.
///
/// Every function throws ``TravelError/unavailable(_:)`` when the store cannot answer, and `CancellationError`; a call
/// that throws changes nothing. `TripEditingContract` in `TravelDomainTesting` checks an implementation.
///
/// ```swift
/// try await repository.update(id, by: author) { _ in nil }    // removes the trip
/// ```
public protocol TripEditingRepository: Sendable {
    /// Replaces a trip with the result of `change`; a result of `nil` removes it with its timeline, images and likes.
    ///
    /// The store changes what ``RecordedTrip/revision(of:)`` defines: the ID, the author, the time of recording and
    /// the likes stay the same, whatever `change` returns, and a result with other content, another timeline or another track
    /// increases the version by one. Of `images`, those that the changed trip shows are stored; images that it no
    /// longer shows are removed.
    ///
    /// No other change to the trip takes effect between the call of `change` whose result is stored and the storing,
    /// so that the checks of `change` hold. It may run more than once, with the trip as it is then, and only its last
    /// result counts: it must depend on its argument only, and have no other effect.
    ///
    /// - Parameters:
    ///   - id: The ID of the trip.
    ///   - version: The version that the trip must have; `nil` for any.
    ///   - user: The user who edits.
    ///   - images: New images that the result may show.
    ///   - change: Returns the changed trip.
    /// - Returns: The trip as it is stored now; `nil` when it was removed.
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such trip, when `user` does not see it, or when it would show
    ///   an image that it neither has nor finds in `images`; ``TravelError/forbidden(_:)`` when `user` sees it and is not its
    ///   author, and then ``TravelError/outdated(_:)`` when it has another version, both before `change` is called;
    ///   ``TravelError/conflict(_:)`` when a new entry or image has the ID of one in another trip; any error that
    ///   `change` throws; `CancellationError`.
    @discardableResult
    func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip?
}

extension TripEditingRepository {
    /// Changes or removes any version of a trip, by default without adding images, as
    /// ``update(_:expecting:by:adding:_:)`` does.
    ///
    /// - Throws: The errors of ``update(_:expecting:by:adding:_:)``.
    @discardableResult
    public func update(
        _ id: Trip.ID, by user: User.ID, adding images: [TripImage] = [],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        try await update(id, expecting: nil, by: user, adding: images, change)
    }
}

extension TripEditingRepository {
    /// Changes a trip, and returns it as it is stored now.
    ///
    /// If the trip has another version than the expected one, but already has the content that the user wants,
    /// returns it: the call repeats an edit whose answer was lost.
    ///
    /// - Throws: The errors of ``update(_:expecting:by:adding:_:)``.
    func edit(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage] = [],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip,
        isDone: (RecordedTrip) -> Bool
    ) async throws -> RecordedTrip {
        do {
            let changed = try await update(id, expecting: version, by: user, adding: images) {
                trip throws(TravelError) in
                try trip.requireAuthor(user)
                return try change(trip)
            }
            guard let changed else { throw TravelError.notFound(.trip(id)) }
            return changed
        } catch TravelError.outdated(let trip) where isDone(trip) {
            return trip
        }
    }
}

/// Reads trips for those who follow a link.
///
/// ```swift
/// try await trips.trip(id, viewer: nil)                    // throws TravelError.notFound: it is shared by link
/// try await trips.following(key).trip(id, viewer: nil)     // the trip, as long as its link has this key
/// ```
public protocol LinkFollowing: Sendable {
    /// Returns this store as someone sees it who presents the key of a link.
    ///
    /// Lookups and observations of a trip, of its parts and of its images also see the trip whose audience has that key
    /// (``Audience/byLink(_:)``), and so the viewer can like and report it. An observation throws
    /// ``TravelError/notFound(_:)`` as soon as the trip has the key no longer. Everything else is as without a key: searches
    /// and titles do not have the trip.
    func following(_ key: LinkKey) -> any TravelStore
}

/// The protocols that one store of trips implements.
///
/// These protocols belong together, because their contracts depend on each other: visibility follows from audiences, reports
/// and blocks, and applies to searches, observations, titles and images; an image is stored with its trip; removing a
/// user removes everything they own; a new nickname appears on all trips. They can only be swapped together.
///
/// The other protocols are independent, and each can be swapped alone: ``PlaceRepository``, ``SessionRepository``,
/// ``IdentityProvider`` and ``RecentKeywordRepository``.
///
/// `TravelStoreContract` in `TravelDomainTesting` checks a store: its parts, and all of them together.
public typealias TravelStore = TripRepository & TripEditingRepository & TripObservingRepository & UserRepository
    & ModerationRepository & TitleRepository & ImageRepository & LinkFollowing
