import Foundation
import StreamsTesting
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDomainTesting

/// A random history of several devices over one remote store, with a poor network, offline phases, killed processes and
/// conflicts; and what everyone wrote, to compare it with what has become of it.
///
/// The first two devices belong to one person, the others to another.
struct CacheHistory {
    let seed: UInt64
    let clock: VirtualClock
    let remote = InMemoryTravelRepository()
    let log = RemoteLog()
    let devices: [Device]
    private var random: SeededGenerator
    private var samples: TravelGenerator

    /// The writes by the numbers of their titles, and by how many decisions each was written again.
    private(set) var written: [Int: Travel.ID] = [:]
    private(set) var rewritten: [Int: Int] = [:]
    /// The numbers of the titles of edits that came to the person as a conflict.
    private(set) var inConflict: Set<Int> = []
    private(set) var deleted: Set<Travel.ID> = []
    /// The last like of the second person for each travel, unless it was refused.
    private(set) var likes: [Travel.ID: LastWrite<Bool>] = [:]
    private(set) var nickname: Nickname?
    /// Whether the second person blocks the first one in the end.
    private(set) var block = LastWrite(false)
    private var travels: [Travel.ID] = []
    private var last = 0

    /// Creates a history whose devices have these local stores; a device without one has a store in memory.
    init(seed: UInt64, clock: VirtualClock, locals: [Int: any TravelStore & TravelCache] = [:]) throws {
        (self.seed, self.clock) = (seed, clock)
        random = SeededGenerator(seed: seed)
        samples = TravelGenerator(seed: seed)
        let people = [User.ID(seed: 1), User.ID(seed: 1), User.ID(seed: 2), User.ID(seed: 2)]
        devices = people.enumerated().map { [remote, log] index, person in
            Device(
                of: person, local: locals[index] ?? InMemoryTravelRepository(), remote: remote, log: log,
                seed: seed &* 31 &+ UInt64(index), clock: clock)
        }
    }

    /// Runs the history to its end, when every device is online and has nothing to send or to decide.
    mutating func run(steps: Int) async throws {
        for person in UInt64(1)...2 { try await remote.add(User(seed: person)) }
        for _ in 0..<steps { try await step() }
        for device in devices { device.network.quality = .perfect }
        for _ in 0..<20 {
            var isSettled = true
            for device in devices {
                let travels = try await device.travels()
                await travels.reconnect()
                for await status in await travels.observeStatus() where status.pendingWrites == 0 { break }
                if try await resolve(on: device) { isSettled = false }
            }
            if isSettled { return }
        }
        Issue.record("seed \(seed): the devices do not settle")
    }

    private mutating func step() async throws {
        let device = devices[random(0...3)]
        switch random(0...19) {
        case 0...1: device.network.quality = .offline
        case 2...4: device.network.quality = random(0...1) == 0 ? .perfect : .poor
        case 5: await device.kill()
        case 6...8: try await clock.sleep(for: .milliseconds(random(1...5_000)))
        case 9: _ = try await resolve(on: device)
        default:
            do { try await act(on: device) } catch is TravelError {
                // What the device does not know, or the person may not do, is not written.
            }
        }
    }

    private mutating func act(on device: Device) async throws {
        let travels = try await device.travels()
        switch random(0...13) {
        case 0...1: try await record(on: device)
        case 2...5: try await edit(on: device)
        case 6:
            guard let id = someTravel() else { return }
            try await travels.update(id, by: device.person) { _ in nil }
            deleted.insert(id)
        case 7...8:
            guard let id = someTravel() else { return }
            let isLiked = random(0...2) > 0
            try await travels.setLiked(isLiked, travel: id, by: device.person)
            if device.person == devices[2].person { likes[id, default: LastWrite(isLiked)].set(isLiked, on: device) }
        case 9:
            guard device === devices[2] else { return }
            last += 1
            let new = try Nickname("Sora \(last)")
            try await travels.rename(device.person, to: new, by: device.person)
            nickname = new
        case 10:
            guard device.person == devices[2].person else { return }
            let isBlocked = random(0...1) == 0
            if isBlocked {
                try await travels.block(devices[0].person, by: device.person)
            } else {
                try await travels.unblock(devices[0].person, by: device.person)
            }
            block.set(isBlocked, on: device)
        case 11:
            guard let id = someTravel() else { return }
            try await travels.report(id, by: device.person)
        default:
            let sort: TravelSort = random(0...1) == 0 ? .newest : .mostLiked
            let query = try TravelQuery(TravelCriteria(sort: sort), viewer: device.person, limit: random(1...5))
            if random(0...1) == 0 {
                try await travels.refresh(.search(query))
            } else {
                _ = try await travels.search(query)
            }
        }
    }

