import Foundation
import StreamsTesting
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Showing a trip", .inVirtualTime)
struct ShowTravelTests {
    let travels = InMemoryTravelRepository()
    let session = InMemorySession(signedIn: User.ID(seed: 2))
    let id = Travel.ID(seed: 1)
    let author = User.ID(seed: 1)

    init() async throws {
        try await travels.add((1...2).map { try TravelBuilder(seed: $0).build() })
    }

    private func entry(_ seed: UInt64) throws -> TimelineEntry {
        try TimelineEntry(
            id: TimelineEntry.ID(seed: seed), day: 1, time: TimeOfDay(hour: 9), title: Title("Entry"),
            text: EntryText("Text"))
    }

    @Test("a trip is emitted with its timeline, as the signed-in user sees it, after each change")
    func watching() async throws {
        try await watch(ShowTravel(travels: travels, session: session)(id)) { inbox in
            let first = try await inbox.next()
            #expect(first.travel == (try await travels.travel(id, viewer: User.ID(seed: 2))))
            #expect(first.timeline == [])
            try await travels.setLiked(true, travel: id, by: User.ID(seed: 2))
            #expect(try await inbox.next().travel.isLiked)
            let entry = try entry(1)
            try await travels.update(id, by: author) { travel throws(TravelError) in try travel.saving(entry) }
            let third = try await inbox.next()
            #expect(third.timeline == [entry])
            #expect(third.travel.version == .first.next)
            try await travels.rename(author, to: Nickname("Sora"), by: author)
            #expect(try await inbox.next().travel.author.nickname.text == "Sora")
        }
    }

    @Test("a removed trip ends the observation with notFound")
    func removals() async throws {
        var values = ShowTravel(travels: travels, session: session)(id).makeAsyncIterator()
        _ = try await values.next(isolation: nil)
        try await travels.update(id, by: author) { _ in nil }
        await #expect(throws: TravelError.notFound(.travel(id))) { try await values.next(isolation: nil) }
        #expect(try await values.next(isolation: nil) == nil)
    }

    @Test("a trip is shown to everyone when nobody is signed in, unless it is hidden")
    func visitors() async throws {
        var values = ShowTravel(travels: travels, session: .signedOut)(id).makeAsyncIterator()
        #expect(try await values.next(isolation: nil)?.travel.isLiked == false)
        for person in UInt64(10)...15 {
            try await travels.add(User(seed: person))
            try await travels.report(id, by: User.ID(seed: person))
        }
        await #expect(throws: TravelError.notFound(.travel(id))) { try await values.next(isolation: nil) }
    }

    @Test("the trip and the timeline of each value belong to one version, while someone edits", arguments: 1...8)
    func consistency(seed: UInt64) throws {
        let scheduler = TestScheduler(resolution: 0.001, seed: seed)
        let store = InMemoryTravelRepository()
        let shown = try scheduler.run {
            try await store.add([TravelBuilder(seed: 1).build()])
            return try await withThrowingTaskGroup(of: [TravelDetails].self) { group in
                group.addTask {
                    var shown: [TravelDetails] = []
                    for try await details in ShowTravel(travels: store, session: .signedOut)(id) {
                        shown.append(details)
                        if details.timeline.count == 20 { break }
                    }
                    return shown
                }
                group.addTask {
                    for seed in UInt64(1)...20 {
                        let entry = try entry(seed)
                        try await store.update(id, by: author) { travel throws(TravelError) in
                            try travel.saving(entry)
                        }
                    }
                    return []
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
        }
        #expect(shown.last?.timeline.count == 20)
        for details in shown { #expect(details.travel.version.number == details.timeline.count + 1) }
        scheduler.expectIdle()
    }
}
