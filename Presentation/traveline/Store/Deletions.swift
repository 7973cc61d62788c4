import Foundation
import TravelDataFiles
import TravelDataShared
import TravelDomain

/// What a deletion has removed, or an import has done, with everything that undoing it needs.
struct Deletion: Codable, Sendable {
    /// The IDs of the people who have done something to a trip.
    struct People: Codable, Sendable {
        let likedBy: [UUID]
        let reportedBy: [UUID]
    }

    /// The ID of the deletion; `nil` in files of earlier versions.
    let id: UUID?
    /// The name of the place from which it was removed.
    let place: String
    /// The user who deleted the trips or the entry.
    let actor: UUID?
    /// The removed trips with their pictures, in the format of `TravelJSONWriter`. Where an entry was removed, its trip
    /// with that entry only.
    private let file: Data
    let people: [String: People]
    /// Whether only the entry of the one trip was removed.
    let isEntry: Bool
    /// The entry at the same time that followed the removed one, if there was any.
    let next: UUID?
    /// What an import has done; the trips are then those that it replaced. `nil` for a deletion.
    let imports: [ImportedChange]?

    /// - Throws: `TravelFileError` when the trips have too many pictures.
    init(
        _ trips: [ExportedTrip], _ people: [Trip.ID: People] = [:], isEntry: Bool = false,
        before next: TimelineEntry.ID? = nil, imports: [ImportedChange]? = nil, by actor: User.ID?, in place: String
    ) throws {
        id = UUID()
        (self.place, self.actor, self.isEntry) = (place, actor?.rawValue, isEntry)
        (self.next, self.imports) = (next?.rawValue, imports)
        file = try TravelJSONWriter().data(for: trips)
        self.people = Dictionary(uniqueKeysWithValues: people.map { ($0.key.description, $0.value) })
    }

    var trips: [ExportedTrip] { get throws { try TravelJSONReader().trips(in: file) } }
}

/// Keeps what the last deletion or import on this device has done, in a file of the data directory.
///
/// A deletion is kept before it happens, in a file of its own, and replaces the last one afterwards: a deletion that fails
/// leaves the one before it, a process that ends in between loses neither, and two processes do not mix theirs.
struct DeletionLog: Sendable {
    private let file: URL
    private let kind: Kind
    /// The file of what was kept last, until it is confirmed.
    private var pending: URL?

    /// The names of the files: the last deletion can still be undone after an import, and the last import after a deletion.
    enum Kind: String, CaseIterable {
        case deleted, imported
    }

    /// - Parameter kind: What this log keeps; it reads both.
    /// - Throws: `UsageError` without a data directory.
    init(in environment: [String: String], keeping kind: Kind = .deleted) throws {
        let database = URL(fileURLWithPath: try DataDirectory.databasePath(in: environment))
        file = database.deletingLastPathComponent().appendingPathComponent(kind.rawValue)
        self.kind = kind
    }

    /// Keeps a deletion that is about to happen, in place of the one that was kept before and not confirmed. At any moment, one
    /// of the two is there as a whole.
    mutating func keep(_ deletion: Deletion) throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let data = try encoder.encode(deletion)
        try DataDirectory.makeFolder(of: file.path)
        let new = file.appendingPathExtension("\(UUID().uuidString).new")
        // Other accounts of the system must not read it.
        let descriptor = open(new.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: data)
            try handle.synchronize()
        } catch {
            unlink(new.path)
            throw error
        }
        discardPending()
        pending = new
    }

    /// The deletion that this log keeps has happened. Removes those of its kind of a day ago that no process confirmed.
    mutating func confirm() throws {
        guard let pending, rename(pending.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        self.pending = nil
        for (file, date) in files
        where isPending(file) && file.lastPathComponent.hasPrefix(kind.rawValue) && date.timeIntervalSinceNow < -86_400
        {
            unlink(file.path)
        }
    }

    /// The deletion that this log keeps has not happened.
    mutating func discardPending() {
        if let pending = pending.take() { unlink(pending.path) }
    }

    /// What can be restored, the last deletion first: those of which it is not known whether they have happened may be
    /// before the last that has.
    var deletions: [(file: URL, deletion: Deletion)] {
        files.sorted { $0.date > $1.date }.compactMap { file, _ in
            // A file that is not whole is from a process that ended before its deletion.
            guard let data = try? Data(contentsOf: file),
                let deletion = try? PropertyListDecoder().decode(Deletion.self, from: data)
            else { return nil }
            return (file, deletion)
        }
    }

    /// The files of all deletions, with the times at which they were kept.
    private var files: [(file: URL, date: Date)] {
        // Without the folder, nothing was deleted.
        let all = try? FileManager.default.contentsOfDirectory(
            at: file.deletingLastPathComponent(), includingPropertiesForKeys: [.contentModificationDateKey])
        return (all ?? []).compactMap { file in
            guard Kind(rawValue: file.lastPathComponent) != nil || isPending(file),
                let date = try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
            else { return nil }
            return (file, date)
        }
    }

    /// Whether it is not known that the deletion in `file` has happened.
    func isPending(_ file: URL) -> Bool {
        let name = file.lastPathComponent
        return Kind.allCases.contains { name.hasPrefix($0.rawValue + ".") } && name.hasSuffix(".new")
    }

    func remove(_ deletions: some Sequence<(file: URL, deletion: Deletion)>) {
        for deletion in deletions { unlink(deletion.file.path) }
    }
}

