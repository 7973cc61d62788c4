import Foundation
import TravelDataFiles
import TravelDomain

/// What an import has done to a trip, with what undoing it needs.
struct ImportedChange: Codable, Sendable {
    let trip: UUID
    /// The version of the trip after the import: what was changed since is not undone.
    let version: Int
    /// What the import added to a trip that was there; `nil` for a new trip, or one whose former version is kept.
    let addition: Addition?

    struct Addition: Codable, Sendable {
        let entries: [UUID]
        let images: [UUID]
        let firstDay: String
        let lastDay: String
        /// The number of segments of the track before.
        let segments: Int
    }

    /// Describes the change of `before`, which is `nil` for a new trip and for one whose former version is kept, to `after`.
    init(of before: RecordedTrip?, to after: RecordedTrip) {
        (trip, version) = (after.id.rawValue, after.version.number)
        addition = before.map { before in
            let (entries, images) = (Set(before.timeline.map(\.id)), Set(before.images))
            return Addition(
                entries: after.timeline.map(\.id).filter { !entries.contains($0) }.map(\.rawValue),
                images: after.images.filter { !images.contains($0) }.map(\.rawValue),
                firstDay: before.content.days.first.description, lastDay: before.content.days.last.description,
                segments: before.track?.segments.count ?? 0)
        }
    }
}

extension ImportedChange.Addition {
    /// The trip without what was added, changed at `now`.
    func removed(from trip: RecordedTrip, at now: Date) throws(TravelError) -> RecordedTrip {
        let (entries, images) = (Set(entries), Set(images))
        var content = trip.content
        content.days = try DayRange(CalendarDay(firstDay), through: CalendarDay(lastDay))
        let shift = trip.content.days.first.days(until: content.days.first)
        var timeline: [TimelineEntry] = []
        for entry in trip.timeline where !entries.contains(entry.id.rawValue) {
            timeline.append(
                try entry.moved(toDay: entry.day - shift)
                    .with(pictures: entry.pictures.filter { !images.contains($0.id.rawValue) }))
        }
        let track = try trip.track.flatMap { track throws(TravelError) -> TrackGeometry? in
            segments == 0 ? nil : try TrackGeometry(points: Array(track.points.prefix(segments)))
        }
        return try RecordedTrip(
            id: trip.id, author: trip.author, createdAt: trip.createdAt, updatedAt: now,
            version: trip.version, content: content, timeline: timeline, track: track)
    }
}

extension App {
    /// Keeps what an import has done for ``undo()``.
    ///
    /// - Parameters:
    ///   - changes: The changed trips.
    ///   - former: The former versions of the trips that it replaced.
    /// - Returns: Whether the import can be undone.
    func keep(_ changes: [ImportedChange], replacing former: [ExportedTrip] = []) async throws -> Bool {
        let user = try await session.session()?.user
        guard let log = try? DeletionLog(in: ProcessInfo.processInfo.environment, keeping: .imported) else {
            return false
        }
        do {
            try log.keep(Deletion(former, imports: changes, by: user, in: place))
            try log.confirm()
            return true
        } catch {
            // The data directory cannot be written, or there are too many pictures: the import has happened nonetheless.
            log.discardPending()
            return false
        }
    }

    /// Undoes an import: removes the trips that it added, and what it added to others; replaced ones are as before. `nil` when
    /// none of them is there.
    ///
    /// - Throws: `CommandError` when one was changed since, and then undoes nothing.
    func undo(_ changes: [ImportedChange], to former: [ExportedTrip]) async throws -> Restored? {
        guard let user = try await session.session()?.user else { throw TravelError.signedOut }
        var trips: [(trip: Trip, change: ImportedChange)] = []
        for change in changes {
            do {
                let trip = try await store.trip(Trip.ID(change.trip), viewer: user)
                guard trip.version.number == change.version else {
                    throw CommandError(
                        "'\(trip.title)' was changed since its import; delete it with: traveline delete \(trip.id)",
                        "가져온 뒤에 바뀐 여행입니다: '\(trip.title)'. 지우기: traveline delete \(trip.id)", .dataError)
                }
                trips.append((trip, change))
            } catch TravelError.notFound {}
        }
        if trips.isEmpty { return nil }
        let now = Date()
        for (trip, change) in trips {
            if let addition = change.addition {
                try await store.update(trip.id, expecting: trip.version, by: user, adding: []) {
                    trip throws(TravelError) in
                    try addition.removed(from: trip, at: now)
                }
            } else if let before = former.first(where: { $0.trip.id == trip.id }) {
                try await replace(trip.id, expecting: trip.version, by: before)
            } else {
                try await useCases.deleteTrip(trip.id, expecting: trip.version)
            }
        }
        return .imports(trips.map(\.trip))
    }

    /// Gives a trip of the acting user the content, timeline and track of `other`, with its pictures.
    @discardableResult
    func replace(_ id: Trip.ID, expecting version: TripVersion?, by other: ExportedTrip) async throws -> RecordedTrip? {
        guard let user = try await session.session()?.user else { throw TravelError.signedOut }
        let shown = Set(try await store.details(of: id, viewer: user).recorded.images)
        return try await store.update(
            id, expecting: version, by: user, adding: other.images.filter { !shown.contains($0.id) }
        ) { trip throws(TravelError) in
            try RecordedTrip(
                id: trip.id, author: trip.author, createdAt: trip.createdAt, updatedAt: Date(), version: trip.version,
                content: other.trip.content, timeline: other.trip.timeline, track: other.trip.track)
        }
    }
}
