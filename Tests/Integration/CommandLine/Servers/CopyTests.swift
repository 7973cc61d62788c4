import Foundation
import Synchronization
import TestConcurrency
import Testing
import TravelSamples
import TravelDataSQLite
import TravelDataShared
import TravelDomain

@testable import traveline

/// A database in which every kind of row occurs.
enum CopiedTrips {
    /// A picture of 1 x 1 pixels.
    static func picture(_ color: UInt8) throws -> TripImage {
        try TripImage(bytes: Data([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0, 0, 0, color]))
    }

    static let password = PasswordHash("$argon2id$sample") ?? { preconditionFailure("the text is visible") }()

    /// Adds sample trips, an edited trip with pictures, trips that others do not see, an account, an avatar, likes, reports and a block.
    static func fill(_ store: some TravelStore, _ accounts: some AccountRepository) async throws {
        try await store.add(SampleTrips.all.prefix(12).map(\.trip))
        for sample in SampleTrips.all.prefix(12) {
            for user in sample.likedBy {
                if try await isKnown(user, to: store) {
                    try await store.setLiked(true, trip: sample.trip.id, by: user)
                }
            }
        }
        let (author, reader) = (
            User(id: User.ID(), nickname: try Nickname("사진가")), User(id: User.ID(), nickname: try Nickname("독자"))
        )
        try await accounts.addAccount(author, password: password)
        try await store.add(reader)
        try await store.setAvatar(try picture(1), of: author.id, by: author.id)
        let (cover, other) = (try picture(2), try picture(3))
        let content = TripContent(
            title: try Title("카페\u{301} 여행"), region: .busan, days: DayRange(try CalendarDay("2024-05-01"), days: 2),
            thumbnail: cover.id, audience: .everyone)
        let entry = try TimelineEntry(
            day: 2, time: TimeOfDay("09:30"), title: Title("아침"), text: EntryText("바다"),
            pictures: [Picture(other.id)])
        let trip = try RecordedTrip(
            author: author, createdAt: Date(timeIntervalSinceReferenceDate: 123_456.789), content: content,
            timeline: [entry])
        try await store.add([trip], images: [cover, other])
        _ = try await store.update(trip.id, expecting: nil, by: author.id, adding: []) { recorded throws(TravelError) in
            var content = recorded.content
            content.budget = .under10
            return try recorded.with(updatedAt: Date(timeIntervalSinceReferenceDate: 234_567.25), content: content)
        }
        try await store.setLiked(true, trip: trip.id, by: reader.id)
        try await store.report(trip.id, by: reader.id)
        try await store.block(author.id, by: reader.id)
        for audience in [Audience.onlyMe, .byLink(LinkKey())] {
            let content = TripContent(title: content.title, region: .jeju, days: content.days, audience: audience)
            try await store.add([
                RecordedTrip(author: author, createdAt: trip.createdAt, content: content, timeline: [])
            ])
        }
    }

    private static func isKnown(_ user: User.ID, to store: some TravelStore) async throws -> Bool {
        do {
            _ = try await store.user(user)
            return true
        } catch TravelError.notFound {
            return false
        }
    }

    /// A summary of everything in a store.
    static func summary(of store: some CopiedStore) async throws -> StoreSummary {
        let summary = Mutex(StoreSummary())
        try await store.readRecords { record in summary.withLock { $0.add(record) } }
        return summary.withLock { $0 }
    }
}

/// A store that does something after some records, whether it is copied from or into.
struct InterruptedStore: CopiedStore {
    let base: any CopiedStore
    let count: Int
    let interrupt: @Sendable () throws -> Void

    func readRecords(_ receive: @escaping @Sendable (StoreRecord) throws -> Void) async throws {
        let remaining = Atomic(count)
        try await base.readRecords { record in
            if remaining.subtract(1, ordering: .relaxed).newValue == 0 { try interrupt() }
            try receive(record)
        }
    }

