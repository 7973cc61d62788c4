/// Observes a trip with its timeline, as the signed-in user sees them.
///
/// ```swift
/// let showTrip = ShowTrip(trips: trips, session: session)
/// for try await details in showTrip(id) {
///     show(details.trip.title, details.timeline)
/// }
/// ```
public struct ShowTrip: Sendable {
    private let trips: any TripRepository & TripObservingRepository
    private let session: any SessionRepository

    public init(trips: any TripRepository & TripObservingRepository, session: any SessionRepository) {
        self.trips = trips
        self.session = session
    }

    /// Observes the trip: emits it first as it is now, and then after each change of its content, its timeline, its
    /// likes or the nickname of its author.
    ///
    /// The viewer is the signed-in user when the iteration begins, if there is one. The trip and the timeline of a
    /// value belong to one version. Consecutive values are never equal, and a slow consumer receives only the latest
    /// value. The sequence throws ``TravelError/notFound(_:)`` when the viewer no longer sees the trip, and other
    /// errors of the repositories; it ends when the task that iterates over it is cancelled.
    public func callAsFunction(_ id: Trip.ID) -> any AsyncSequence<TripDetails, any Error> & Sendable {
        DeferredSequence<ViewedTrip, TripDetails>(
            make: { [trips, session] in
                let viewer = try await session.session()?.user
                return Self.viewed(trips.observeTrip(id, viewer: viewer), by: viewer)
            },
            complete: { [trips] viewed, last in
                // A like changes neither the timeline nor the track. (A trip that was removed and added again has other times.)
                if let last, last.trip.hasTimeline(of: viewed.trip) {
                    return TripDetails(trip: viewed.trip, timeline: last.timeline, track: last.track)
                }
                return try await trips.details(of: viewed.trip.id, viewer: viewed.viewer)
            })
    }

    private static func viewed(
        _ trips: some AsyncSequence<Trip, any Error> & Sendable, by viewer: User.ID?
    ) -> any AsyncSequence<ViewedTrip, any Error> & Sendable {
        trips.map { ViewedTrip(trip: $0, viewer: viewer) }
    }
}

extension Trip {
    /// Whether this is the same version of the same recording as `other`.
    fileprivate func hasTimeline(of other: Trip) -> Bool {
        (version, createdAt, updatedAt) == (other.version, other.createdAt, other.updatedAt)
    }
}

/// A trip and the user who sees it.
private struct ViewedTrip: Sendable {
    let trip: Trip
    let viewer: User.ID?
}

/// Records a new trip: its author is the signed-in user, its time is now, and its timeline is empty.
///
/// ```swift
/// let recordTrip = RecordTrip(trips: trips, users: users, session: session, now: { clock.now })
/// let trip = try await recordTrip(content)
/// ```
///
/// ``ImportTrack`` creates a trip from a recorded track instead.
public struct RecordTrip: Sendable {
    private let trips: any TripRepository
    private let users: any UserRepository
    private let session: any SessionRepository
    private let review: any ImageReview
    private let now: @Sendable () -> Date

    public init(
        trips: any TripRepository, users: any UserRepository, session: any SessionRepository,
        review: any ImageReview = .everyImage, now: @escaping @Sendable () -> Date
    ) {
        self.trips = trips
        self.users = users
        self.session = session
        self.review = review
        self.now = now
    }

    /// Creates a trip, stores it, and returns it.
    ///
    /// To try again after a lost answer, repeat the call with the same ID and the same content: it returns the stored
    /// trip, and there is no second one.
    ///
    /// `thumbnail` is the image of the content's ``TripContent/thumbnail``.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when the signed-in
    ///   user has no account, or when the content's thumbnail is not `thumbnail`; ``TravelError/conflict(_:)`` when a
    ///   trip with this ID exists that has other content or another author; the errors of the review; other errors
    ///   of the repositories; `CancellationError`. Nothing is stored in any of these cases.
    public func callAsFunction(
        _ content: TripContent, id: Trip.ID = Trip.ID(), adding thumbnail: TripImage? = nil
    ) async throws -> RecordedTrip {
        let author = try await users.user(session.requireUser())
        if let thumbnail { try await review.review(thumbnail) }
        let trip = try RecordedTrip(id: id, author: author, createdAt: now(), content: content, timeline: [])
        do {
            try await trips.add([trip], images: thumbnail.map { [$0] } ?? [])
            return trip
        } catch TravelError.conflict(.trip(id)) {
            guard let stored = try await trips.recorded(id, by: author.id), stored.content == content else {
                throw TravelError.conflict(.trip(id))
            }
            return stored
        }
    }
}

