import Foundation
import Testing
import TravelDataInMemory
import TravelDataSQLite
import TravelDomain
import TravelSamples
import ViewModelsTesting

@Suite("Examples of the README")
struct ReadmeExamples {
    @Test("greets 300 ms after the last key")
    func greetsAfterAPause() {
        let scheduler = TestScheduler(resolution: 0.001)  // a tick is a millisecond
        let name = scheduler.createHotObservable([.next(210, "Mi"), .next(280, "Mina")])
        let viewModel = withDependencies {
            $0.useVirtualTime(of: scheduler)
        } operation: {
            GreetingViewModel()
        }

        let greeting = scheduler.start { viewModel.transform(.init(name: name.asObservable())).greeting }

        #expect(greeting.events == [.next(580, "Hello, Mina")])
    }

    @Test("a use case takes any repository")
    func repositoriesAreSwapped() async throws {
        let folder = try Shell.temporaryFolder()
        defer { Shell.remove(folder) }
        let path = folder.appendingPathComponent("trips.sqlite").path

        func newestTitle(in trips: any TripRepository) async throws -> String? {
            let search = SearchTrips(trips: trips, session: .signedOut)
            return try await search(TripCriteria(sort: .newest)).trips.first?.title.text
        }

        let onDisk = try await newestTitle(in: TravelDatabase.open(path: path).trips)
        let inMemory = try await newestTitle(in: InMemoryTripRepository())

        #expect(onDisk == nil && inMemory == nil)
    }

    @Test("a search for a region finds trips to that region only")
    func regionIsRespected() async throws {
        let trips = InMemoryTripRepository()
        try await trips.add(SampleTrips.all.map(\.trip))

        let search = SearchTrips(trips: trips, session: .signedOut)
        let page = try await search(TripCriteria(regions: [.jeju]))

        #expect(Set(page.trips.map(\.region)) == [.jeju])
    }

    @Test("a repository stores and finds values")
    func repositoryIsWritten() async throws {
        let folder = try Shell.temporaryFolder()
        defer { Shell.remove(folder) }
        let cities = try await SQLiteCityRepository(path: folder.appendingPathComponent("cities.sqlite").path)

        try await cities.add(City(name: "Busan", population: 3_300_000))
        try await cities.add(City(name: "Seoul", population: 9_500_000))

        #expect(try await cities.largest(1) == [City(name: "Seoul", population: 9_500_000)])
    }

    @Test("a flow changes its state and asks for side effects")
    func flowIsReduced() {
        let flow = SearchFlow { _ in [] }
        var state = flow.initialState

        let next = flow.reduce(&state, .typed("제주"))

        #expect(state == SearchFlow.State(text: "제주"))
        #expect(next == .latest(.search("제주")))
    }
}
