import Foundation
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

    @Test("each of many open pages shows what others change at its pace, with the newest state")
    func pace() throws {
        for (pages, counts) in [(100, 10...10), (200, 2...5)] {
            let world = try world(pages: pages)
            // One change in 100 ms, while a page waits for 200 to 600 ms after each patch.
            var patches: [PagePatch] = []
            for number in 1...10 {
                try like(!number.isMultiple(of: 2), 3, in: world)
                if let patch = world.patch() { patches.append(patch) }
            }
            #expect(counts.contains(patches.count), "\(patches.count) patches with \(pages) pages")
            world.pass(1_000)
            let last = try #require(world.patch() ?? patches.last)
            #expect(last.parts.first?.source.contains("♡ 0") == true)
        }
    }

    @Test("a page shows at once what its user does, and for a while what others change then")
    func ownAct() throws {
        let world = try world(pages: 1_000)
        try like(true, 3, in: world)
        #expect(world.patch() != nil)
        try like(true, 4, in: world)
        #expect(world.patch() == nil)
        world.press("like \(Trip.ID(seed: 2))", thenPass: 50)
        let patch = try #require(world.patch())
        #expect(
            patch.parts.contains { $0.source.contains("♥ 1") } && patch.parts.contains { $0.source.contains("♡ 1") })
        try like(false, 3, in: world)
        #expect(world.patch() != nil)
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
