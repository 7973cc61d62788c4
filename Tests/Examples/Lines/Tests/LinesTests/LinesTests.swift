import StreamsTesting
import Testing
import TravelDataInMemory
import TravelPresentation
import TravelSamples
import ViewModelsTesting

@testable import lines

@Suite("The travel log in lines")
@MainActor
struct LinesTests {
    private let scheduler = TestScheduler(resolution: 0.001)

    @Test("a trip is found by its title, opened, liked and left")
    func journey() throws {
        let store = InMemoryTripRepository()
        let trips = Array(SampleTrips.all.map(\.trip).prefix(5))
        try scheduler.run {
            for user in SampleTrips.travelers { try await store.add(user) }
            try await store.add(trips)
        }
        let device = InMemorySession(signedIn: SampleTrips.travelers[0].id)
        let edge = withDependencies {
            $0.useVirtualTime(of: scheduler)
        } operation: {
            scheduler.perform {
                LineEdge(
                    ScreenUseCases(
                        store: store, session: device, identity: device,
                        recentKeywords: InMemoryRecentKeywordRepository(),
                        readImage: { _ in throw TravelError.signedOut }, saveLanguage: { _ in }),
                    language: .english
                ) {}
            }
        }
        func type(_ line: String) {
            scheduler.perform { edge.type(line) }
            scheduler.advance(by: .milliseconds(500))
        }
        scheduler.advance(by: .milliseconds(500))
        #expect(edge.text.split(separator: "\n").count == 5)

        let trip = try #require(trips.last)
        type("/" + trip.content.title.text)
        #expect(edge.text.hasPrefix("1 \(trip.content.title.text) · "))
        type("1")
        #expect(edge.text.hasPrefix("\(trip.content.title.text) · \(trip.content.days.text) · day 1 · ♡ 0"))
        type("l")
        #expect(edge.text.contains("♥ 1"))
        type("b")
        #expect(edge.text.hasSuffix("♥ 1"))
        type("b")
        #expect(edge.hasEnded)
    }
}
