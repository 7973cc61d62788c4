import Foundation
import CompositionTesting
import Synchronization
import Testing
import TravelDomainTesting
import TravelFileSamples
import TravelPages

@testable import TravelBrowser

@MainActor
@Suite("A tab of the app", .timeLimit(.minutes(2)), .liveTime)
struct RunTests {
    private final class Calls: Sendable {
        let list = Mutex<[UndoableDeletion]>([])
    }

    @Test("the first page has the trips, and a patch has only the row that has changed since")
    func like() async throws {
        let world = try await BrowserWorld(trips: 3)
        let run = world.run()
        let (document, version) = await run.page(within: .seconds(20))
        let page = String(decoding: document, as: UTF8.self)
        for number in 1...3 { #expect(page.contains(">Trip \(number)</h2>")) }
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("<title>Trips – Traveline</title>"))

        let trip = Trip.ID(seed: 2)
        run.receive([.control(.init("like", "\(trip)"))], number: 1)
        let patches = await run.patches(after: version, until: "♥ 1")
        #expect(Set(patches.flatMap(\.parts).map(\.id)) == ["trip-\(trip)"])
        #expect(patches.last?.lastInput == 1)
        run.close()
    }

    @Test("what is written elsewhere appears by itself")
    func live() async throws {
        let world = try await BrowserWorld(trips: 1)
        let run = world.run()
        let (_, version) = await run.page(within: .seconds(20))
        try await world.add(5, "Written elsewhere")
        let patches = await run.patches(after: version, until: "Written elsewhere")
        #expect(Set(patches.flatMap(\.parts).map(\.id)) == ["trips", "trip-\(Trip.ID(seed: 5))"])
        run.close()
    }

    @Test("an input whose number was handled has no second effect")
    func repeatedInput() async throws {
        let world = try await BrowserWorld(trips: 1)
        let run = world.run()
        _ = await run.text()
        for _ in 1...3 { run.receive([.control(.init("like", "\(Trip.ID(seed: 1))"))], number: 1) }
        #expect(await run.text().contains("aria-pressed=\"true\""))
        run.receive([.control(.init("like", "\(Trip.ID(seed: 1))"))], number: 2)
        #expect(await run.text().contains("aria-pressed=\"false\""))
        run.close()
    }

    @Test("a browser that has lost a patch gets the whole page")
    func lostPatch() async throws {
        let world = try await BrowserWorld(trips: 2)
        let run = world.run()
        let (_, version) = await run.page(within: .seconds(20))
        run.receive([.control(.init("like", "\(Trip.ID(seed: 1))"))], number: 1)
        _ = await run.patches(after: version, until: "♥ 1")
        // The browser connects again, with the version before.
        let patch = try #require(await run.patch(after: version, on: run.beginStream()))
        #expect(patch.parts.first?.id == "page")
        #expect(patch.parts.contains { $0.source.contains("♥ 1") })
        run.close()
    }

    @Test("a browser that has lost the patch with a new address gets the address with the next one")
    func lostAddress() async throws {
        let world = try await BrowserWorld(trips: 2)
        let run = world.run()
        let (_, version) = await run.page(within: .seconds(20))
        let trip = ScreenAddress(.trip(Trip.ID(seed: 1)))
        run.receive([.link(trip)], number: 1)
        _ = await run.patch(after: version, on: run.beginStream())
        let patch = try #require(await run.patch(after: version, on: run.beginStream()))
        #expect(String(decoding: patch.json, as: UTF8.self).contains("\"address\":\"\(trip.text)\""))
        run.close()
    }

    @Test("100 browsers that reconnect at once get their own page each, whole")
    func reconnections() async throws {
        let world = try await BrowserWorld(trips: 100)
        var browsers: [(number: Int, run: BrowserRun, version: Int)] = []
        for number in 1...100 {
            let run = world.run(at: .trip(Trip.ID(seed: UInt64(number))))
            let (_, version) = await run.page(within: .seconds(20))
            run.receive([.control(.init("like"))], number: 1)
            // The connection breaks with the patch that is on its way.
            _ = await run.patch(after: version, on: run.beginStream())
            browsers.append((number, run, version))
        }
        let patches = await withTaskGroup(of: (Int, PagePatch?).self) { group in
            for (number, run, version) in browsers {
                group.addTask { (number, await run.patch(after: version, on: run.beginStream())) }
            }
            var patches: [Int: PagePatch] = [:]
            for await (number, patch) in group { patches[number] = patch }
            return patches
        }
        for number in 1...100 {
            let patch = try #require(patches[number])
            #expect(patch.parts.first?.id == "page" && patch.lastInput == 1)
            #expect(patch.address == ScreenAddress(.trip(Trip.ID(seed: UInt64(number)))).text)
            #expect(patch.parts.contains { $0.source.contains(">Trip \(number)</h1>") })
        }
        for (_, run, _) in browsers { run.close() }
    }

