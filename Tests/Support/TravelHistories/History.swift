import Foundation
public import TestReporting
import Testing
public import TravelDataCached
public import TravelDomain
import TravelDomainTesting

/// A device of a history: a local store that survives, and a repository that lives until the device is killed.
public protocol HistoryDevice: AnyObject, Sendable {
    nonisolated var user: User.ID { get }
    nonisolated var local: any TravelStore & TripCache { get }
    /// The repository of this life; begins one if the device has none.
    func trips() async throws -> CachedTripRepository
    /// Whether the process has ended by itself in this life, so that its calls throw `TravelError.unavailable`.
    var hasEnded: Bool { get async }
}

extension HistoryDevice {
    public var hasEnded: Bool { false }
}

/// Several devices over one remote store, and what can go wrong between them.
///
/// The first two devices belong to one user, the last ones to another. Both people exist in the remote store.
public protocol HistoryWorld: Sendable {
    associatedtype Device: HistoryDevice

    var devices: [Device] { get }
    /// The remote store itself, which always answers.
    var remote: any TravelStore { get }
    /// What the remote store has accepted.
    var log: RemoteLog { get }

    /// Disturbs the device, its network or its server, or ends a disturbance, as `random` decides.
    func disturb(_ device: Device, _ random: inout SeededGenerator) async throws
    /// Ends all disturbances: every device is online, and signed in.
    func calm() async throws
    /// Whether disturbances include backups that are restored, and writes that are refused for good.
    var isHarsh: Bool { get }
    /// Whether devices take what a restored backup has without a word: a fault, which the checks have to notice.
    var isSilent: Bool { get }
}

extension HistoryWorld {
    public var isHarsh: Bool { false }
    public var isSilent: Bool { false }

    /// The author of a trip of the remote store; `nil` if that has none with the ID.
    fileprivate func author(of trip: Trip.ID) async throws -> User.ID? {
        do { return try await remote.trip(trip, viewer: nil).author.id } catch TravelError.notFound { return nil }
    }
}

/// A random history of several devices over one remote store, with disturbances and conflicts; and what everyone wrote, to
/// compare it with what has become of it.
///
/// ```swift
/// var history = History(seed: 7, in: world)
/// try await history.run(steps: 40)
/// try await history.expectEqualStores()
/// try await history.expectNothingLost()
/// history.expectUniqueVersions()
/// ```
public struct History<World: HistoryWorld> {
    public typealias Device = World.Device

    private let seed: UInt64
    private let world: World
    private var random: SeededGenerator
    private var samples: TripGenerator

    /// The writes by the numbers of their titles, and by how many decisions each was written again.
    private var written: [Int: Trip.ID] = [:]
    private var rewritten: [Int: Int] = [:]
    /// The numbers of the titles of edits that came to the user as a conflict.
    private var inConflict: Set<Int> = []
    /// All additions and edits that were tried, also those that nobody knows to be written: a process that ends may have
    /// kept one, on which later edits are based.
    private var tried: [Int: (trip: Trip.ID, device: ObjectIdentifier)] = [:]
    /// The numbers of the titles that a device has written before it has removed their trip: if they were still to be sent,
    /// and the remote store had nothing of the user, they have neither an effect nor anything to decide.
    private var superseded: Set<Int> = []
    /// The trips of removals that were written, and those that came to the user as a conflict.
    private var removals: Set<Trip.ID> = []
    private var tripsInConflict: Set<Trip.ID> = []
    /// The numbers of all titles of a trip when a title was written again.
    private var writtenBefore: [Int: Set<Int>] = [:]
    private var deleted: Set<Trip.ID> = []
    /// The last like of the second user for each trip, unless it was refused.
    private var likes: [Trip.ID: LastWrite<Bool>] = [:]
    private var nickname: Nickname?
    private var avatar: TripImage.ID??
    /// Whether the second user blocks the first one in the end.
    private var block = LastWrite(false)
    private var trips: [Trip.ID] = []
    private var last = 0
    /// Whether the user drops whatever is refused.
    private var givesUp = false
    /// The write that is being made, if more than its success matters.
    private var attempt: Attempt?

