// One import is enough to hand a repository to a use case.
import TravelDataSQLite

func newestTitleOnDisk() async throws -> String? {
    let database = try await TravelDatabase.temporary()
    let search = SearchTravels(travels: database.travels, session: database.session)
    let page = try await search(TravelCriteria(regions: [.jeju], sort: .newest))
    await database.close()
    return page.travels.first?.title.text
}