    @Test("a screen has its address, and going back in the browser shows the one before, with what it showed")
    func addresses() async throws {
        let world = try await BrowserWorld(trips: 30)
        let run = world.run()
        _ = await run.text()
        run.receive([.control(.init("more"))])
        #expect(await run.text().contains(">Trip 1</h2>"))
        let trip = ScreenAddress(.trip(Trip.ID(seed: 1)))
        run.receive([.link(trip)])
        #expect(await run.text().contains("action=\"\(trip.text)\""))
        run.receive([.history(ScreenAddress(.home))])
        let home = await run.text()
        // The list is still as long as it was.
        #expect(home.contains("action=\"/app/\"") && home.contains(">Trip 1</h2>"))
        run.receive([.history(trip)])
        #expect(await run.text().contains("action=\"\(trip.text)\""))
        run.close()
    }

    @Test("a form or an entry that is opened by its address leads back to its trip")
    func belowAnAddress() async throws {
        let world = try await BrowserWorld()
        let trip = try await world.add(1, "Mine", by: 1)
        let entry = trip.timeline[0].id
        for screen: Screen in [
            .newEntry(in: trip.id, day: 1), .entryEditor(entry, in: trip.id), .entry(entry, in: trip.id),
            .tripEditor(trip.id), .map(trip.id, day: 1),
        ] {
            let run = world.run(at: screen)
            #expect(await run.text().contains("action=\"\(ScreenAddress(screen).text)\""))
            run.receive([.control(.init("back"))])
            #expect(await run.text().contains("action=\"\(ScreenAddress(.trip(trip.id)).text)\""), "\(screen)")
            run.receive([.control(.init("back"))])
            #expect(await run.text().contains("action=\"/app/\""), "\(screen)")
            run.close()
        }
    }

    @Test("the author of a trip sees who else sees it, and by which address")
    func sharing() async throws {
        let world = try await BrowserWorld()
        let key = LinkKey()
        var trips: [RecordedTrip] = []
        for (number, audience) in [(UInt64(1), Audience.onlyMe), (2, .byLink(key)), (3, .everyone)] {
            trips.append(
                try TripBuilder(seed: number, author: User(seed: 1)).with { $0.audience = audience }.build())
        }
        try await world.store.add(trips)
        for (trip, address) in zip(
            trips, [nil, "/trips/\(trips[1].id)?key=\(key.text)", "/trips/\(trips[2].id)"])
        {
            var useCases = world.useCases
            useCases.sharedPage = { PageSite().trip($0, key: $1) }
            let local = try await Self.sharing(on: world.run(at: .trip(trip.id)))
            let connected = try await Self.sharing(on: world.run(useCases, at: .trip(trip.id)))
            #expect(local.text?.contains("connected to a server") == (address != nil) && local.addresses == [])
            #expect(connected.text?.contains("connected to a server") == false)
            #expect(connected.addresses == (address.map { [$0, $0] } ?? []))
        }
        // Nobody else gets it.
        let foreign = try TripBuilder(seed: 4, author: User(seed: 2)).with { $0.audience = .everyone }.build()
        try await world.store.add([foreign])
        #expect(try await Self.sharing(on: world.run(at: .trip(foreign.id))).text == nil)
    }

    /// What a page says about who sees the trip, with the addresses that it leads to and copies.
    private static func sharing(on run: BrowserRun) async throws -> (text: String?, addresses: [String]) {
        let page = CheckedXML(Data(await run.text().utf8))
        run.close()
        let links = page.all("a").compactMap { $0.attributes["href"] }.filter { $0.hasPrefix("/trips/") }
        let copied = page.all("button").compactMap { $0.attributes["data-copy"] }
        return (page.elements.first { $0.attributes["id"] == "sharing" }?.text, links + copied)
    }

    @Test("a message that is shown already is shown once")
    func repeatedMessage() async throws {
        let world = try await BrowserWorld()
        let trip = try await world.add(1, "Mine", by: 1)
        let run = world.run(at: .trip(trip.id))
        _ = await run.text()
        for title in ["Once", "Twice"] {
            run.receive([.control(.init("edit"))])
            _ = await run.text()
            run.receive([.field("title", title), .control(.init("save"))])
            // The trip is observed: its new title follows the end of the form.
            while await !run.text().contains(">\(title)</h1>") { await Task.yield() }
        }
        let page = CheckedXML(Data(await run.text().utf8))
        #expect(page.all("p", class: "message").map { $0.text.prefix(6) } == ["Saved."])
        run.close()
    }

