import Foundation
import StreamsTesting
import Testing
import TravelDataInMemory
import TravelDomainTesting
import TravelPages

@testable import TravelBrowser

@MainActor
@Suite("What others change on open pages", .timeLimit(.minutes(2)))
struct LiveChangeTests {
    /// A tab with ten trips of ``AccountWorld/jun``, whose browser has them.
    private func world(at screen: Screen = .home, pages: Int = 0) throws -> AccountWorld {
        let pace = LivePace()
        pace.pageCount = pages
        let world = try AccountWorld(at: screen, pace: pace) { memory in
            for seed in 1...10 as ClosedRange<UInt64> {
                try await memory.add([
                    try TripBuilder(seed: seed, author: AccountWorld.jun).with { $0.title = "Trip \(seed)" }.build()
                ])
            }
        }
        _ = world.patch()
        world.pass(5_000)
        return world
    }

    private func like(_ isLiked: Bool, _ seed: UInt64, in world: AccountWorld) throws {
        try world.perform { try await $0.setLiked(isLiked, trip: Trip.ID(seed: seed), by: AccountWorld.jun.id) }
    }

    @Test("a patch has the row that has changed, and no other")
    func row() throws {
        let world = try world()
        try like(true, 3, in: world)
        let patch = try #require(world.patch())
        #expect(patch.parts.map(\.id) == ["trip-\(Trip.ID(seed: 3))"])
        #expect(patch.parts.first?.source.contains("♡ 1") == true)
        #expect(world.patch() == nil)
    }

    @Test("what the screen on top does not show is no patch, and is there when that screen closes")
    func covered() throws {
        let world = try world()
        world.receive([.link(ScreenAddress(.trip(Trip.ID(seed: 1))))], thenPass: 5_000)
        while world.patch() != nil {}
        try like(true, 3, in: world)
        #expect(world.patch() == nil)
        world.press("back")
        #expect(try #require(world.patch()).parts.contains { $0.source.contains("♡ 1") })
    }

    @Test("each of many open pages shows what others change in its turn, with the newest state")
    func turns() throws {
        for pages in [100, 101] {
            let world = try world(pages: pages)
            try like(true, 3, in: world)
            if pages == 100 {
                #expect(world.patch() != nil)
                continue
            }
            #expect(world.patch() == nil)
            try like(true, 4, in: world)
            #expect(try #require(world.patch()).parts.count == 2)
            #expect(world.patch() == nil)
        }
    }

    @Test("turns come in the order in which pages wait, ten in 20 milliseconds")
    func order() {
        let (scheduler, pace) = (TestScheduler(resolution: 0.001), LivePace())
        var turns: [Int] = []
        func enqueue(_ numbers: Range<Int>) {
            for number in numbers { pace.enqueue { turns.append(number) } }
        }
        SharingScheduler.mock(scheduler: scheduler) {
            enqueue(0..<25)
            scheduler.advance(by: .milliseconds(19))
            #expect(turns.isEmpty)
            scheduler.advance(by: .milliseconds(6))
            #expect(turns == Array(0..<10))
            enqueue(25..<31)
            scheduler.advance(by: .milliseconds(60))
            #expect(turns == Array(0..<31))
            // After a pause as in the beginning.
            scheduler.advance(by: .seconds(1))
            enqueue(31..<32)
            scheduler.advance(by: .milliseconds(25))
            #expect(turns == Array(0..<32))
        }
    }

    @Test("a page shows at once what its user does, and for a while what others change then")
    func ownAct() throws {
        let world = try world(pages: 1_000)
        try like(true, 4, in: world)
        #expect(world.patch() == nil)
        world.press("like \(Trip.ID(seed: 2))", thenPass: 10)
        let patch = try #require(world.patch())
        #expect(
            patch.parts.contains { $0.source.contains("♥ 1") } && patch.parts.contains { $0.source.contains("♡ 1") })
        try like(false, 4, in: world)
        #expect(world.patch() != nil)
        world.pass(1_000)
        try like(true, 5, in: world)
        #expect(world.patch() == nil)
    }
}

@Suite("Pieces of a screen")
struct PieceCacheTests {
    private final class Makes {
        var ids: [String] = []
    }

    @Test("a piece is made anew when its value changes, and only then")
    func values() {
        let (cache, makes) = (PieceCache(), Makes())
        func view(_ values: [String: Int], isOfOtherContext: Bool = false) -> String {
            cache.beginView(isOfOtherContext: isOfOtherContext)
            return values.sorted { $0.key < $1.key }.map { id, value in
                cache.piece(id, of: value) { value in
                    makes.ids.append(id)
                    return HTML(text: "\(id)\(value)")
                }.text
            }.joined()
        }
        #expect(view(["a": 1, "b": 1]) == "a1b1" && makes.ids == ["a", "b"])
        #expect(view(["a": 1, "b": 2]) == "a1b2" && makes.ids == ["a", "b", "b"])
        // What one view does not use is forgotten.
        #expect(view(["b": 2]) == "b2" && makes.ids.count == 3)
        #expect(view(["a": 1, "b": 2]) == "a1b2" && makes.ids == ["a", "b", "b", "a"])
        #expect(view(["a": 1, "b": 2], isOfOtherContext: true) == "a1b2" && makes.ids.count == 6)
    }

    @Test("a value of another type is another value")
    func types() {
        let cache = PieceCache()
        cache.beginView(isOfOtherContext: false)
        #expect(cache.piece("a", of: 1) { HTML(text: "\($0)") }.text == "1")
        #expect(cache.piece("a", of: "x") { HTML(text: $0) }.text == "x")
    }
}
