import Foundation
import SQLiteStore
import Testing
import TravelDataShared
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

/// A scenario of several changes to the images of a database, with the expected state after each.
struct ImageStory {
    /// A state: the images of both trips, by seed.
    typealias State = Set<UInt64>

    /// The states before the first change and after each change.
    static let states: [State] = [[], [1, 2, 3], [1, 2, 3, 4], [2, 3, 5], [3, 5], [3], []]

    /// The number of changes.
    static let count = states.count - 1

    /// Applies the change with that index; calls `inChange` before its commit.
    static func make(
        _ number: Int, in trips: SQLiteTripRepository, inChange: @escaping @Sendable () -> Void = {}
    ) async throws {
        let first = Trip.ID(seed: 1)
        switch number {
        case 0:
            let both = try [(UInt64(1), [UInt64(1), 2]), (2, [3])].map { trip, images in
                try TripBuilder(seed: trip).with { $0.timeline = try images.map { try entry($0, showing: $0) } }
                    .build()
            }
            try await trips.add(both, images: [image(1), image(2), image(3)])
        case 1: try await edit(first, in: trips, adding: [4], inChange) { try $0.saving(entry(4, showing: 4)) }
        case 2:
            try await edit(first, in: trips, adding: [5], inChange) {
                try $0.saving(entry(4, showing: 5)).removing(TimelineEntry.ID(seed: 1))
            }
        case 3: try await edit(first, in: trips, adding: [], inChange) { try $0.removing(TimelineEntry.ID(seed: 2)) }
        case 4:
            try await trips.update(first, by: User.ID(seed: 1)) { _ in
                inChange()
                return nil
            }
        default: try await trips.removeUser(User.ID(seed: 2), by: User.ID(seed: 2))
        }
    }

    /// Expects the database at `path` to be in one of `states`, with a file for each image and no other file.
    static func expect(
        _ states: [State], at path: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let database = try await TravelDatabase.open(path: path)
        let rows = try await database.database.read { db in
            try db.fetchAll("SELECT id, file FROM image") {
                (try $0[0] as TripImage.ID, try $0[1] as ImageFolder.FileID)
            }
        }
        #expect(try files(at: path) == Set(rows.map(\.1.description)), sourceLocation: sourceLocation)
        #expect(try SystemFiles().names(in: path + "-images/unsettled") ?? [] == [], sourceLocation: sourceLocation)
        let state = try await seeds(in: database)
        #expect(states.contains(state), "expected one of \(states); found \(state)", sourceLocation: sourceLocation)
        for seed in state {
            #expect(
                try await database.trips.image(TripImage.ID(seed: seed), viewer: nil) == image(seed),
                sourceLocation: sourceLocation)
        }
        await database.close()
    }

    /// The names of the files in the image folder, without those of the markers and of smaller pictures.
    static func files(at path: String) throws -> Set<String> {
        Set(try SystemFiles().names(in: path + "-images") ?? []).subtracting(["unsettled", "sizes"])
    }

    /// The images that have rows in the database.
    static func seeds(in database: TravelDatabase) async throws -> State {
        let ids = try await database.database.read { db in
            try db.fetchAll("SELECT id FROM image") { try $0[0] as TripImage.ID }
        }
        return Set((UInt64(1)...5).filter { ids.contains(TripImage.ID(seed: $0)) })
    }

    /// Adds an entry with an image.
    static func addImage(
        _ seed: UInt64, to trip: RecordedTrip, in trips: SQLiteTripRepository, by user: User.ID? = nil
    ) async throws {
        let entry = try entry(seed, showing: seed)
        try await trips.update(trip.id, by: user ?? trip.author.id, adding: [image(seed)]) {
            trip throws(TravelError) in try trip.saving(entry)
        }
    }

    static func image(_ seed: UInt64) throws -> TripImage { try TripImage(seed: seed, size: 5_000) }

    private static func entry(_ seed: UInt64, showing image: UInt64) throws -> TimelineEntry {
        try TimelineEntry(seed: seed, image: TripImage.ID(seed: image))
    }

    private static func edit(
        _ trip: Trip.ID, in trips: SQLiteTripRepository, adding images: [UInt64],
        _ inChange: @escaping @Sendable () -> Void,
        _ change: @escaping @Sendable (RecordedTrip) throws -> RecordedTrip
    ) async throws {
        try await trips.update(trip, by: User.ID(seed: 1), adding: images.map(image)) {
            trip throws(TravelError) in
            inChange()
            do {
                return try change(trip)
            } catch let error as TravelError {
                throw error
            } catch {
                throw .unavailable(.init("\(error)", canRetry: false))
            }
        }
    }
}