    private mutating func record(on device: Device) async throws {
        last += 1
        let (number, image) = (last, try samples.image())
        let author = try await device.travels().user(device.person)
        let travel = try TravelBuilder(seed: UInt64(number), author: author).with {
            $0.title = "\(number)"
            if number.isMultiple(of: 3) { $0.thumbnail = image.id }
        }.build()
        try await device.travels().add([travel], images: travel.images.isEmpty ? [] : [image])
        travels.append(travel.id)
        written[number] = travel.id
    }

    private mutating func edit(on device: Device) async throws {
        guard let id = someTravel() else { return }
        last += 1
        let (number, title) = (last, try Title("\(last)"))
        let entry = random(0...2) == 0 ? try samples.entry(image: nil) : nil
        try await device.travels().update(id, by: device.person) { travel throws(TravelError) in
            var content = travel.content
            content.title = title
            let changed = try travel.with(content)
            return if let entry { try changed.saving(entry) } else { changed }
        }
        written[number] = id
    }

    /// Decides about the conflicts of a device, and returns whether there were any.
    private mutating func resolve(on device: Device) async throws -> Bool {
        let travels = try await device.travels()
        let conflicts = await travels.conflicts()
        for conflict in conflicts {
            var resolution: TravelConflict.Resolution =
                random(0...1) == 0 ? .takeTheirs : .keepMine
            switch conflict.wanted {
            case .update(let mine, _, _):
                note(mine)
                if random(0...2) == 0, let theirs = conflict.theirs {
                    last += 1
                    var content = theirs.content
                    content.title = try Title("\(last)")
                    resolution = .edited(content, timeline: theirs.timeline)
                    written[last] = theirs.id
                } else if resolution == .keepMine, let number = number(of: mine) {
                    rewritten[number, default: 0] += 1
                }
            case .add(let added, _):
                for travel in added { note(travel) }
                if resolution == .keepMine, let number = added.first.flatMap(number) {
                    rewritten[number, default: 0] += 1
                }
            // The wish to remove a travel stands for the edits before it.
            case .remove(let id, _, _): inConflict.formUnion(written.filter { $0.value == id }.keys)
            case .setLiked(_, let id, let user):
                if user == devices[2].person { likes[id] = nil }
                resolution = .takeTheirs
            // A report of a travel that is gone cannot be written again.
            default: resolution = .takeTheirs
            }
            try await travels.resolve(conflict.id, with: resolution)
        }
        for vanished in await travels.vanishedTravels() {
            if random(0...2) > 0 {
                try await travels.forget(vanished.id)
            } else {
                if let number = number(of: vanished.travel) { rewritten[number, default: 0] += 1 }
                // It may have an entry that another travel has by now.
                do { try await travels.restore(vanished.id) } catch is TravelError {
                    try await travels.forget(vanished.id)
                }
            }
        }
        return !conflicts.isEmpty
    }

    /// Notes what the person sees: the last of several edits in sequence stands for all of them.
    private mutating func note(_ travel: RecordedTravel) {
        guard let number = number(of: travel) else { return }
        inConflict.insert(number)
        inConflict.formUnion(written.filter { $0.value == travel.id && $0.key < number }.keys)
    }

    private func number(of travel: RecordedTravel) -> Int? { Int(travel.content.title.text) }

    private mutating func someTravel() -> Travel.ID? { travels.randomElement(using: &random) }

    private mutating func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
}

/// The last of several writes to one value. After writes on two devices, either may be the last that was sent.
struct LastWrite<Value: Sendable>: Sendable {
    private let initial: Value
    private var values: [ObjectIdentifier: Value] = [:]

