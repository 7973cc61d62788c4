/// A complete trip to be stored: its content, its timeline, and its recorded track.
///
/// ```swift
/// let trip = try RecordedTrip(author: author, createdAt: now, content: content, timeline: [dinner, breakfast])
/// trip.timeline.map(\.title.text)    // ["Breakfast", "Dinner"]
/// trip.version                       // .first
/// ```
public struct RecordedTrip: Hashable, Sendable, Identifiable {
    public let id: Trip.ID
    /// The user who recorded it, and who alone edits it.
    public let author: User
    public let createdAt: Date
    /// The time of the last change of the content or the timeline; ``createdAt`` if there was none.
    public let updatedAt: Date
    public let version: TripVersion
    public let content: TripContent
    /// The timeline: by day, then by time, and at the same time in the order in which the entries were written or moved to.
    public let timeline: [TimelineEntry]
    /// The path of the recorded track from which the trip was imported; `nil` for one that was written.
    public let track: TrackGeometry?

    public static let maximumEntryCount = 1_000

    /// Creates a trip from its parts and sorts the timeline with ``TimelineEntry/precedes(_:_:)``; entries at the same time
    /// keep the order of the argument. `updatedAt` is by default `createdAt`.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when an entry lies on a day that the trip does not have, when there are
    ///   more than ``maximumEntryCount`` entries, or when a time is not a number (NaN).
    public init(
        id: ID = ID(), author: User, createdAt: Date, updatedAt: Date? = nil, version: TripVersion = .first,
        content: TripContent, timeline: [TimelineEntry], track: TrackGeometry? = nil
    ) throws(TravelError) {
        try createdAt.requireMoment()
        try updatedAt?.requireMoment()
        guard timeline.allSatisfy({ $0.day <= content.days.count }) else {
            throw .invalid(.init(.day, .outOfRange("a day of the trip, 1…\(content.days.count)")))
        }
        guard timeline.count <= Self.maximumEntryCount else {
            throw .invalid(.init(.timeline, .tooMany(maximum: Self.maximumEntryCount)))
        }
        self.id = id
        self.author = author
        self.createdAt = createdAt
        self.updatedAt = updatedAt ?? createdAt
        self.version = version
        self.content = content
        self.timeline = timeline.sortedStably(by: TimelineEntry.precedes)
        self.track = track
    }
}

extension Date {
    /// Checks that the date is a moment in time.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when it is not a number (NaN).
    func requireMoment() throws(TravelError) {
        guard !timeIntervalSinceReferenceDate.isNaN else {
            throw .invalid(.init(.date, .malformed(expected: "a moment in time")))
        }
    }
}

extension RecordedTrip {
    /// Checks that `user` is the author.
    ///
    /// - Throws: ``TravelError/forbidden(_:)`` when `user` is someone else.
    public func requireAuthor(_ user: User.ID) throws(TravelError) {
        guard user == author.id else { throw .forbidden(.trip(id)) }
    }

    /// Returns a copy with `content` and the same timeline and track, changed at `now`; `nil` keeps the time of the last change.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` with ``Violation/Rule/entriesInTheWay(_:)`` when entries lie on days that
    ///   `content` does not include.
    public func with(_ content: TripContent, at now: Date? = nil) throws(TravelError) -> RecordedTrip {
        let inTheWay = timeline.filter { $0.day > content.days.count }
        guard inTheWay.isEmpty else { throw .invalid(.init(.dates, .entriesInTheWay(inTheWay.map(\.id)))) }
        return try with(updatedAt: now, content: content)
    }

    /// Returns a copy with another audience, changed at `now`; `nil` keeps the time of the last change.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` never, because this trip is valid.
    public func with(_ audience: Audience, at now: Date? = nil) throws(TravelError) -> RecordedTrip {
        var content = content
        content.audience = audience
        return try with(updatedAt: now, content: content)
    }

    /// Returns a copy with `entry` in its timeline, changed at `now`; `entry` replaces an entry with the same ID.
    ///
    /// It keeps the place of the entry that it replaces if it has the same day and time, and otherwise follows all others of
    /// its time.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when the entry lies on a day that the trip does not have, or when it
    ///   would be one more than ``maximumEntryCount``.
    public func saving(_ entry: TimelineEntry, at now: Date? = nil) throws(TravelError) -> RecordedTrip {
        try with(updatedAt: now, timeline: timeline.saving(entry))
    }

