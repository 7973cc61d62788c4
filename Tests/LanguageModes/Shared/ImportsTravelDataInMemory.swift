import TravelDataInMemory
import TravelSamples

func newestTitleInMemory() async throws -> String? {
    let trips = InMemoryTripRepository()
    try await trips.add(SampleTrips.all.map(\.trip))
    let search = SearchTrips(trips: trips, session: .signedOut)
    let page = try await search(TripCriteria(regions: [.jeju]))
    return page.trips.first?.region.name
}

extension Region {
    fileprivate var name: String { "\(self)" }
}
