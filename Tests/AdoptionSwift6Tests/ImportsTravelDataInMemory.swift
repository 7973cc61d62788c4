import TravelDataInMemory

func newestTitleInMemory() async throws -> String? {
    let travels = InMemoryTravelRepository()
    try await travels.add(SampleTrips.all.map(\.travel))
    let page = try await SearchTravels(travels: travels)(TravelCriteria(regions: [.jeju]), viewer: nil)
    return page.travels.first?.region.name
}

extension Region {
    fileprivate var name: String { "\(self)" }
}
