import Foundation
import TravelDataFiles
import TravelDataShared
import TravelDomain

/// What an import does to a trip, with what undoing it needs.
struct ImportedChange: Codable, Sendable {
    let trip: UUID
    /// The version of the trip after the import: what was changed since is not undone.
    let version: Int
    /// The version before the import; `nil` for a new trip, and in files of earlier versions.
    let formerVersion: Int?
    /// The IDs of the entries and pictures that the last write adds, where it is not known whether that has happened; `nil`
    /// where it has.
    let awaited: [UUID]?
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

    /// Describes the change of `before`, which is `nil` for a new trip, to `after`, which is stored.
    ///
    /// - Parameter keepsFormer: Whether the whole trip before is kept, because it was replaced.
    init(of before: RecordedTrip?, to after: RecordedTrip, keepsFormer: Bool = false) {
        (trip, version, formerVersion) = (after.id.rawValue, after.version.number, before?.version.number)
        awaited = nil
        addition = keepsFormer ? nil : before.map { Addition(of: $0, to: after) }
    }

    /// Describes the change of `before` after a write that is about to turn `stored` into `planned`. Both are `nil` before a new
    /// trip is added.
    init(of before: RecordedTrip?, from stored: RecordedTrip?, writing planned: RecordedTrip, keepsFormer: Bool = false)
    {
        let next = stored?.version.next ?? planned.version
        (trip, version, formerVersion) = (planned.id.rawValue, next.number, before?.version.number)
        awaited = Array(planned.partIDs.subtracting(stored?.partIDs ?? []))
        addition = keepsFormer ? nil : before.map { Addition(of: $0, to: planned) }
    }

    enum Outcome {
        /// The import has written nothing of it.
        case none
        case written
        /// Someone has changed the trip since.
        case changedSince
    }

    func outcome(in stored: RecordedTrip) -> Outcome {
        let number = stored.version.number
        if number == formerVersion { return .none }
        let isLast = number == version && stored.partIDs.isSuperset(of: awaited ?? [])
        let isBeforeLast = awaited != nil && number == version - 1
        return isLast || isBeforeLast ? .written : .changedSince
    }
}

extension RecordedTrip {
    /// The IDs of the entries and pictures.
    fileprivate var partIDs: Set<UUID> {
        Set(timeline.map(\.id.rawValue)).union(images.map(\.rawValue))
    }
}

extension ImportedChange.Addition {
    fileprivate init(of before: RecordedTrip, to after: RecordedTrip) {
        let (known, shown) = (Set(before.timeline.map(\.id)), Set(before.images))
        entries = after.timeline.map(\.id).filter { !known.contains($0) }.map(\.rawValue)
        images = after.images.filter { !shown.contains($0) }.map(\.rawValue)
        (firstDay, lastDay) = (before.content.days.first.description, before.content.days.last.description)
        segments = before.track?.segments.count ?? 0
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

/// Keeps what an import does for ``App/undo(only:)``, before each of its writes: whatever it has written when it ends can be
/// undone, however it ends.
///
/// Where the data directory cannot be written, or there are too many pictures, the import happens nonetheless.
actor ImportJournal {
    private let app: App
    private let user: User.ID?
    private var log: DeletionLog?
    private var changes: [ImportedChange] = []
    /// The trip before the first write, where the writes are those of one trip.
    private var before: RecordedTrip?

    init(_ app: App) async throws {
        self.app = app
        user = try await app.session.session()?.user
        log = try? DeletionLog(in: ProcessInfo.processInfo.environment, keeping: .imported)
    }

    /// Keeps changes that are about to be written.
    ///
    /// - Parameter former: The former versions of the trips that are replaced.
    func willWrite(_ changes: [ImportedChange], replacing former: [ExportedTrip] = []) {
        self.changes = changes
        do {
            try log?.keep(Deletion(former, imports: changes, by: user, in: app.place))
        } catch {
            log?.discardPending()
            log = nil
        }
    }

    /// Keeps the next write to the one trip that is imported.
    func willWrite(_ planned: RecordedTrip, over stored: RecordedTrip?) {
        if changes.isEmpty { before = stored }
        willWrite([ImportedChange(of: before, from: stored, writing: planned)])
    }

    /// Keeps a new trip that is about to be added. One that is there already is not added, and stays what it is.
    func willAdd(_ trip: RecordedTrip) async throws {
        guard try await app.identifiers.tripIDs(in: trip.id...trip.id, limit: 1).isEmpty else { return }
        willWrite(trip, over: nil)
    }

    /// Whether anything was kept that has, or may have, happened.
    var isBegun: Bool { log != nil && !changes.isEmpty }

    /// The import has made these changes, and no others.
    ///
    /// - Returns: Whether they can be undone.
    func end(with changes: [ImportedChange], replacing former: [ExportedTrip] = []) -> Bool {
        if changes.isEmpty {
            log?.discardPending()
            return false
        }
        willWrite(changes, replacing: former)
        do {
            try log?.confirm()
            return log != nil
        } catch {
            log?.discardPending()
            return false
        }
    }

    /// The import ended early.
    ///
    /// - Returns: Whether it has, or may have, written something that can be undone.
    func breakOff() async -> Bool {
        guard isBegun else { return false }
        // Of a store that does not answer it is not known; what is kept then stays, and a later `undo` finds out.
        guard let written = try? await app.written(of: changes) else { return true }
        guard !written.isEmpty else {
            log?.discardPending()
            return false
        }
        // Without this, it is still found among those that are not confirmed.
        try? log?.confirm()
        return true
    }
}

extension App {
    /// The trips with what an import has written to them.
    ///
    /// - Throws: `CommandError` when one was changed since.
    fileprivate func written(
        of changes: [ImportedChange]
    ) async throws -> [(trip: Trip, change: ImportedChange)] {
        guard let user = try await session.session()?.user else { throw TravelError.signedOut }
        var trips: [(trip: Trip, change: ImportedChange)] = []
        for change in changes {
            do {
                let details = try await store.details(of: Trip.ID(change.trip), viewer: user)
                let trip = details.trip
                switch change.outcome(in: try details.recorded) {
                case .none: break
                case .written: trips.append((trip, change))
                case .changedSince:
                    throw CommandError(
                        "'\(trip.title)' was changed since its import; delete it with: traveline delete \(trip.id)",
                        "가져온 뒤에 바뀐 여행입니다: '\(trip.title)'. 지우기: traveline delete \(trip.id)", .dataError)
                }
            } catch TravelError.notFound {}
        }
        return trips
    }

    /// Undoes an import: removes the trips that it added, and what it added to others; replaced ones are as before. `nil` when
    /// nothing of it is there.
    ///
    /// - Throws: `CommandError` when one was changed since, and then undoes nothing.
    func undo(_ changes: [ImportedChange], to former: [ExportedTrip]) async throws -> Restored? {
        let trips = try await written(of: changes)
        if trips.isEmpty { return nil }
        let now = Date()
        for (trip, change) in trips {
            if let addition = change.addition {
                try await store.update(trip.id, expecting: trip.version, by: trip.author.id, adding: []) {
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