    init(_ initial: Value) { self.initial = initial }

    mutating func set(_ value: Value, on device: Device) { values[ObjectIdentifier(device)] = value }

    /// The value; `nil` if it depends on the order of sending.
    var value: Value? { values.count > 1 ? nil : values.values.first ?? initial }
}

extension CacheHistory {
    /// Checks that every device has what the remote store has, after it has asked for it.
    func expectEqualStores() async throws {
        for (index, device) in devices.enumerated() {
            let travels = try await device.travels()
            for sort in TravelSort.allCases {
                let query = try TravelQuery(TravelCriteria(sort: sort), viewer: device.person, limit: 100)
                try await travels.refresh(.search(query))
                let expected = try await remote.search(query)
                #expect(try await travels.search(query) == expected, "seed \(seed), device \(index)")
                #expect(try await device.local.search(query) == expected, "seed \(seed), device \(index)")
                for travel in expected.travels {
                    try await travels.refresh(.timeline(travel.id, viewer: device.person))
                    #expect(
                        try await device.local.timeline(of: travel.id, viewer: device.person)
                            == remote.timeline(of: travel.id, viewer: device.person), "seed \(seed), device \(index)")
                    guard let image = travel.thumbnail else { continue }
                    #expect(
                        try await travels.image(image, viewer: nil) == remote.image(image, viewer: nil),
                        "seed \(seed), device \(index)")
                }
            }
            try await travels.refresh(.blocked(by: device.person))
            let blocked = try await remote.blocked(by: device.person)
            #expect(try await device.local.blocked(by: device.person) == blocked, "seed \(seed), device \(index)")
            #expect(await travels.status().pendingWrites == 0)
            #expect(await travels.status().conflicts == 0)
        }
    }

    /// Checks that no version of a travel was used for two contents, which devices could not tell apart.
    func expectUniqueVersions() {
        struct Key: Hashable { let id: Travel.ID, version: TravelVersion }
        for (key, versions) in Dictionary(grouping: log.versions, by: { Key(id: $0.id, version: $0.version) }) {
            let isOne = versions.allSatisfy { ($0.content, $0.timeline) == (versions[0].content, versions[0].timeline) }
            #expect(isOne, "seed \(seed): version \(key.version) of \(key.id) was used for several contents")
        }
    }

    /// Checks that each write has had its effect, or has come to the person as a conflict; and no effect twice.
    func expectNothingLost() async throws {
        var effects: [Int: Int] = [:]
        var titles: [Travel.ID: String] = [:]
        for version in log.versions {
            let title = version.content.title.text
            if titles[version.id] != title, let number = Int(title) { effects[number, default: 0] += 1 }
            titles[version.id] = title
        }
        for (number, travel) in written {
            let count = effects[number, default: 0]
            #expect(
                count > 0 || inConflict.contains(number),
                "seed \(seed): write \(number) to \(travel) has neither had an effect nor become a conflict")
            #expect(
                count <= 1 + rewritten[number, default: 0] || log.removed.contains(travel),
                "seed \(seed): write \(number) to \(travel) has had \(count) effects")
        }
        for travel in log.removed {
            #expect(deleted.contains(travel), "seed \(seed): \(travel) was removed without anybody's wish")
        }
        let person = devices[2].person
        for (travel, like) in likes {
            guard let isLiked = like.value, let there = try? await remote.travel(travel, viewer: person) else {
                continue
            }
            #expect(
                there.isLiked == isLiked || log.removed.contains(travel), "seed \(seed): the last like of \(travel)")
        }
        if let isBlocking = block.value {
            #expect(
                try await remote.blocked(by: person).count == (isBlocking ? 1 : 0), "seed \(seed): the last block")
        }
        if let nickname {
            #expect(try await remote.user(person).nickname == nickname, "seed \(seed): the last nickname")
        }
    }
}

/// The number of random histories: `TRAVEL_SEEDS`, and 20 by default.
enum Histories {
    static let seeds = UInt64(1)...UInt64(max(count ?? 20, 1))
    static let areManyWanted = count != nil

    private static let count = ProcessInfo.processInfo.environment["TRAVEL_SEEDS"].flatMap(Int.init)
}
