import Foundation
import StreamsTesting
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Recording travels", .inVirtualTime)
struct RecordTravelTests {
    let travels = InMemoryTravelRepository()
    let session = InMemorySession(signedIn: User.ID(seed: 1))
    let clock = InVirtualTime.clock
    let start = Date(timeIntervalSinceReferenceDate: 757_382_400)

    var record: RecordTravel {
        RecordTravel(travels: travels, users: travels, session: session) { [clock, start] in
            start.addingTimeInterval(clock.now.offset / .seconds(1))
        }
    }

    private func content(_ title: String) throws -> TravelContent {
        try TravelBuilder(seed: 1).with { $0.title = title }.build().content
    }

    @Test("a new travel has its author and the current time, and is empty")
    func recording() async throws {
        let author = try User(seed: 1)
        try await travels.add(author)
        try await clock.sleep(for: .seconds(90))
        let first = try await record(content("First"))
        try await clock.sleep(for: .seconds(3_600))
        let second = try await record(content("Second"))
        #expect(first.author == author)
        #expect(first.timeline == [])
        #expect(abs(first.createdAt.timeIntervalSince(start) - 90) < 1)
        #expect(abs(second.createdAt.timeIntervalSince(first.createdAt) - 3_600) < 1)
        let found = try await SearchTravels(travels: travels, session: session)(TravelCriteria()).travels
        #expect(found.map(\.id) == [second.id, first.id])
        #expect(found.allSatisfy { $0.isMine && $0.likeCount == 0 })
    }

    @Test("a new travel has the current nickname of its author")
    func nicknames() async throws {
        try await travels.add(User(seed: 1, nickname: "Mina"))
        try await travels.rename(User.ID(seed: 1), to: Nickname("Sora"), by: User.ID(seed: 1))
        #expect(try await record(content("First")).author.nickname.text == "Sora")
    }

    @Test("a person without an account cannot record a travel, and nobody can when signed out")
    func strangers() async throws {
        await #expect(throws: TravelError.notFound(.user(User.ID(seed: 1)))) {
            try await record(content("First"))
        }
        try await session.setSession(nil)
        await #expect(throws: TravelError.signedOut) { try await record(content("First")) }
        #expect(try await SearchTravels(travels: travels, session: session)(TravelCriteria()).travels == [])
    }

    @Test("a travel whose thumbnail is missing is not recorded")
    func thumbnails() async throws {
        try await travels.add(User(seed: 1))
        let image = try TravelImage(seed: 1)
        var content = try content("First")
        content.thumbnail = image.id
        await #expect(throws: TravelError.notFound(.image(image.id))) {
            try await record(content)
        }
        let travel = try await record(content, adding: image)
        #expect(try await travels.travel(travel.id, viewer: nil).thumbnail == image.id)
        #expect(try await SearchTravels(travels: travels, session: session)(TravelCriteria()).travels.count == 1)
    }
}
