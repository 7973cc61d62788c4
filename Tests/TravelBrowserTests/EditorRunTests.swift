#if Server
import Composition
import Foundation
import StreamsTesting
import Synchronization
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting
import TravelFileSamples
import ViewModelsTesting
@testable import TravelBrowser

/// The only place that can be found.
private struct OnePlace: PlaceRepository {
    func search(_ text: String, limit: Int) async throws -> [KnownPlace] {
        let place = try Place(
            name: "해운대 해수욕장", address: "부산 해운대구", coordinate: Coordinate(latitude: 35.16, longitude: 129.16))
        return text == "해운대" ? [try KnownPlace(place: place, englishName: "Haeundae", region: .busan)] : []
    }

    func nearest(to coordinate: Coordinate, within meters: Double) async throws -> KnownPlace? { nil }
}

/// A tab of a browser in virtual time, above a store in memory.
@MainActor
private final class EditorWorld {
    let scheduler = TestScheduler(resolution: 0.001)
    let memory = InMemoryTripRepository()
    let session: BrowserSessions.Session
    let sessions: BrowserSessions
    /// The paths of files that were read.
    let paths: Paths
    private(set) var run: BrowserRun
    private let dependencies: DependencyValues
    private var number = 0

    final class Paths: Sendable {
        let list = Mutex<[String]>([])
    }

    nonisolated static let me = try! User(seed: 1, nickname: "나그네")

    init(at address: ScreenAddress) throws {
        let (memory, scheduler, paths) = (memory, scheduler, Paths())
        self.paths = paths
        try scheduler.run { try await memory.add(Self.me) }
        let account = InMemorySession(device: Self.me.id, signedIn: Self.me.id)
        let useCases = ScreenUseCases(
            store: memory, session: account, identity: account, recentKeywords: InMemoryRecentKeywordRepository(),
            readImage: { path in
                paths.list.withLock { $0.append(path) }
                let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
                // A picture that ends too early has no last byte.
                guard bytes.last != 0 else { throw TravelError.invalid(.init(.image, .keepsMetadata)) }
                return PickedImage(try TripImage(bytes: bytes))
            }, saveLanguage: { _ in })
        let sessions = BrowserSessions(time: { 0 })
        let session = sessions.begin(.init(useCases: useCases, language: .english, picture: { _, _, _ in nil }))
        (self.sessions, self.session) = (sessions, session)
        (run, dependencies) = SharingScheduler.mock(scheduler: scheduler) {
            withDependencies {
                $0.useVirtualTime(of: scheduler)
                $0.uuid = .incrementing
                $0.places = OnePlace()
            } operation: {
                scheduler.perform { (sessions.beginRun(at: address, in: session), DependencyValues.current) }
            }
        }
        pass(500)
    }

    private func inVirtualTime<Value>(_ body: () -> Value) -> Value {
        SharingScheduler.mock(scheduler: scheduler) { withDependencies(from: dependencies, operation: body) }
    }

    func pass(_ milliseconds: Int) {
        inVirtualTime { scheduler.advance(by: .milliseconds(milliseconds)) }
    }

    /// Sends inputs, as the script does.
    @discardableResult
    func send(_ pairs: (String, String)..., thenPass milliseconds: Int = 200) -> Bool {
        number += 1
        let inputs = pairs.compactMap { PageInput(name: $0.0, value: $0.1) }
        let isKnown = inVirtualTime { scheduler.perform { run.receive(inputs, number: number) } }
        pass(milliseconds)
        return isKnown
    }

    /// Sends a picture to the screen on top, as the script does.
    @discardableResult
    func upload(_ bytes: [UInt8], _ name: String) throws -> Bool {
        let picture = try session.pictures.stage(bytes, name: name)
        let screen = try #require(run.topScreen)
        let isTaken = inVirtualTime { scheduler.perform { run.pick(picture, on: screen) } }
        pass(200)
        return isTaken
    }

    func page() async -> CheckedXML { CheckedXML(await run.page(within: .zero).document) }

    /// What is stored.
    func stored() throws -> [(trip: Trip, timeline: [TimelineEntry])] {
        let memory = memory
        return try scheduler.run {
            var stored: [(trip: Trip, timeline: [TimelineEntry])] = []
            for trip in try await memory.search(TripQuery(TripCriteria(), viewer: Self.me.id)).trips {
                stored.append((trip, try await memory.timeline(of: trip.id, viewer: Self.me.id)))
            }
            return stored
        }
    }

