import Foundation
import Testing
import TravelDataInMemory
import TravelDataSQLite
import TravelDomain

@Suite("Examples of the README")
struct ReadmeExamples {
    @Test("a use case takes any repository")
    func repositoriesAreSwapped() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("readme-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { Shell.remove(folder) }
        let path = folder.appendingPathComponent("travels.sqlite").path

        func newestTitle(in travels: any TravelRepository) async throws -> String? {
            let search = SearchTravels(travels: travels)
            return try await search(TravelCriteria(sort: .newest), viewer: nil).travels.first?.title.text
        }

        let onDisk = try await newestTitle(in: TravelDatabase.open(path: path).travels)
        let inMemory = try await newestTitle(in: InMemoryTravelRepository())

        #expect(onDisk == nil && inMemory == nil)
    }

    @Test("a search for a region finds trips to that region only")
    func regionIsRespected() async throws {
        let travels = InMemoryTravelRepository()
        try await travels.add(SampleTrips.all.map(\.travel))

        let page = try await SearchTravels(travels: travels)(TravelCriteria(regions: [.jeju]), viewer: nil)

        #expect(Set(page.travels.map(\.region)) == [.jeju])
    }
}