extension TripRepository {
    /// The stored trip, if `author` has recorded it.
    fileprivate func recorded(_ id: Trip.ID, by author: User.ID) async throws -> RecordedTrip? {
        do {
            let details = try await details(of: id, viewer: author)
            return details.trip.author.id == author ? try details.recorded : nil
        } catch TravelError.notFound(.trip(id)) {
            // It is hidden from this user, or was removed in the meantime.
            return nil
        }
    }
}

/// Stores a whole trip that a device has recorded or changed: for a server that devices synchronise with.
///
/// ```swift
/// let publish = PublishTrip(trips: trips, users: users, session: session, now: { clock.now })
/// try await publish(trip, replacing: nil).isNew              // true
/// try await publish(trip, replacing: nil).isNew              // false: the answer was lost, and the device repeats it
/// try await publish(edited, replacing: trip.version).trip.version    // the next one
/// ```
public struct PublishTrip: Sendable {
    private let trips: any TripRepository & TripEditingRepository
    private let users: any UserRepository
    private let session: any SessionRepository
    private let review: any ImageReview
    private let now: @Sendable () -> Date

    /// How far the times of a trip may be ahead of now, in seconds: one day, because clocks of devices differ.
    public static let toleratedAdvance: TimeInterval = 86_400
    /// The largest version of a trip to add. Edits increase it, and must not reach one that nobody can read: JSON has
    /// whole numbers up to 2^53.
    public static let largestVersion = 1 << 52

    public init(
        trips: any TripRepository & TripEditingRepository, users: any UserRepository,
        session: any SessionRepository, review: any ImageReview = .everyImage, now: @escaping @Sendable () -> Date
    ) {
        self.trips = trips
        self.users = users
        self.session = session
        self.review = review
        self.now = now
    }