    func image(_ id: TripImage.ID) throws -> TripImage {
        let memory = memory
        return try scheduler.run { try await memory.image(id, viewer: Self.me.id) }
    }

    /// Adds a trip of the user, of three days.
    func addTrip() throws {
        let trip = try TripBuilder(seed: 1, author: Self.me).with {
            $0.title = "부산 밤바다"
            $0.numberOfDays = 3
        }.build()
        let memory = memory
        try scheduler.run { try await memory.add([trip]) }
    }
}

@MainActor
@Suite("Editors in a run", .limitedConcurrency)
struct EditorRunTests {
    private static let trip = Trip.ID(seed: 1)

    /// Pictures as browsers send them; those with a number have it behind their end.
    private static func png(_ number: UInt8) -> [UInt8] { PictureFile().png + [number] }

    @Test("a trip is written and saved once, also by two clicks")
    func writeTrip() async throws {
        let world = try EditorWorld(at: ScreenAddress(.newTrip))
        #expect(await world.page().all("h1").map(\.text) == ["New trip"])
        world.send(("title", "제주 올레길"))
        world.send(("first-day", "2026-05-01"), ("last-day", "2026-05-03"))
        world.send(("region", "jeju"))
        world.send(("theme-food", "on"), ("audience", "everyone"))
        let page = await world.page()
        #expect(page.elements.first { $0.attributes["id"] == "page" }?.attributes["data-unsaved"] == "")
        #expect(page.elements.first { $0.attributes["id"] == "edit-last-day" }?.attributes["value"] == "2026-05-03")
        world.send(("do", "save"), thenPass: 0)
        world.send(("do", "save"))
        let stored = try world.stored()
        #expect(stored.count == 1)
        let content = try #require(stored.first?.trip.content)
        #expect(content.title.text == "제주 올레길" && content.region == .jeju && content.days.count == 3)
        #expect(content.themes == [.food] && content.audience == .everyone)
        let after = await world.page()
        #expect(after.all("p", class: "message").map(\.text).contains { $0.hasPrefix("Saved.") })
        #expect(after.all("form").allSatisfy { $0.attributes["id"] != "editor" })
    }

    @Test("an entry is saved with the four of five pictures that can be taken, and the fifth says why")
    func fivePictures() async throws {
        let world = try EditorWorld(at: ScreenAddress(.home))
        try world.addTrip()
        world.send(("go", "/app/trips/\(Self.trip)/entries/new?day=2"), thenPass: 500)
        world.send(("title", "광안리"), ("text", "바람이\r\n많이 불었다."), ("time", "21:15"))
        for number in 1...5 {
            // The third one is cut off.
            try world.upload(number == 3 ? Self.png(0) : Self.png(UInt8(number)), "IMG_\(number).png")
        }
        let page = await world.page()
        let ids = page.elements.compactMap { $0.attributes["data-item"] }
        #expect(ids.count == 4)
        #expect(page.all("li", class: "problem").map { $0.text.prefix(11) } == ["IMG_3.png: "])
        world.send(("do", "move-left \(ids[3])"))
        world.send(("describe-\(ids[0])", "다리"))
        world.send(("place", "광안리 해수욕장"), thenPass: 500)
        world.send(("do", "save"), thenPass: 500)
        let entry = try #require(try world.stored().first?.timeline.first)
        #expect(entry.day == 2 && entry.time.description == "21:15" && entry.title.text == "광안리")
        #expect(entry.text.text == "바람이\n많이 불었다." && entry.place?.name == "광안리 해수욕장")
        #expect(entry.pictures.map { "\($0.id)" } == [ids[0], ids[1], ids[3], ids[2]])
        #expect(entry.pictures.first?.text?.text == "다리")
        #expect(try world.image(entry.pictures[1].id).bytes == Data(Self.png(2)))
        #expect(await world.page().all("p", class: "message").map(\.text).contains { $0.hasPrefix("Saved.") })
    }

