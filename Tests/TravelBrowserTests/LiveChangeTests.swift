import Foundation
import StreamsTesting
import Synchronization
import Testing
import TravelDataInMemory
import TravelDomainTesting
import TravelFileSamples
import TravelPages

@testable import TravelBrowser

@MainActor
@Suite("What others change on open pages", .timeLimit(.minutes(2)))
struct LiveChangeTests {
    /// A tab with ten trips of ``AccountWorld/jun``, whose browser has them.
    private func world(at screen: Screen = .home) throws -> AccountWorld {
        let world = try AccountWorld(at: screen) { memory in
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

    @Test("an entry that comes before others leaves them as they are, but for their numbers")
    func entryBefore() throws {
        let trip = Trip.ID(seed: 1)
        let world = try world(at: .trip(trip))
        func add(_ seed: UInt64, _ hour: Int) throws {
            try world.perform { memory in
                _ = try await memory.update(trip, by: AccountWorld.jun.id) { trip throws(TravelError) in
                    let entry = try TimelineEntry(
                        id: .init(seed: seed), day: 1, time: TimeOfDay(hour: hour), title: Title("Entry \(seed)"),
                        text: EntryText("Text"))
                    return try RecordedTrip(
                        id: trip.id, author: trip.author, createdAt: trip.createdAt, version: trip.version,
                        content: trip.content, timeline: trip.timeline + [entry])
                }
            }
        }
        for seed in 1...3 as ClosedRange<UInt64> { try add(seed, 10 + Int(seed)) }
        while world.patch() != nil {}
        try add(4, 9)
        let patch = try #require(world.patch())
        let entries = (1...4).map { "entry-\(TimelineEntry.ID(seed: UInt64($0)))" }
        #expect(world.page.all("article").compactMap { $0.attributes["id"] } == [entries[3]] + entries.prefix(3))
        #expect(
            world.page.all("span", class: "stop").compactMap { $0.attributes["id"] } == (1...4).map { "stop-\($0)" })
        let changed = patch.parts.filter { $0.id.hasPrefix("entry-") && !$0.source.contains("Entry 4") }
        #expect(changed.map(\.id) == Array(entries.prefix(3)))
        #expect(patch.parts.contains { $0.id == entries[3] })
        // Each element keeps its entry.
        for seed in 1...3 { #expect(changed[seed - 1].source.contains("Entry \(seed)")) }
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

    @Test("a page says that it loads when that takes longer than a moment, and else shows the result at once")
    func loading() throws {
        let world = try world()
        world.receive([.link(ScreenAddress(.trip(Trip.ID(seed: 1))))], thenPass: 5)
        #expect(world.patch() == nil)
        world.pass(40)
        #expect(try #require(world.patch()).title.hasPrefix("Trip 1"))
        #expect(world.patch() == nil)
    }
}

@Suite("Turns of open pages", .timeLimit(.minutes(1)))
struct LivePaceTests {
    private final class Steps: Sendable {
        private let steps = Mutex<[String]>([])

        var all: [String] { steps.withLock(\.self) }

        func add(_ step: String) { steps.withLock { $0.append(step) } }
    }

    private let scheduler = TestScheduler(resolution: 0.001)

    /// The turns of so many open pages.
    private func pace(of pages: Int) -> LivePace {
        let pace = LivePace(on: scheduler)
        pace.add(pages: pages)
        return pace
    }

    /// The milliseconds that a viewer waits after it acted so many milliseconds ago.
    private func wait(_ pages: Int, afterAct milliseconds: Int? = nil) throws -> Int {
        let (pace, viewer) = (pace(of: pages), LiveViewer())
        return try scheduler.run { [scheduler, clock = scheduler.virtualClock] in
            if let milliseconds {
                viewer.act(at: scheduler.now)
                try await clock.sleep(for: .milliseconds(milliseconds))
            }
            let start = clock.now
            await pace.turn(of: viewer)
            return Int(start.duration(to: clock.now) / .milliseconds(1))
        }
    }

    @Test("more than 100 pages take turns; a viewer that acted within the last 0.6 seconds does not wait")
    func whoWaits() throws {
        #expect(try [wait(1), wait(100), wait(101), wait(1_000)] == [0, 0, 20, 20])
        #expect(try [wait(101, afterAct: 0), wait(101, afterAct: 599), wait(101, afterAct: 601)] == [0, 0, 20])
    }

    @Test("turns come in the order in which viewers wait, ten in 20 milliseconds")
    func order() throws {
        let pace = pace(of: 101)
        let turns = try scheduler.run { [clock = scheduler.virtualClock] in
            let start = clock.now
            return await withTaskGroup(of: (Int, Int).self) { group in
                for number in 0..<25 {
                    group.addTask {
                        await pace.turn(of: LiveViewer())
                        return (number, Int(start.duration(to: clock.now) / .milliseconds(1)))
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }.sorted { $0 < $1 }
            }
        }
        #expect(
            turns.map(\.1) == Array(repeating: 20, count: 10) + Array(repeating: 40, count: 10)
                + Array(repeating: 60, count: 5))
    }

    @Test("a viewer that acts or is cancelled stops waiting, and uses up no turn of the others")
    func release() throws {
        let pace = pace(of: 101)
        let viewer = LiveViewer()
        let steps = Steps()
        try scheduler.run { [scheduler, clock = scheduler.virtualClock] in
            await withTaskGroup { group in
                for number in 0..<10 {
                    group.addTask {
                        await pace.turn(of: viewer)
                        steps.add("acted")
                    }
                    group.addTask {
                        await withTaskGroup { wait in
                            wait.addTask { await pace.turn(of: LiveViewer()) }
                            try? await clock.sleep(for: .milliseconds(number))
                            wait.cancelAll()
                        }
                        steps.add("given up")
                    }
                }
                for _ in 0..<10 {
                    group.addTask {
                        await pace.turn(of: LiveViewer())
                        steps.add("had a turn")
                    }
                }
                try? await clock.sleep(for: .milliseconds(15))
                viewer.act(at: scheduler.now)
                await pace.turn(of: viewer)
                try? await clock.sleep(for: .milliseconds(10))
                steps.add("the first turns are over")
            }
        }
        let all = steps.all
        #expect(all.prefix(20).filter { $0 == "given up" }.count == 10)
        #expect(all.prefix(20).filter { $0 == "acted" }.count == 10)
        #expect(
            all.dropFirst(20).prefix(10).allSatisfy { $0 == "had a turn" } && all.last == "the first turns are over"
        )
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