    @Test("a link to another search changes the list and its address")
    func search() async throws {
        let world = try await BrowserWorld(trips: 12)
        let run = world.run()
        _ = await run.text()
        let criteria = TripCriteria(keyword: Keyword("Trip 12"), sort: .mostLiked)
        run.receive([.link(ScreenAddress(.search(criteria)))])
        let page = await run.text()
        #expect(page.contains(">Trip 12</h2>") && !page.contains(">Trip 3</h2>"))
        #expect(page.contains("action=\"\(ScreenAddress(.search(criteria)).text.replacing("&", with: "&amp;"))\""))
        run.receive([.link(ScreenAddress(.home))])
        #expect(await run.text().contains(">Trip 3</h2>"))
        run.close()
    }

    @Test("a trip that is gone, or that nobody may see, says so")
    func gone() async throws {
        let world = try await BrowserWorld()
        let run = world.run(at: .trip(Trip.ID(seed: 9)), .korean)
        #expect(await run.text().contains("없거나 볼 수 없는 여행입니다."))
        run.close()
    }

    @Test("the message of a deletion has a button that brings back exactly what was deleted, once")
    func undo() async throws {
        let world = try await BrowserWorld(trips: 2)
        let mine = try await world.add(9, "Mine", by: 1)
        let deletion = UndoableDeletion(id: .init(seed: 7), of: .trip(mine.id))
        let calls = Calls()
        var useCases = world.useCases
        useCases.deleteTrip = { [delete = useCases.deleteTrip] id in
            _ = try await delete(id)
            return deletion
        }
        useCases.undo = { deletion in
            calls.list.withLock { $0.append(deletion) }
            try await world.store.add([mine])
        }
        let run = BrowserRun(useCases, language: .english, at: ScreenAddress(.trip(mine.id)), id: "run", token: "token")
        _ = await run.text()
        run.receive([.control(.init("delete"))])
        run.receive([.control(.init("answer", "yes"))])
        let home = await run.text()
        #expect(home.contains("Trip deleted.") && !home.contains("Mine"))
        #expect(home.contains("value=\"undo \(deletion.text)\"") && home.contains("data-key=\"z\""))
        for _ in 1...2 { run.receive([.control(.init("undo", deletion.text))]) }
        let page = await run.text()
        #expect(page.contains("The trip is back.") && page.contains("action=\"\(ScreenAddress(.trip(mine.id)).text)\""))
        #expect(page.contains("Mine") && !page.contains("value=\"undo"))
        #expect(calls.list.withLock { $0 } == [deletion])
        #expect(!run.receive([.control(.init("undo", "\(mine.id)"))]) && calls.list.withLock { $0.count } == 1)
        run.close()
    }

    @Test("a deletion is undone by its text, as a page without the script has it, and no other text is one")
    func undoText() throws {
        for removed in [
            UndoableDeletion.Removed.trip(Trip.ID(seed: 1)), .entry(TimelineEntry.ID(seed: 2), in: Trip.ID(seed: 1)),
        ] {
            let deletion = UndoableDeletion(id: .init(seed: 3), of: removed)
            #expect(UndoableDeletion(text: deletion.text) == deletion)
            for text in [
                "", deletion.text + " ", " " + deletion.text, deletion.text + " x", "x", "\(Trip.ID(seed: 1))",
            ] {
                #expect(UndoableDeletion(text: text) == nil, "\(text)")
            }
        }
    }

    @Test("the patches end when the run ends, when another stream begins, and when its task is cancelled")
    func ends() async throws {
        let world = try await BrowserWorld(trips: 1)
        let run = world.run()
        _ = await run.text()
        // Each follows its stream until there is no further patch.
        func following(_ stream: Int) -> Task<Void, Never> {
            Task { while await run.patch(after: run.version, on: stream) != nil {} }
        }
        let first = following(run.beginStream())
        await Task.yield()
        let second = run.beginStream()
        await first.value
        let cancelled = following(second)
        await Task.yield()
        cancelled.cancel()
        await cancelled.value
        let closed = following(second)
        await Task.yield()
        run.close()
        await closed.value
    }

    @Test("a run that has closed is released, with all that it held")
    func released() async throws {
        let world = try await BrowserWorld(trips: 2)
        weak var released: BrowserRun?
        do {
            let run = world.run()
            _ = await run.text()
            run.receive([.link(ScreenAddress(.trip(Trip.ID(seed: 1))))])
            _ = await run.text()
            released = run
            run.close()
        }
        while released != nil { await Task.yield() }
    }

    @Test(
        "hostile texts are texts, wherever they are shown",
        arguments: ["<script>alert(1)</script>", "\" onload=\"x", "</title><b>"])
    func hostile(text: String) async throws {
        let world = try await BrowserWorld()
        let trip = try await world.add(1, text)
        for screen in [Screen.home, .trip(trip.id), .search(TripCriteria(keyword: Keyword(text)))] {
            let run = world.run(at: screen)
            let page = await run.text()
            #expect(!page.contains(text), "\(screen)")
            run.close()
        }
    }
}