    private enum Attempt {
        case removal(Trip.ID)
        case like(Trip.ID)
        case nickname, avatar, block
    }

    public init(seed: UInt64, in world: World) {
        (self.seed, self.world) = (seed, world)
        random = SeededGenerator(seed: seed)
        samples = TripGenerator(seed: seed)
    }

    private var devices: [Device] { world.devices }
    private var first: User.ID { devices[0].user }
    private var second: User.ID { devices[devices.count - 1].user }

    /// Runs the history to its end, when every device is online and has nothing to send or to decide.
    public mutating func run(steps: Int) async throws {
        for _ in 0..<steps { try await step() }
        let rounds = world.isHarsh ? 40 : 20
        for round in 0..<rounds {
            // Some writes are never accepted.
            givesUp = world.isHarsh && round >= 20
            try await world.calm()
            var isSettled = true
            for device in devices {
                let trips = try await device.trips()
                await trips.reconnect()
                for await status in await trips.observeStatus()
                where status.pendingWrites == 0 || status.connection == .signedOut {
                    if status.pendingWrites > 0 { isSettled = false }
                    break
                }
                if world.isHarsh { try await look(on: device) }
                if try await resolve(on: device) { isSettled = false }
            }
            if isSettled { return }
        }
        Issue.record("seed \(seed): the devices do not settle")
    }

    /// Compares all that the device has of its user's trips with the remote store.
    private func look(on device: Device) async throws {
        let trips = try await device.trips()
        let query = try TripQuery(TripCriteria(author: device.user), viewer: device.user, limit: 100)
        try await trips.refresh(.search(query))
        for trip in try await device.local.search(query).trips {
            try await trips.refresh(.timeline(trip.id, viewer: device.user))
        }
    }

    private mutating func step() async throws {
        let device = devices[random(0...devices.count - 1)]
        switch random(0...19) {
        case 0...8: try await world.disturb(device, &random)
        case 9:
            do { _ = try await resolve(on: device) } catch let error as TravelError {
                // After the end of a process, or with a timeline that has to be asked for, the user decides again, or has
                // decided.
                let hasEnded = await device.hasEnded
                guard hasEnded || world.isHarsh else { throw error }
            }
        default:
            attempt = nil
            do { try await act(on: device) } catch is TravelError {
                // What the device does not know, or the user may not do, is not written; what a process was writing at
                // its end may be.
                if await device.hasEnded { noteEnd(of: device) }
            }
        }
    }

    /// Notes that nobody knows whether the last write was written.
    private mutating func noteEnd(of device: Device) {
        switch attempt {
        case .removal(let id): noteRemoval(of: id, on: device)
        case .like(let id): likes[id, default: LastWrite(false)].set(nil, on: device)
        case .nickname: nickname = nil
        case .avatar: avatar = .none
        case .block: block.set(nil, on: device)
        case nil: break
        }
    }

    /// Notes that a device has removed a trip, or has perhaps.
    private mutating func noteRemoval(of id: Trip.ID, on device: Device) {
        deleted.insert(id)
        superseded.formUnion(tried.filter { $0.value == (id, ObjectIdentifier(device)) }.keys)
    }