    @Test("a place is found as one types, picked and removed")
    func place() async throws {
        let world = try EditorWorld(at: ScreenAddress(.home))
        try world.addTrip()
        world.send(("go", "/app/trips/\(Self.trip)/entries/new"), thenPass: 500)
        world.send(("place", "해운"), ("place", "해운대"), thenPass: 500)
        let found = try #require(await world.page().all("button", class: "proposal").first)
        #expect(found.text == "해운대 해수욕장 부산 해운대구")
        world.send(("do", try #require(found.attributes["value"])))
        #expect(await world.page().all("p", class: "place").map(\.text) == ["해운대 해수욕장 부산 해운대구"])
        // Picked twice, it is there once.
        world.send(("do", try #require(found.attributes["value"])))
        world.send(("do", "remove-place"))
        #expect(await world.page().elements.first { $0.attributes["id"] == "edit-place" }?.attributes["value"] == "")
    }

    @Test("leaving a changed form asks, by the button, by Escape and by going back in the browser")
    func leaving() async throws {
        let world = try EditorWorld(at: ScreenAddress(.newTrip))
        world.send(("title", "제주"))
        for leave in [("do", "back"), ("history", "/app/")] {
            world.send(leave)
            let page = await world.page()
            #expect(page.all("p").contains { $0.text == "Discard your changes?" })
            #expect(page.elements.first { $0.attributes["id"] == "edit-title" }?.attributes["value"] == "제주")
            world.send(("do", "answer no"))
            #expect(await world.page().all("div", class: "question").isEmpty)
        }
        world.send(("history", "/app/"))
        world.send(("do", "answer yes"))
        #expect(await world.page().all("form").allSatisfy { $0.attributes["id"] != "editor" })
    }

    @Test("an unchanged form closes without a question")
    func leavingUnchanged() async throws {
        let world = try EditorWorld(at: ScreenAddress(.newTrip))
        world.send(("history", "/app/"))
        #expect(await world.page().all("form").allSatisfy { $0.attributes["id"] != "editor" })
    }

    @Test(
        "no path that a browser sends is read",
        arguments: [
            "/etc/passwd", "../../etc/passwd", "~/.ssh/id_rsa", "file:///etc/passwd", "\(TripImage.ID(seed: 9))",
            "\(TripImage.ID(seed: 9)) /etc/passwd", "\(TripImage.ID(seed: 9))/../../../etc/passwd", "", " ", "\u{0}",
        ])
    func attack(path: String) async throws {
        let world = try EditorWorld(at: ScreenAddress(.newTrip))
        let inputs = ["picked \(path)", "picked", "close-failure \(path)"].map { ("do", $0) }
        for input in inputs + [("restore", path), ("restore", #"{"pictures":[{"id":"\#(path)","hasTime":true}]}"#)] {
            world.send(input, thenPass: 300)
        }
        #expect(world.paths.list.withLock { $0 } == [])
        #expect(await world.page().all("form").contains { $0.attributes["id"] == "editor" })
    }

    @Test("a picture of one session is nothing in another")
    func otherSession() async throws {
        let (mine, theirs) = (
            try EditorWorld(at: ScreenAddress(.newTrip)), try EditorWorld(at: ScreenAddress(.newTrip))
        )
        let picture = try mine.session.pictures.stage(Self.png(1), name: "a.png")
        theirs.send(("do", "picked \(picture.path)"), thenPass: 300)
        #expect(theirs.paths.list.withLock { $0 } == [] && theirs.session.pictures.picture(picture.id) == nil)
        #expect(await theirs.page().all("li", class: "problem").count == 1)
        mine.send(("do", "picked \(picture.path)"), thenPass: 300)
        #expect(mine.paths.list.withLock { $0 }.count == 1)
        #expect(mine.session.pictures.picture(picture.id)?.bytes == Data(Self.png(1)))
    }

    @Test("a picture that arrives after its form has closed goes into no other form")
    func closedScreen() async throws {
        let world = try EditorWorld(at: ScreenAddress(.newTrip))
        let screen = try #require(world.run.topScreen)
        world.send(("do", "back"))
        world.send(("go", "/app/trips/new"))
        let picture = try world.session.pictures.stage(Self.png(1), name: "a.png")
        #expect(!world.run.pick(picture, on: screen) && !world.run.hasScreen(screen))
        world.pass(300)
        #expect(world.paths.list.withLock { $0 } == [])
    }

    @Test("a cover is picked, replaced and removed")
    func cover() async throws {
        let world = try EditorWorld(at: ScreenAddress(.newTrip))
        func covers(_ page: CheckedXML) -> [String] { page.all("img").compactMap { $0.attributes["src"] } }
        try world.upload(Self.png(1), "a.png")
        let first = covers(await world.page())
        #expect(first.count == 1 && first[0].hasPrefix("/app/images/"))
        try world.upload(Self.png(2), "b.png")
        let second = covers(await world.page())
        #expect(second.count == 1 && second != first)
        try world.upload(Array("GIF99a".utf8), "c.gif")
        #expect(covers(await world.page()) == second)
        world.send(("do", "remove-image"))
        #expect(covers(await world.page()) == [])
    }
}
#endif