    /// Adds the trip, or replaces the version that the device has seen, and returns the trip as it is stored now.
    ///
    /// Adding keeps the times and the version of the trip; replacing changes what ``RecordedTrip/revision(of:)``
    /// defines. The author appears as they are known here, whatever the trip says. A repeat after a lost answer, with the
    /// same content, timeline and track, returns the stored trip and changes nothing.
    ///
    /// - Parameters:
    ///   - trip: The trip of the signed-in user.
    ///   - version: The version to replace; `nil` to add the trip.
    ///   - images: The new images that the trip shows.
    ///   - keepsAudience: Whether a trip to replace keeps the audience that it has, whatever the trip says: the device does
    ///     not know of audiences.
    ///   - keepsPictures: Whether the entries of a trip to replace keep the pictures behind their first one
    ///     (`keepingFurtherPictures(of:)`): the device knows of one picture an entry.
    ///   - isSeen: Whether the stored trip of that version is the one that the device has seen: after a restored backup,
    ///     a version may have another content.
    /// - Returns: The stored trip, and whether this call has added it.
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/forbidden(_:)`` when someone else is
    ///   the author; ``TravelError/notFound(_:)`` when the signed-in user has no account, when there is no trip to
    ///   replace, or none that they see, or when it shows an image that is neither stored with it nor among `images`;
    ///   ``TravelError/conflict(_:)`` when a trip to add exists with something else in it, or when an entry or an image
    ///   belongs to another trip; ``TravelError/outdated(_:)`` when the trip has another version and other content;
    ///   ``TravelError/invalid(_:)`` when its times are more than ``toleratedAdvance`` ahead, or a trip to add has a
    ///   version above ``largestVersion``; the errors of the review; other errors of the repositories;
    ///   `CancellationError`. Nothing is stored in any of these cases.
    public func callAsFunction(
        _ trip: RecordedTrip, replacing version: TripVersion?, adding images: [TripImage] = [],
        keepingAudience keepsAudience: Bool = false, keepingPictures keepsPictures: Bool = false,
        ifSeen isSeen: @escaping @Sendable (RecordedTrip) -> Bool = { _ in true }
    ) async throws -> (trip: RecordedTrip, isNew: Bool) {
        let user = try await session.requireUser()
        try trip.requireAuthor(user)
        // Of a trip to replace, the time of recording stays as it is.
        let latest = version == nil ? max(trip.createdAt, trip.updatedAt) : trip.updatedAt
        guard latest <= now().addingTimeInterval(Self.toleratedAdvance) else {
            throw TravelError.invalid(.init(.date, .outOfRange("at most one day ahead of now")))
        }
        let shown = Set(trip.images)
        let new = images.filter { shown.contains($0.id) }
        for image in new { try await review.review(image) }
        let published = { @Sendable (stored: RecordedTrip) throws(TravelError) in
            let known = keepsAudience ? try trip.with(stored.content.audience) : trip
            return keepsPictures
                ? try known.with(timeline: trip.timeline.keepingFurtherPictures(of: stored.timeline)) : known
        }
        guard let version else { return try await add(trip, new, published) }
        let stored = try await trips.edit(trip.id, expecting: version, by: user, adding: new) {
            stored throws(TravelError) in
            guard isSeen(stored) else { throw .outdated(stored) }
            return try published(stored)
        } isDone: {
            // The trip is valid with any audience, and with the pictures that are stored.
            (try? published($0)).map($0.hasParts) ?? false
        }
        return (stored, false)
    }

    private func add(
        _ trip: RecordedTrip, _ images: [TripImage],
        _ published: (_ stored: RecordedTrip) throws(TravelError) -> RecordedTrip
    ) async throws -> (trip: RecordedTrip, isNew: Bool) {
        guard trip.version.number <= Self.largestVersion else {
            throw TravelError.invalid(.init(.version, .outOfRange("at most \(Self.largestVersion)")))
        }
        let author = try await users.user(trip.author.id)
        let new = try trip.with(author: author)
        do {
            try await trips.add([new], images: images)
            return (new, true)
        } catch TravelError.conflict(let subject) {
            // A repeat has the entries and the images in common, too.
            guard let stored = try await trips.recorded(trip.id, by: author.id),
                stored.hasParts(of: try published(stored))
            else { throw TravelError.conflict(subject) }
            return (stored, false)
        }
    }
}

extension RecordedTrip {
    /// Whether its content, timeline and track are those of `other`.
    fileprivate func hasParts(of other: RecordedTrip) -> Bool {
        (content, timeline, track) == (other.content, other.timeline, other.track)
    }
}

/// Changes the content of a trip: its title, its dates and everything that searches filter by.
///
/// Only the author can do this. The dates must still include every entry of the timeline; otherwise the error lists the
/// entries after the last day.
///
/// ```swift
/// let editTrip = EditTrip(trips: trips, session: session, now: { clock.now })
/// do {
///     trip = try await editTrip(id, content, expecting: trip.version)
/// } catch TravelError.outdated(let current) {
///     show(current, besides: content)    // another device was faster
/// }
/// ```
public struct EditTrip: Sendable {
    private let trips: any TripEditingRepository
    private let session: any SessionRepository
    private let review: any ImageReview
    private let now: @Sendable () -> Date

    public init(
        trips: any TripEditingRepository, session: any SessionRepository, review: any ImageReview = .everyImage,
        now: @escaping @Sendable () -> Date
    ) {
        self.trips = trips
        self.session = session
        self.review = review
        self.now = now
    }