    private mutating func act(on device: Device) async throws {
        let trips = try await device.trips()
        // What a backup lacks is mostly an edit.
        if world.isHarsh, random(0...1) == 0 { return try await edit(on: device) }
        switch random(0...14) {
        case 0...1: try await record(on: device)
        case 2...5: try await edit(on: device)
        case 6:
            guard let id = someTrip() else { return }
            attempt = .removal(id)
            try await trips.update(id, by: device.user) { _ in nil }
            noteRemoval(of: id, on: device)
            removals.insert(id)
        case 7...8:
            guard let id = someTrip() else { return }
            let isLiked = random(0...2) > 0
            if device.user == second { attempt = .like(id) }
            try await trips.setLiked(isLiked, trip: id, by: device.user)
            if device.user == second { likes[id, default: LastWrite(isLiked)].set(isLiked, on: device) }
        case 9:
            guard device === devices.last else { return }
            last += 1
            let new = try Nickname("Sora \(last)")
            attempt = .nickname
            try await trips.rename(second, to: new, by: second)
            nickname = new
        case 10:
            guard device.user == second else { return }
            let isBlocked = random(0...1) == 0
            attempt = .block
            if isBlocked {
                try await trips.block(first, by: second)
            } else {
                try await trips.unblock(first, by: second)
            }
            block.set(isBlocked, on: device)
        case 11:
            guard let id = someTrip() else { return }
            try await trips.report(id, by: device.user)
        case 12:
            guard device === devices.last else { return }
            let image = random(0...3) == 0 ? nil : try samples.image()
            attempt = .avatar
            try await trips.setAvatar(image, of: second, by: second)
            avatar = .some(image?.id)
        default:
            let sort: TripSort = random(0...1) == 0 ? .newest : .mostLiked
            let query = try TripQuery(TripCriteria(sort: sort), viewer: device.user, limit: random(1...5))
            if random(0...1) == 0 {
                try await trips.refresh(.search(query))
            } else {
                _ = try await trips.search(query)
            }
        }
    }

    private mutating func record(on device: Device) async throws {
        last += 1
        let (number, image) = (last, try samples.image())
        let author = try await device.trips().user(device.user)
        let trip = try TripBuilder(seed: UInt64(number), author: author).with {
            $0.title = "\(number)"
            if number.isMultiple(of: 3) { $0.thumbnail = image.id }
        }.build()
        tried[number] = (trip.id, ObjectIdentifier(device))
        try await device.trips().add([trip], images: trip.images.isEmpty ? [] : [image])
        trips.append(trip.id)
        written[number] = trip.id
    }

    private mutating func edit(on device: Device) async throws {
        guard let id = someTrip() else { return }
        last += 1
        let (number, title) = (last, try Title("\(last)"))
        let entry = random(0...2) == 0 ? try samples.entry(image: nil) : nil
        // What others do with a trip that they do not see is refused.
        let audience = random(0...3) == 0 ? samples.audience() : nil
        tried[number] = (id, ObjectIdentifier(device))
        try await device.trips().update(id, by: device.user) { trip throws(TravelError) in
            var content = trip.content
            content.title = title
            if let audience { content.audience = audience }
            let changed = try trip.with(content)
            if let entry { return try changed.saving(entry) }
            // Among entries at the same time, the last one becomes the first.
            guard let last = changed.timeline.last(where: { changed.timeline.placementAbove($0.id) != nil }),
                let first = changed.timeline.first(where: { $0.day == last.day && $0.time == last.time })
            else { return changed }
            return try changed.moving(last.id, .before(first.id))
        }
        written[number] = id
    }

