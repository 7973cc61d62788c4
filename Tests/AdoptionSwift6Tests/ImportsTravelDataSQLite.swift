// One import is enough to hand a repository to a use case.
import TravelDataSQLite

func newestTitleOnDisk() async throws -> String? {
    let database = try await TravelDatabase.temporary()
    let search = SearchTravels(travels: database.travels)
    let page = try await search(TravelCriteria(regions: [.jeju], sort: .newest), viewer: nil)
    await database.close()
    return page.travels.first?.title.text
}