    /// Returns a copy in which the entry stands directly before or after another one, changed at `now`; this trip if it stands
    /// there.
    ///
    /// ```swift
    /// let moved = try trip.moving(lunch.id, .before(walk.id))    // both at 12:00
    /// ```
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when the timeline does not have one of them; ``TravelError/invalid(_:)`` when
    ///   they have different days or times.
    public func moving(
        _ entry: TimelineEntry.ID, _ placement: TimelineEntry.Placement, at now: Date? = nil
    ) throws(TravelError) -> RecordedTrip {
        guard let index = timeline.firstIndex(where: { $0.id == entry }) else { throw .notFound(.entry(entry)) }
        guard let other = timeline.first(where: { $0.id == placement.neighbor }) else {
            throw .notFound(.entry(placement.neighbor))
        }
        guard other.day == timeline[index].day, other.time == timeline[index].time else {
            throw .invalid(.init(.time, .outOfRange("entries move among those of the same day and time")))
        }
        guard entry != other.id else { return self }
        var moved = timeline
        let taken = moved.remove(at: index)
        let place = moved.firstIndex { $0.id == other.id } ?? index
        if case .before = placement { moved.insert(taken, at: place) } else { moved.insert(taken, at: place + 1) }
        return moved == timeline ? self : try with(updatedAt: now, timeline: moved)
    }

    /// Returns a copy without that entry, changed at `now`.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when the timeline has no such entry.
    public func removing(_ entry: TimelineEntry.ID, at now: Date? = nil) throws(TravelError) -> RecordedTrip {
        let rest = timeline.filter { $0.id != entry }
        guard rest.count < timeline.count else { throw .notFound(.entry(entry)) }
        return try with(updatedAt: now, timeline: rest)
    }

    /// Returns a copy with other parts; those that are `nil` stay as they are.
    package func with(
        author: User? = nil, updatedAt: Date? = nil, version: TripVersion? = nil, content: TripContent? = nil,
        timeline: [TimelineEntry]? = nil
    ) throws(TravelError) -> RecordedTrip {
        try RecordedTrip(
            id: id, author: author ?? self.author, createdAt: createdAt, updatedAt: updatedAt ?? self.updatedAt,
            version: version ?? self.version, content: content ?? self.content, timeline: timeline ?? self.timeline,
            track: track)
    }

    /// The trip as everyone but its author sees it (``Swift/Array/seen(byAuthor:)``).
    package var seenByOthers: RecordedTrip {
        get throws(TravelError) { try with(timeline: timeline.seen(byAuthor: false)) }
    }

    /// Returns a copy that shows those images only.
    package func showing(_ images: Set<TripImage.ID>) throws(TravelError) -> RecordedTrip {
        var content = content
        content.thumbnail = content.thumbnail.flatMap { images.contains($0) ? $0 : nil }
        let timeline = try timeline.map { entry throws(TravelError) in
            guard entry.pictures.contains(where: { !images.contains($0.id) }) else { return entry }
            return try entry.with(pictures: entry.pictures.filter { images.contains($0.id) })
        }
        return try with(content: content, timeline: timeline)
    }
}

extension RecordedTrip {
    /// Returns what a store stores when an edit turns `before` into this trip.
    ///
    /// The ID, the author and the time of recording are those of `before`. If the content, the timeline or the
    /// track differs, the version is the next one; otherwise the result is `before`. Positions of pictures that this trip
    /// withholds (``PicturePosition/withheld``) are those of `before`, and so is a track without times that has the path of
    /// `before`: a device with an older version of this module does not know its times.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` never, because this trip is valid.
    public func revision(of before: RecordedTrip) throws(TravelError) -> RecordedTrip {
        let timeline = timeline.keepingPositions(of: before.timeline)
        let track = track.flatMap { $0 == before.track?.withoutTimes ? before.track : $0 }
        guard content != before.content || timeline != before.timeline || track != before.track else { return before }
        return try RecordedTrip(
            id: before.id, author: before.author, createdAt: before.createdAt, updatedAt: updatedAt,
            version: before.version.next, content: content, timeline: timeline, track: track)
    }

    /// Checks that this trip has the version that an edit expects; `nil` expects any.
    ///
    /// - Throws: ``TravelError/outdated(_:)`` with this trip when it has another version.
    public func requireVersion(_ expected: TripVersion?) throws(TravelError) {
        guard expected == nil || expected == version else { throw .outdated(self) }
    }
}

extension RecordedTrip {
    /// The image that represents the trip: the one its author chose, or else the first one in the timeline.
    public var thumbnail: TripImage.ID? {
        content.thumbnail ?? timeline.lazy.compactMap(\.image).first
    }

    /// The images of the trip without duplicates: the one its author chose, then those of the timeline in order.
    public var images: [TripImage.ID] {
        var seen: Set<TripImage.ID> = []
        let all = (content.thumbnail.map { [$0] } ?? []) + timeline.flatMap { $0.pictures.map(\.id) }
        return all.filter { seen.insert($0).inserted }
    }
}