extension App {
    /// Deletes `trips`, or the one entry of the one trip, by `delete`, after keeping them for ``undo()``.
    ///
    /// - Parameters:
    ///   - confirm: Called before anything is deleted; `canUndo` says whether it can be undone.
    /// - Returns: The ID of the deletion if it can be undone.
    private func deleting(
        _ removed: () async throws -> Deletion, confirm: (_ canUndo: Bool) throws -> Void,
        _ delete: () async throws -> Void
    ) async throws -> UUID? {
        var log = try? DeletionLog(in: ProcessInfo.processInfo.environment)
        var kept: UUID?
        if log != nil {
            do {
                let deletion = try await removed()
                try log?.keep(deletion)
                kept = deletion.id
            } catch TravelError.unavailable(let outage) where outage.cause == .damaged {
                // A picture is missing, and removing what shows it is one way to mend that.
            } catch let error where error is TravelError || error is CancellationError {
                throw error
            } catch {
                // The data directory cannot be written, or there are too many pictures: that is no reason to keep the
                // trip.
                log?.discardPending()
            }
        }
        do {
            try confirm(kept != nil)
            try await delete()
        } catch {
            log?.discardPending()
            throw error
        }
        guard kept != nil else { return nil }
        do {
            try log?.confirm()
            return kept
        } catch {
            // Nothing can be undone without the file, but the trip is gone.
            return nil
        }
    }

    /// Deletes trips of the signed-in user, or samples, and keeps them for ``undo()``; a trip that is changed
    /// meanwhile is not deleted.
    ///
    /// - Returns: The ID of the deletion if it can be undone.
    func deleteTrips(
        _ trips: [Trip], confirm: (_ canUndo: Bool) throws -> Void = { _ in }
    ) async throws -> UUID? {
        let user = try await session.session()?.user
        return try await deleting {
            var removed: [ExportedTrip] = []
            var people: [Trip.ID: Deletion.People] = [:]
            for trip in trips {
                let author = trip.author.id
                let details = try await store.details(of: trip.id, viewer: author)
                removed.append(try await exported(details.recorded, viewer: author))
                let (likedBy, reportedBy) = try await identifiers.users(of: trip.id)
                people[trip.id] = .init(likedBy: likedBy.map(\.rawValue), reportedBy: reportedBy.map(\.rawValue))
            }
            return try Deletion(removed, people, by: user, in: place)
        } confirm: { canUndo in
            try confirm(canUndo)
        } _: {
            for trip in trips {
                if App.isSample(trip.id) {
                    // On behalf of its author, an account of the samples: nobody else may remove it.
                    let (id, version, author) = (trip.id, trip.version, trip.author.id)
                    try await store.update(id, expecting: version, by: author, adding: []) { _ in nil }
                } else {
                    try await useCases.deleteTrip(trip.id, expecting: trip.version)
                }
            }
        }
    }

    /// Deletes an entry of a trip of the signed-in user, and keeps it for ``undo()``; nothing is deleted if the trip is
    /// changed meanwhile.
    ///
    /// - Returns: The ID of the deletion if it can be undone.
    func deleteEntry(
        _ entry: TimelineEntry, of trip: Trip, confirm: (_ canUndo: Bool) throws -> Void = { _ in }
    ) async throws -> UUID? {
        guard let user = try await session.session()?.user else { throw TravelError.signedOut }
        return try await deleting {
            var content = trip.content
            if !entry.pictures.contains(where: { $0.id == content.thumbnail }) { content.thumbnail = nil }
            let part = try RecordedTrip(
                id: trip.id, author: trip.author, createdAt: trip.createdAt, content: content, timeline: [entry])
            let timeline = try await store.timeline(of: trip.id, viewer: user)
            return try Deletion(
                [try await exported(part, viewer: user)], isEntry: true,
                before: timeline.placementBelow(entry.id)?.neighbor, by: user, in: place)
        } confirm: { canUndo in
            try confirm(canUndo)
        } _: {
            try await useCases.deleteEntry(entry.id, in: trip.id, expecting: trip.version)
        }
    }

    /// Removes what that account has deleted from the device, because the account is deleted.
    func forgetDeletions(of user: User.ID) {
        // Without a data directory nothing was kept.
        guard let log = try? DeletionLog(in: ProcessInfo.processInfo.environment) else { return }
        log.remove(log.deletions.filter { $0.deletion.actor == user.rawValue })
    }