    func writeRecords(
        _ policy: CopyPolicy, next: @escaping @Sendable () throws -> StoreRecord?,
        check: (@Sendable (StoreSummary) throws -> Void)?
    ) async throws {
        let remaining = Atomic(count)
        try await base.writeRecords(
            policy,
            next: {
                if remaining.subtract(1, ordering: .relaxed).newValue == 0 { try interrupt() }
                return try next()
            }, check: check)
    }
}

@Suite("The copy of a database", .limitedConcurrency)
struct CopyTests {
    struct Failure: Error {}

    private func withDatabases(_ body: (TravelDatabase, TravelDatabase) async throws -> Void) async throws {
        let (source, target) = (try await TravelDatabase.temporary(), try await TravelDatabase.temporary())
        try await CopiedTrips.fill(source.trips, source.accounts)
        try await body(source, target)
        await source.close()
        await target.close()
    }

    private func copy(
        _ source: any CopiedStore, to target: any CopiedStore, _ policy: CopyPolicy = .requireEmpty
    ) async throws -> StoreSummary {
        try await StoreCopy(source: source, target: target, policy: policy, progress: { _, _ in }).run()
    }

    @Test("a copy has every row of the source, pictures, versions, dates and the scalars of texts included")
    func everything() async throws {
        try await withDatabases { source, target in
            let copied = try await copy(source, to: target)
            #expect(StoreSummary.Kind.allCases.allSatisfy { copied.count(of: $0) > 0 })
            #expect(try await CopiedTrips.summary(of: target) == copied)
            #expect(try await target.checkup().missingImages == 0)
        }
    }

