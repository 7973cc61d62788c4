import StreamsTesting
import TestTurns
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDomainTesting
import TravelHistories

@Suite("A remote store that was restored from a backup", .takesTurns)
struct RestoredServerTests {
    enum Edit: CaseIterable, Sendable { case title, removal }

    @Test(
        "an edit that waits for a version that was lost does not overwrite another content with its number",
        arguments: Edit.allCases)
    func doesNotOverwrite(edit: Edit) throws {
        try withDevices(2) { world in
            let (first, second) = (world.devices[0], world.devices[1])
            for device in world.devices {
                try await device.trips().refresh(.timeline(World.trip, viewer: World.author))
            }
            // Version 2, which the backup does not have.
            try await World.setTitle("two", in: first.trips())
            try await first.trips().settle()
            first.network.quality = .offline
            switch edit {
            case .title: try await World.setTitle("three", in: first.trips())
            case .removal: try await first.trips().update(World.trip, by: World.author) { _ in nil }
            }
            try await world.remote.update(World.trip, by: World.author) { _ in nil }
            try await world.remote.add([TripBuilder(seed: 1).build()])
            // Version 2 again, with another content.
            try await World.setTitle("important", in: second.trips())
            try await second.trips().settle()

            first.network.quality = .perfect
            let trips = try await first.trips()
            await trips.reconnect()
            await World.settle(trips)
            #expect(try await world.remote.trip(World.trip, viewer: nil).content.title.text == "important")
            let conflict = try #require(await trips.conflicts().first)
            #expect(conflict.reason == .outdated)
            #expect(conflict.theirs?.content.title.text == "important")
            try await trips.resolve(conflict.id, with: .keepMine)
            await trips.settle()
            #expect(await trips.conflicts() == [])
            let found = try await world.remote.search(World.query()).trips.map(\.content.title.text)
            #expect(found == (edit == .title ? ["three"] : []))
        }
    }

    @Test("edits that wait one after the other are sent, each over the content of the one before")
    func sequence() throws {
        try withDevice { world, device, trips in
            try await trips.refresh(.timeline(World.trip, viewer: World.author))
            device.network.quality = .offline
            for title in ["two", "three", "four"] { try await World.setTitle(title, in: trips) }
            device.network.quality = .perfect
            await trips.reconnect()
            await World.settle(trips)
            #expect(await trips.conflicts() == [])
            #expect(world.log.versions.map(\.content.title.text) == ["two", "three", "four"])
        }
    }
}