    // MARK: Undo

    /// What ``undo()`` has undone.
    enum Restored {
        case trips([Trip])
        /// The import of these trips; of none, where it ended before it had written anything.
        case imports([Trip])
        case entry(TimelineEntry, in: Trip)
    }

    /// Restores what the last deletion on this device has removed from this place: trips with their versions, entries,
    /// pictures, likes and reports, or an entry with its pictures; or undoes the last import, if that was later.
    ///
    /// - Parameter id: The ID of the only deletion to undo; `nil` for the last one, whatever it was.
    /// - Throws: `CommandError` when there is nothing to restore, or it was removed from another place or by another
    ///   account.
    @discardableResult
    func undo(only id: UUID? = nil) async throws -> Restored {
        let log = try DeletionLog(in: ProcessInfo.processInfo.environment)
        let deletions = log.deletions
        for (index, (file, deletion)) in deletions.enumerated() where id == nil || deletion.id == id {
            do {
                try await require(deletion)
            } catch let error as CommandError {
                // One that another process asks about, or gave up, hides none that has happened.
                if log.isPending(file) { continue }
                throw error
            }
            let trips = try deletion.trips
            let restored: Restored? =
                if let imports = deletion.imports {
                    try await undo(imports, to: trips)
                } else if deletion.isEntry {
                    try await restoreEntry(of: trips, before: deletion.next.map { TimelineEntry.ID($0) })
                } else {
                    try await restore(trips, deletion.people)
                }
            if restored == nil, deletion.imports != nil, log.isPending(file) {
                // The user means this one, and not the import before it.
                log.remove([(file, deletion)])
                return .imports([])
            }
            if let restored {
                // One of the other kind that was before it can be undone next.
                log.remove(deletions[index...].filter { ($0.deletion.imports == nil) == (deletion.imports == nil) })
                return restored
            }
        }
        throw CommandError(
            "there is no deletion or import on this device to undo", "이 기기에서 되돌릴 삭제나 가져오기가 없습니다", .dataError)
    }

    private func require(_ deletion: Deletion) async throws {
        if deletion.place != place {
            let other = deletion.place == StoreLocation.own ? nil : deletion.place
            throw CommandError(
                "the last change was in another database: \(other ?? "your own database"); name it with --database",
                "마지막 변경은 다른 데이터베이스에서 했습니다: \(other ?? "내 데이터베이스"). --database로 지정하세요", .dataError)
        }
        if deletion.actor != (try await session.session()?.user.rawValue) {
            throw CommandError(
                "the last change was by another account; sign in to it, or specify it with --as",
                "마지막 변경은 다른 계정으로 했습니다. 그 계정으로 로그인하거나 --as로 지정하세요", .noPermission)
        }
    }

    /// Restores the trips that do not exist; `nil` when all exist.
    private func restore(_ trips: [ExportedTrip], _ people: [String: Deletion.People]) async throws -> Restored? {
        var missing: [ExportedTrip] = []
        for exported in trips {
            let id = exported.trip.id
            if try await identifiers.tripIDs(in: id...id, limit: 1).isEmpty { missing.append(exported) }
        }
        if missing.isEmpty { return nil }
        try await store.add(missing.map(\.trip), images: missing.flatMap(\.images))
        var restored: [Trip] = []
        for exported in missing {
            let id = exported.trip.id
            for user in people[id.description]?.likedBy ?? [] {
                // The likes of an account that was deleted meanwhile are gone with it.
                try await ignoringMissing { try await store.setLiked(true, trip: id, by: User.ID(user)) }
            }
            for user in people[id.description]?.reportedBy ?? [] {
                try await ignoringMissing { try await store.report(id, by: User.ID(user)) }
            }
            restored.append(try await store.trip(id, viewer: exported.trip.author.id))
        }
        return .trips(restored)
    }

    private func ignoringMissing(_ body: () async throws -> some Any) async throws {
        do { _ = try await body() } catch TravelError.notFound {}
    }

    /// Restores the entry, before `next` if that is there; `nil` when it exists.
    private func restoreEntry(of trips: [ExportedTrip], before next: TimelineEntry.ID?) async throws -> Restored? {
        guard let part = trips.first, let entry = part.trip.timeline.first else { return nil }
        let (trip, timeline) = try await details(of: part.trip.id)
        if timeline.contains(where: { $0.id == entry.id }) { return nil }
        try await useCases.saveEntry(entry, adding: part.images, in: trip.id)
        // The entry that followed may have been given another time.
        if let next = timeline.first(where: { $0.id == next }), next.day == entry.day, next.time == entry.time {
            try await useCases.moveEntry(entry.id, .before(next.id), in: trip.id)
        }
        return .entry(entry, in: trip)
    }
}