    /// Decides about the conflicts of a device, and returns whether there were any.
    private mutating func resolve(on device: Device) async throws -> Bool {
        let trips = try await device.trips()
        let conflicts = await trips.conflicts()
        for conflict in conflicts {
            if world.isSilent, conflict.reason == .lost {
                try await trips.resolve(conflict.id, with: .takeTheirs)
                continue
            }
            var resolution: TripConflict.Resolution =
                random(0...1) == 0 ? .takeTheirs : .keepMine
            var edition: (number: Int, trip: Trip.ID)?
            switch conflict.wanted {
            case .update(let mine, _, _):
                note(mine)
                if let harsh = harshResolution(of: mine) {
                    resolution = harsh
                } else if random(0...2) == 0, let theirs = conflict.theirs {
                    last += 1
                    var content = theirs.content
                    content.title = try Title("\(last)")
                    resolution = .edited(content, timeline: theirs.timeline)
                    edition = (last, theirs.id)
                } else if resolution == .keepMine, let number = number(of: mine) {
                    noteRewriting(number, of: mine.id)
                }
            case .add(let added, _):
                for trip in added { note(trip) }
                if let first = added.first, let harsh = harshResolution(of: first) {
                    resolution = harsh
                } else if resolution == .keepMine, let first = added.first, let number = number(of: first) {
                    noteRewriting(number, of: first.id)
                }
            // The wish to remove a trip stands for the edits before it.
            case .remove(let id, _, _):
                tripsInConflict.insert(id)
                inConflict.formUnion(tried.filter { $0.value.trip == id }.keys)
                if givesUp { resolution = .takeTheirs }
            case .setLiked(_, let id, let user):
                if user == second { likes[id] = nil }
                resolution = .takeTheirs
            // A report of a trip that is gone cannot be written again.
            default: resolution = .takeTheirs
            }
            if let edition { tried[edition.number] = (edition.trip, ObjectIdentifier(device)) }
            do { try await trips.resolve(conflict.id, with: resolution) } catch TravelError.notFound(.image)
                where world.isHarsh
            {
                // Nobody has the bytes of a picture any more: a copy does without it.
                edition = nil
                if case .update(let mine, _, _) = conflict.wanted, let number = number(of: mine) {
                    rewritten[number, default: 0] += 1
                }
                try await trips.resolve(conflict.id, with: .keepCopy)
            }
            if let edition { written[edition.number] = edition.trip }
        }
        let vanishedTrips = await trips.vanishedTrips()
        for vanished in vanishedTrips {
            if world.isHarsh { note(vanished.trip) }
            if random(0...2) > 0 {
                try await trips.forget(vanished.id)
            } else {
                if let number = number(of: vanished.trip) { rewritten[number, default: 0] += 1 }
                // It may have an entry that another trip has by now.
                do { try await trips.restore(vanished.id) } catch is TravelError {
                    try await trips.forget(vanished.id)
                }
            }
        }
        return !conflicts.isEmpty || world.isHarsh && !vanishedTrips.isEmpty
    }

    /// The decisions that only a harsh world makes necessary; `nil` for one of the others.
    private mutating func harshResolution(of mine: RecordedTrip) -> TripConflict.Resolution? {
        guard world.isHarsh else { return nil }
        if givesUp { return .takeTheirs }
        guard random(0...3) == 0, let number = number(of: mine) else { return nil }
        rewritten[number, default: 0] += 1
        return .keepCopy
    }

    /// Notes what the user sees: the last of several edits in sequence stands for all of them.
    private mutating func note(_ trip: RecordedTrip) {
        tripsInConflict.insert(trip.id)
        guard let number = number(of: trip) else { return }
        inConflict.insert(number)
        inConflict.formUnion(tried.filter { $0.value.trip == trip.id && $0.key < number }.keys)
        inConflict.formUnion(writtenBefore[number] ?? [])
    }

    /// Notes that a title is written again, after all others of its trip.
    private mutating func noteRewriting(_ number: Int, of trip: Trip.ID) {
        rewritten[number, default: 0] += 1
        writtenBefore[number, default: []].formUnion(tried.filter { $0.value.trip == trip }.keys)
    }

    private func number(of trip: RecordedTrip) -> Int? { Int(trip.content.title.text) }

    private mutating func someTrip() -> Trip.ID? { trips.randomElement(using: &random) }

    private mutating func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
}

/// The last of several writes to one value. After writes on two devices, either may be the last that was sent.
private struct LastWrite<Value: Sendable> {
    private let initial: Value
    private var values: [ObjectIdentifier: Value?] = [:]

    init(_ initial: Value) { self.initial = initial }

    /// Notes a write; `nil` for one that may have been written or not.
    mutating func set(_ value: Value?, on device: some HistoryDevice) {
        values.updateValue(value, forKey: ObjectIdentifier(device))
    }

    /// The value; `nil` if it depends on the order of sending, or on what was written at the end of a process.
    var value: Value? {
        guard let last = values.values.first else { return initial }
        return values.count > 1 ? nil : last
    }
}

