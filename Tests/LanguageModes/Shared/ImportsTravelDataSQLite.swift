// One import is enough to hand a repository to a use case.
import TravelDataSQLite

func newestTitleOnDisk() async throws -> String? {
    let database = try await TravelDatabase.temporary()
    let search = SearchTrips(trips: database.trips, session: database.session)
    let page = try await search(TripCriteria(regions: [.jeju], sort: .newest))
    await database.close()
    return page.trips.first?.title.text
}
