import TravelSamples
import TravelDataSQLite
import TravelDomain

/// A database of sample trips, for the first run. Of two first runs at once one wins, and the other uses its work.
struct SampleDatabase {
    let path: String
    /// Whether folders that are not there are made.
    let makesFolders: Bool

    /// Whether it was made by this process.
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
