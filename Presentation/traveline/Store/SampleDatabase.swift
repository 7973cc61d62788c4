import TravelSamples
import TravelDataSQLite
import TravelDomain

/// A database of sample trips, for the first run. Of two concurrent first runs, one creates it and the other uses it.
struct SampleDatabase {
    let path: String
    /// Whether to create missing folders.
    let makesFolders: Bool

    /// Creates the database; returns whether this process created it.
    func create() async throws -> Bool {
        try await DraftDatabase(path: path, makesFolders: makesFolders).create { database in
            let travels = database.travels
            try await travels.add(SampleTrips.all.map(\.travel))
            for trip in SampleTrips.all {
                for user in trip.likedBy { try await travels.setLiked(true, travel: trip.travel.id, by: user) }
            }
        }
    }
}