    /// Replaces the content of the trip, and returns the trip as it is stored now.
    ///
    /// Repeating an edit has no further effect, even if it expects the version before it.
    ///
    /// `thumbnail` is the image of the content's ``TripContent/thumbnail``, if it is new, and `version` the one that the
    /// user has edited; `nil` replaces any.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when there is no such
    ///   trip; ``TravelError/forbidden(_:)`` when the signed-in user is not the author;
    ///   ``TravelError/outdated(_:)`` when the trip has another version and other content;
    ///   ``TravelError/invalid(_:)`` with ``Violation/Rule/entriesInTheWay(_:)`` when entries lie after the last day;
    ///   the errors of the review; other errors of the repository; `CancellationError`.
    @discardableResult
    public func callAsFunction(
        _ id: Trip.ID, _ content: TripContent, adding thumbnail: TripImage? = nil,
        expecting version: TripVersion? = nil
    ) async throws -> RecordedTrip {
        let user = try await session.requireUser()
        if let thumbnail { try await review.review(thumbnail) }
        let now = now()
        return try await trips.edit(id, expecting: version, by: user, adding: thumbnail.map { [$0] } ?? []) {
            trip throws(TravelError) in
            try trip.with(content, at: now)
        } isDone: {
            $0.content == content
        }
    }
}

/// Chooses who may see a trip: its author shares it by a link, with everyone, or withdraws it.
///
/// ```swift
/// let shareTrip = ShareTrip(trips: trips, session: session, now: { clock.now })
/// let key = try await shareTrip(id, .byLink).content.audience.key     // the link, also of a later call
/// try await shareTrip(id, .onlyMe)                                    // the link opens nothing any more
/// ```
public struct ShareTrip: Sendable {
    private let trips: any TripEditingRepository
    private let session: any SessionRepository
    private let newKey: @Sendable () -> LinkKey
    private let now: @Sendable () -> Date

    public init(
        trips: any TripEditingRepository, session: any SessionRepository,
        newKey: @escaping @Sendable () -> LinkKey = { LinkKey() }, now: @escaping @Sendable () -> Date
    ) {
        (self.trips, self.session, self.newKey, self.now) = (trips, session, newKey, now)
    }

    /// Changes the audience of the trip to one of that level, and returns the trip as it is stored now. A trip that has the
    /// level stays as it is, with its key; one that gets it has a key that no trip had before.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when there is no such
    ///   trip, or the signed-in user does not see it; ``TravelError/forbidden(_:)`` when they are not the author; other
    ///   errors of the repository; `CancellationError`.
    @discardableResult
    public func callAsFunction(_ id: Trip.ID, _ level: Audience.Level) async throws -> RecordedTrip {
        let user = try await session.requireUser()
        let (key, now) = (newKey(), now())
        return try await trips.edit(id, expecting: nil, by: user) { trip throws(TravelError) in
            let audience = trip.content.audience.changed(to: level, newKey: key)
            return audience == trip.content.audience ? trip : try trip.with(audience, at: now)
        } isDone: {
            $0.content.audience.level == level
        }
    }
}

/// Deletes a trip with its timeline, images and likes. Only its author can do this.
public struct DeleteTrip: Sendable {
    private let trips: any TripEditingRepository
    private let session: any SessionRepository

    public init(trips: any TripEditingRepository, session: any SessionRepository) {
        self.trips = trips
        self.session = session
    }

    /// Deletes the trip, if it has the version that the user has seen; `nil` deletes any.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when there is no such
    ///   trip; ``TravelError/forbidden(_:)`` when the signed-in user is not the author;
    ///   ``TravelError/outdated(_:)`` when the trip has another version; other errors of the repository;
    ///   `CancellationError`.
    public func callAsFunction(
        _ id: Trip.ID, expecting version: TripVersion? = nil,
        ifSeen isSeen: @escaping @Sendable (RecordedTrip) -> Bool = { _ in true }
    ) async throws {
        let user = try await session.requireUser()
        try await trips.update(id, expecting: version, by: user, adding: []) { trip throws(TravelError) in
            try trip.requireAuthor(user)
            guard isSeen(trip) else { throw .outdated(trip) }
            return nil
        }
    }
}