extension History {
    /// Checks that every device has what the remote store has, after it has asked for it.
    public func expectEqualStores() async throws {
        for (index, device) in devices.enumerated() {
            let trips = try await device.trips()
            for sort in TripSort.allCases {
                let query = try TripQuery(TripCriteria(sort: sort), viewer: device.user, limit: 100)
                try await trips.refresh(.search(query))
                let expected = try await world.remote.search(query)
                #expect(try await trips.search(query) == expected, "seed \(seed), device \(index)")
                #expect(try await device.local.search(query) == expected, "seed \(seed), device \(index)")
                for trip in expected.trips {
                    try await trips.refresh(.timeline(trip.id, viewer: device.user))
                    #expect(
                        try await device.local.timeline(of: trip.id, viewer: device.user)
                            == world.remote.timeline(of: trip.id, viewer: device.user),
                        "seed \(seed), device \(index)")
                    guard let image = trip.thumbnail else { continue }
                    #expect(
                        try await trips.image(image, viewer: device.user)
                            == world.remote.image(image, viewer: device.user),
                        "seed \(seed), device \(index)")
                }
            }
            try await trips.refresh(.blocked(by: device.user))
            let blocked = try await world.remote.blocked(by: device.user)
            #expect(try await device.local.blocked(by: device.user) == blocked, "seed \(seed), device \(index)")
            #expect(await trips.status().pendingWrites == 0, "seed \(seed), device \(index)")
            #expect(await trips.conflicts() == [], "seed \(seed), device \(index)")
        }
    }

    /// Checks that no version of a trip was used for two contents, which devices could not tell apart.
    ///
    /// An addition whose answer was lost is sent again also if the trip was removed in between: its versions begin again.
    public func expectUniqueVersions() {
        let restores = world.log.restores
        let versions = world.log.versions.enumerated()
        for versions in Dictionary(grouping: versions, by: \.element.id).values {
            var known: [TripVersion: RecordedTrip] = [:]
            var last = 0
            for (index, trip) in versions {
                let isAddedAgain = world.log.removed.contains(trip.id) && trip == versions[0].element
                // A restored store counts again.
                let isRestored = restores.contains {
                    last < $0.index && $0.index <= index && $0.changed.contains(trip.id)
                }
                if isAddedAgain || isRestored { known = [:] }
                last = index
                let first = known[trip.version] ?? trip
                #expect(
                    (trip.content, trip.timeline) == (first.content, first.timeline),
                    "seed \(seed): version \(trip.version) of \(trip.id) was used for several contents")
                known[trip.version] = first
            }
        }
    }

    /// Checks that each write has had its effect, or has come to the user as a conflict; and no effect twice.
    public func expectNothingLost() async throws {
        var effects: [Int: Int] = [:]
        var titles: [Trip.ID: String] = [:]
        // The effects that a restored backup has undone, after which a write may have another one.
        var undone: [Int: Int] = [:]
        let restores = world.log.restores
        let restored = restores.reduce(into: Set<Trip.ID>()) { $0.formUnion($1.changed) }
        for (index, version) in world.log.versions.enumerated() {
            for restore in restores where restore.index == index {
                for id in restore.changed {
                    for number in written.keys where written[number] == id { undone[number, default: 0] += 1 }
                    titles[id] = restore.after[id]?.content.title.text
                }
            }
            let title = version.content.title.text
            if titles[version.id] != title, let number = Int(title) { effects[number, default: 0] += 1 }
            titles[version.id] = title
        }
        for restore in restores { try await expectNothingSilent(restore) }
        for (number, trip) in written {
            let count = effects[number, default: 0]
            #expect(
                count > 0 || inConflict.contains(number) || superseded.contains(number),
                "seed \(seed): write \(number) to \(trip) has neither had an effect nor become a conflict")
            #expect(
                count <= 1 + rewritten[number, default: 0] + undone[number, default: 0]
                    || world.log.removed.contains(trip),
                "seed \(seed): write \(number) to \(trip) has had \(count) effects")
        }
        for trip in removals.subtracting(world.log.removed).subtracting(tripsInConflict).subtracting(restored) {
            #expect(
                try await world.author(of: trip).map { $0 != first && $0 != second } ?? true,
                "seed \(seed): the removal of \(trip) has neither had an effect nor become a conflict")
        }
        for trip in world.log.removed {
            #expect(deleted.contains(trip), "seed \(seed): \(trip) was removed without anybody's wish")
        }
        for (trip, like) in likes {
            guard let isLiked = like.value, let there = try? await world.remote.trip(trip, viewer: second) else {
                continue
            }
            #expect(
                there.isLiked == isLiked || world.log.removed.contains(trip) || restored.contains(trip),
                "seed \(seed): the last like of \(trip)")
        }
        if let isBlocking = block.value {
            #expect(
                try await world.remote.blocked(by: second).count == (isBlocking ? 1 : 0), "seed \(seed): the last block"
            )
        }
        if let nickname {
            #expect(try await world.remote.user(second).nickname == nickname, "seed \(seed): the last nickname")
        }
        if let avatar {
            #expect(try await world.remote.user(second).avatar == avatar, "seed \(seed): the last avatar")
        }
    }
}

