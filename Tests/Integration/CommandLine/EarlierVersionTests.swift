import Foundation
import TestTurns
import Testing
import TravelDataSQLite
import TravelDomain

@testable import traveline

@Suite("A database of an earlier version", .takesTurns, .enabled(if: Program.isBuilt))
struct EarlierVersionTests {
    @Test("the trips that an earlier version imported stay the person's own")
    func importedTrips() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("earlier-\(UUID().uuidString).db").path
        defer { Shell.remove(URL(fileURLWithPath: path)) }
        let database = try await TravelDatabase.open(path: path)
        let person = try #require(LocalIdentity.ofEarlierVersions)
        let content = TravelContent(
            title: try Title("Old trip"), region: .jeju, days: DayRange(try CalendarDay("2024-05-01"), days: 1))
        let trip = try RecordedTravel(
            author: User(id: person, nickname: try Nickname("나그네")),
            createdAt: Date(timeIntervalSince1970: 1_700_000_000),
            content: content, timeline: [])
        try await database.travels.add([trip])
        await database.close()

        let command = """
            $traveline me travels --database '\(path)' && $traveline edit \(trip.id) --title 'New name' --database '\(path)' && \
            $traveline show \(trip.id) --database '\(path)' | head -n 1
            """
        try Program.run(command) { result, _ in
            #expect(result.status == 0, "\(result.error)")
            #expect(result.output.contains("Old trip"))
            #expect(result.output.hasSuffix("New name\n"))
        }
    }
}