    @Test("a copy has the accounts of the source, on which no device is signed in")
    func accounts() async throws {
        try await withDatabases { source, target in
            let account = try #require(try await source.accounts.account(named: Nickname("사진가")))
            let (access, refresh) = (TokenDigest(bytes: 0..<32), TokenDigest(bytes: 32..<64))
            let end = Date(timeIntervalSinceReferenceDate: 1e9)
            let tokens = try DeviceTokens(
                access: #require(access), accessExpiresAt: end, refresh: #require(refresh), refreshExpiresAt: end)
            try await source.accounts.addDevice(
                SignedInDevice(user: account.user.id, tokens: tokens), provenBy: account.password)
            #expect(try await copy(source, to: target).count(of: .accounts) == 1)
            #expect(try await target.accounts.account(of: account.user.id)?.password == CopiedTrips.password)
            #expect(try await target.accounts.device(withAccess: tokens.access) == nil)
            #expect(try await copy(source, to: target, .replace).count(of: .accounts) == 1)
        }
    }

    @Test("a target with content is refused, or replaced, which removes all of it")
    func usedTarget() async throws {
        try await withDatabases { source, target in
            try await CopiedTrips.fill(target.trips, target.accounts)
            let before = try await CopiedTrips.summary(of: target)
            await #expect(throws: StoreNotEmpty.self) { try await copy(source, to: target) }
            #expect(try await CopiedTrips.summary(of: target) == before)
            #expect(try await copy(source, to: target, .replace) == CopiedTrips.summary(of: source))
            #expect(try await CopiedTrips.summary(of: target) == CopiedTrips.summary(of: source))
        }
    }

    @Test(
        "the ID of a removed trip belongs to its author in the copy as well, and not to those whom a copy has replaced")
    func removedTrips() async throws {
        try await withDatabases { source, target in
            try await CopiedTrips.fill(target.trips, target.accounts)
            let trips = try await source.trips.search(TripQuery(TripCriteria(), viewer: nil)).trips
            let trip = try #require(trips.first { $0.thumbnail == nil })
            let other = try #require(trips.first { $0.author.id != trip.author.id })
            let (removed, kept) = try await (
                source.trips.details(of: trip.id, viewer: nil).recorded,
                source.trips.details(of: other.id, viewer: nil).recorded
            )
            _ = try await source.trips.update(trip.id, expecting: nil, by: trip.author.id, adding: []) { _ in nil }
            _ = try await target.trips.update(kept.id, expecting: nil, by: kept.author.id, adding: []) { _ in nil }
            _ = try await copy(source, to: target, .replace)
            var content = removed.content
            content.thumbnail = nil
            let taken = try RecordedTrip(
                id: removed.id, author: kept.author, createdAt: removed.createdAt, content: content, timeline: [])
            await #expect(throws: TravelError.conflict(.trip(removed.id))) { try await target.trips.add([taken]) }
            try await target.trips.add([removed])
        }
    }

    @Test("a source that fails in the middle of a copy leaves the target unchanged", arguments: [1, 10, 25])
    func failingSource(count: Int) async throws {
        try await withDatabases { source, target in
            try await CopiedTrips.fill(target.trips, target.accounts)
            let before = try await CopiedTrips.summary(of: target)
            let failing = InterruptedStore(base: source, count: count) { throw Failure() }
            await #expect(throws: Failure.self) { try await copy(failing, to: target, .replace) }
            #expect(try await CopiedTrips.summary(of: target) == before)
            #expect(try await target.checkup().missingImages == 0)
        }
    }

    @Test("a cancelled copy ends, and leaves the target unchanged")
    func cancelled() async throws {
        try await withDatabases { source, target in
            let (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)
            let slow = InterruptedStore(base: source, count: 5) { arrive.yield() }
            // Waits for records after the last, until the copy is cancelled.
            let endless = AlteringStore(base: target) { next in
                while true { if let record = try next() { return record } }
            }
            let task = Task { try await copy(slow, to: endless) }
            for await _ in arrivals { break }
            task.cancel()
            await #expect(throws: (any Error).self) { try await task.value }
            let after = try await CopiedTrips.summary(of: target)
            #expect(after == StoreSummary())
        }
    }

    /// A store that is copied into, and gets the records that `alter` returns.
    private struct AlteringStore: CopiedStore {
        let base: TravelDatabase
        let alter: @Sendable (_ next: () throws -> StoreRecord?) throws -> StoreRecord?

        func readRecords(_ receive: @escaping @Sendable (StoreRecord) throws -> Void) async throws {}

        func writeRecords(
            _ policy: CopyPolicy, next: @escaping @Sendable () throws -> StoreRecord?,
            check: (@Sendable (StoreSummary) throws -> Void)?
        ) async throws {
            try await base.writeRecords(policy, next: { try alter(next) }, check: check)
        }
    }

    @Test("a target that holds something else in the end is rolled back")
    func difference() async throws {
        try await withDatabases { source, target in
            let forgetful = AlteringStore(base: target) { next in
                while let record = try next() {
                    if case .block = record { continue }
                    return record
                }
                return nil
            }
            let error = try await #require(throws: StoreCopy.Difference.self) {
                try await copy(source, to: forgetful)
            }
            #expect(error.kind == .blocks)
            #expect(try await CopiedTrips.summary(of: target) == StoreSummary())
        }
    }

    @Test("a new file appears whole, with its pictures", .enabled(if: Program.isBuilt))
    func newFile() throws {
        let command = """
            printf 'GIF89a\\001\\000\\001\\000\\000\\000\\000\\054\\000\\000\\000\\000\\001\\000\\001\\000\\000' > a.gif && \
            printf '\\002\\002\\114\\001\\000\\073' >> a.gif && $traveline me avatar a.gif > note &&
            $traveline copy --to new.sqlite --json && $traveline doctor --database new.sqlite > report &&
            ! $traveline copy --to new.sqlite && $traveline copy --to new.sqlite --replace > note &&
            ! $traveline copy --database none.sqlite --to x.sqlite && ! $traveline copy --to no/where.sqlite && ls
            """
        try Program.run(command) { result, _ in
            #expect(result.status == 0, "\(result.error)")
            #expect(result.output.contains(#""avatars":1"#))
            #expect(result.output.hasSuffix("a.gif\ndata\nnew.sqlite\nnew.sqlite-images\nnote\nreport\n"))
            #expect(result.error.contains("new.sqlite: it already contains users or trips"))
            #expect(result.error.contains("none.sqlite: there is no such file"))
            #expect(result.error.contains("no/where.sqlite: there is no directory"))
        }
    }
}