extension History {
    /// Checks that each trip of which a restored backup has lost the last version is as it was in the end, or has come to its
    /// author. A version with a later number may have been made meanwhile, by a device that had not seen the lost one: that
    /// one cannot be told from an edit of it.
    private func expectNothingSilent(_ restore: RemoteLog.Restore) async throws {
        for (id, before) in restore.before {
            guard let number = Int(before.content.title.text), !inConflict.contains(number) else { continue }
            if restore.after[id]?.content.title == before.content.title { continue }
            if let after = restore.after[id], isEdit(after, of: before) { continue }
            let later = world.log.versions.dropFirst(restore.index).filter { $0.id == id }
            if later.contains(where: { $0.content.title == before.content.title || $0.version > before.version }) {
                continue
            }
            let end = try? await world.remote.trip(id, viewer: before.author.id)
            if end?.content.title == before.content.title || end == nil && deleted.contains(id) { continue }
            Issue.record("seed \(seed): a restored backup has lost write \(number) to \(id) without a word")
        }
    }
}

extension History {
    /// Whether a trip that a restored backup has was made by edits of `before`: after an earlier backup, a later one may be
    /// restored.
    private func isEdit(_ after: RecordedTrip, of before: RecordedTrip) -> Bool {
        let versions = world.log.versions
        guard let last = versions.lastIndex(where: { $0.isSameVersion(as: after) }),
            let first = versions[..<last].lastIndex(where: { $0.isSameVersion(as: before) })
        else { return false }
        return !world.log.restores.contains { first < $0.index && $0.index <= last && $0.changed.contains(after.id) }
    }
}

extension RecordedTrip {
    fileprivate func isSameVersion(as other: RecordedTrip) -> Bool {
        (id, version) == (other.id, other.version) && content.title == other.content.title
    }
}

/// The random histories: as many as `TRAVEL_SEEDS`, by default 20, from `TRAVEL_FIRST_SEED` on, by default 1.
public enum Histories {
    public static let seeds = start...(start + max(count ?? 20, 1) - 1)
    public static let areManyWanted = count != nil

    /// That many seeds, or `TRAVEL_SEEDS` if there are more, in parts that run at the same time; exactly ``seeds`` if
    /// `TRAVEL_FIRST_SEED` is set, which repeats one history.
    public static func parts(of count: UInt64) -> [ClosedRange<UInt64>] {
        let last = first == nil ? max(count, seeds.upperBound) : seeds.upperBound
        return stride(from: start, through: last, by: 75).map { $0...min($0 + 74, last) }
    }

    private static let count = number("TRAVEL_SEEDS")
    private static let first = number("TRAVEL_FIRST_SEED")
    private static let start = first ?? 1

    private static func number(_ variable: String) -> UInt64? {
        ProcessInfo.processInfo.environment[variable].flatMap(UInt64.init)
    }
}
