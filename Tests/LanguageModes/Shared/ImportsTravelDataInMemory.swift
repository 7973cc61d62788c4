import TravelDataInMemory
import TravelSamples

func newestTitleInMemory() async throws -> String? {
    let travels = InMemoryTravelRepository()
    try await travels.add(SampleTrips.all.map(\.travel))
    let search = SearchTravels(travels: travels, session: .signedOut)
    let page = try await search(TravelCriteria(regions: [.jeju]))
    return page.travels.first?.region.name
}

extension Region {
    fileprivate var name: String { "\(self)" }
}
