/// Adds an entry to the timeline of a trip, or replaces one. Only the author of the trip can do this.
public struct SaveEntry: Sendable {
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

    /// Adds `entry` to the timeline, and returns the trip as it is stored now; it replaces an entry with the same ID.
    ///
    /// Repeating the call has no further effect, even if it expects the version before it.
    ///
    /// ```swift
    /// let photo = try TripImage(bytes: data)
    /// let entry = try TimelineEntry(day: 1, time: time, title: title, text: text, pictures: [Picture(photo.id)])
    /// try await saveEntry(entry, adding: [photo], in: trip)
    /// ```
    ///
    /// `images` are those of the pictures of the entry that the trip does not have yet, and `version` is the one that the
    /// user has edited; `nil` changes any.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when there is no such
    ///   trip; ``TravelError/forbidden(_:)`` when the signed-in user is not the author;
    ///   ``TravelError/outdated(_:)`` when the trip has another version, without this entry;
    ///   ``TravelError/invalid(_:)`` when the entry lies on a day that the trip does not have;
    ///   ``TravelError/conflict(_:)`` when another trip has the entry or an image; the errors of the review; other
    ///   errors of the repository; `CancellationError`.
    @discardableResult
    public func callAsFunction(
        _ entry: TimelineEntry, adding images: [TripImage] = [], in id: Trip.ID,
        expecting version: TripVersion? = nil
    ) async throws -> RecordedTrip {
        let user = try await session.requireUser()
        for image in images { try await review.review(image) }
        let now = now()
        return try await trips.edit(id, expecting: version, by: user, adding: images) {
            trip throws(TravelError) in
            try trip.saving(entry, at: now)
        } isDone: {
            $0.timeline.contains(entry)
        }
    }
}

/// Deletes an entry from the timeline of a trip, with its pictures. Only the author of the trip can do this.
///
/// If the image represented the trip, the first image of the remaining timeline takes its place.
public struct DeleteEntry: Sendable {
    private let trips: any TripEditingRepository
    private let session: any SessionRepository
    private let now: @Sendable () -> Date

    public init(
        trips: any TripEditingRepository, session: any SessionRepository, now: @escaping @Sendable () -> Date
    ) {
        self.trips = trips
        self.session = session
        self.now = now
    }

    /// Deletes the entry, and returns the trip as it is stored now.
    ///
    /// `version` is the one that the user has edited; `nil` changes any. If the trip has another version, but no such
    /// entry, the call returns it.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when there is no such
    ///   trip or entry; ``TravelError/forbidden(_:)`` when the signed-in user is not the author;
    ///   ``TravelError/outdated(_:)`` when the trip has another version, with the entry; other errors of the
    ///   repository; `CancellationError`.
    @discardableResult
    public func callAsFunction(
        _ entry: TimelineEntry.ID, in id: Trip.ID, expecting version: TripVersion? = nil
    ) async throws -> RecordedTrip {
        let (user, now) = (try await session.requireUser(), now())
        return try await trips.edit(id, expecting: version, by: user) {
            trip throws(TravelError) in
            try trip.removing(entry, at: now)
        } isDone: { trip in
            !trip.timeline.contains { $0.id == entry }
        }
    }
}

/// Shows where the pictures of a trip were taken to everyone who sees the trip. Only its author can do this.
///
/// Whoever shares a trip is asked first: `details.timeline.positionsOfAuthor` is the number of positions.
public struct ShowPicturePositions: Sendable {
    private let trips: any TripEditingRepository
    private let session: any SessionRepository
    private let now: @Sendable () -> Date

    public init(
        trips: any TripEditingRepository, session: any SessionRepository, now: @escaping @Sendable () -> Date
    ) {
        self.trips = trips
        self.session = session
        self.now = now
    }

    /// Shows all positions, and returns the trip as it is stored now.
    ///
    /// Repeating the call has no further effect.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when there is no such
    ///   trip; ``TravelError/forbidden(_:)`` when the signed-in user is not the author; other errors of the repository;
    ///   `CancellationError`.
    @discardableResult
    public func callAsFunction(in id: Trip.ID) async throws -> RecordedTrip {
        let (user, now) = (try await session.requireUser(), now())
        return try await trips.edit(id, expecting: nil, by: user) {
            trip throws(TravelError) in
            let shown = trip.timeline.showingPositions
            return shown == trip.timeline ? trip : try trip.with(updatedAt: now, timeline: shown)
        } isDone: {
            $0.timeline.positionsOfAuthor == 0
        }
    }
}

/// Moves an entry among those of its day and time. Only the author of the trip can do this.
public struct MoveEntry: Sendable {
    private let trips: any TripEditingRepository
    private let session: any SessionRepository
    private let now: @Sendable () -> Date

    public init(
        trips: any TripEditingRepository, session: any SessionRepository, now: @escaping @Sendable () -> Date
    ) {
        self.trips = trips
        self.session = session
        self.now = now
    }

    /// Moves the entry, and returns the trip as it is stored now.
    ///
    /// Repeating the call has no further effect, even if it expects the version before it. `version` is the one that the
    /// user has edited; `nil` changes any.
    ///
    /// ```swift
    /// if let up = timeline.placementAbove(entry) { try await moveEntry(entry, up, in: trip) }
    /// ```
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when there is no such
    ///   trip or entry; ``TravelError/forbidden(_:)`` when the signed-in user is not the author;
    ///   ``TravelError/outdated(_:)`` when the trip has another version, in which the entry stands elsewhere;
    ///   ``TravelError/invalid(_:)`` when the entries have different days or times; other errors of the repository;
    ///   `CancellationError`.
    @discardableResult
    public func callAsFunction(
        _ entry: TimelineEntry.ID, _ placement: TimelineEntry.Placement, in id: Trip.ID,
        expecting version: TripVersion? = nil
    ) async throws -> RecordedTrip {
        let (user, now) = (try await session.requireUser(), now())
        return try await trips.edit(id, expecting: version, by: user) {
            trip throws(TravelError) in
            try trip.moving(entry, placement, at: now)
        } isDone: { trip in
            (try? trip.moving(entry, placement)) == trip
        }
    }
}
