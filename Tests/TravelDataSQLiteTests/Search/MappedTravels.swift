import SQLiteStore
import Synchronization
import TravelDomain

@testable import TravelDataSQLite

/// A repository whose bitmaps contain every travel, as in large databases, even if there are few.
struct MappedTravels: TravelRepository {
    private let database: TravelDatabase
    private let isMapped = Flag()
    private var travels: SQLiteTravelRepository { database.travels }

    init(_ database: TravelDatabase) { self.database = database }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    func search(_ query: TravelQuery) async throws -> TravelPage {
        if !isMapped.value.exchange(true, ordering: .sequentiallyConsistent) {
            try await database.database.write { try TravelBitmaps.update($0, ifMoreThan: 0) }
        }
        return try await travels.search(query)
    }

    func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel {
        try await travels.travel(id, viewer: viewer)
    }

    func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await travels.timeline(of: id, viewer: viewer)
    }

    func add(_ added: [RecordedTravel], images: [TravelImage]) async throws {
        try await travels.add(added, images: images)
        isMapped.value.store(false, ordering: .sequentiallyConsistent)
    }

    func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        try await travels.setLiked(isLiked, travel: id, by: user)
        isMapped.value.store(false, ordering: .sequentiallyConsistent)
    }
}
