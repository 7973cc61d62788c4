import SQLiteStore
import Synchronization
import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("What wakes an observation", .takesTurns)
struct WakingTests {
    /// What can be watched of the travel of seed 1.
    enum Look: CaseIterable {
        case page, travel, timeline, day

        func take(of travels: SQLiteTravelRepository, _ db: Connection) throws -> Looked {
            let (id, viewer) = (Travel.ID(seed: 1), User.ID(seed: 2))
            return switch self {
            case .page: .page(try travels.page(of: TravelQuery(TravelCriteria(), viewer: viewer), db))
            case .travel: .travel(try travels.travel(id, viewer: viewer, db))
            case .timeline: .entries(try travels.timeline(of: id, viewer: viewer, db))
            case .day: .entries(try travels.timeline(of: id, day: 1, viewer: viewer, db))
            }
        }
    }

    /// What a look has seen.
    enum Looked: Equatable, Sendable {
        case page(TravelPage)
        case travel(Travel)
        case entries([TimelineEntry])

        /// Whether the image of the last change is seen.
        var showsImage: Bool {
            let image = TravelImage.ID(seed: 1)
            return switch self {
            case .page(let page): page.travels.contains { $0.thumbnail == image }
            case .travel(let travel): travel.thumbnail == image
            case .entries(let entries): entries.contains { $0.image == image }
            }
        }
    }

    /// What can happen that changes nothing of it, and that no look reads.
    enum Happening: CaseIterable {
        case recentKeyword, session, like, nickname

        /// The looks that do not read anything of it.
        var isUnrelatedTo: [Look] {
            switch self {
            case .recentKeyword, .session: Look.allCases
            case .like, .nickname: [.timeline, .day]
            }
        }

        func happen(in database: TravelDatabase) async throws {
            switch self {
            case .recentKeyword:
                try await database.recentKeywords.updateRecentKeywords { recent in
                    Keyword("바다").map { recent.remember($0) }
                }
            case .session: try await database.session.setSignedInUser(User.ID(seed: 2))
            case .like:
                try await database.travels.setLiked(true, travel: Travel.ID(seed: 1), by: User.ID(seed: 2))
            case .nickname:
                try await database.travels.rename(User.ID(seed: 1), to: Nickname("Sora"), by: User.ID(seed: 1))
            }
        }
    }

    @Test("what is not read of a database costs an observation no fetch", arguments: Happening.allCases)
    func unrelatedCommits(happening: Happening) async throws {
        for look in happening.isUnrelatedTo {
            let fetches = try await fetches(of: look) { database, _ in
                for _ in 0..<5 { try await happening.happen(in: database) }
            }
            #expect(fetches == 2, "\(look), \(happening)")
        }
    }

    @Test("what is read of it does, even where the value stays the same", arguments: [Look.page, .travel])
    func relatedCommits(look: Look) async throws {
        let fetches = try await fetches(of: look) { database, fetches in
            while fetches.load(ordering: .relaxed) < 2 {
                try Task.checkCancellation()
                for isLiked in [true, false] {
                    try await database.travels.setLiked(
                        isLiked, travel: Travel.ID(seed: look == .page ? 1 : 2), by: User.ID(seed: 2))
                }
            }
        }
        // A fetch that had just begun may have seen the last change too: then there is no third.
        #expect(fetches >= 2)
    }

    /// How often `look` is fetched by one who waits for its values while `happen` does, and until an entry with an image
    /// is written, which changes them all.
    private func fetches(
        of look: Look, while happen: (TravelDatabase, borrowing Atomic<Int>) async throws -> Void
    ) async throws -> Int {
        let database = try await TravelDatabase.copied()
        try await database.travels.add([TravelBuilder(seed: 1).build(), TravelBuilder(seed: 2).build()])
        let count = Counter()
        let observation = database.database.observe { [travels = database.travels] db in
            count.fetches.add(1, ordering: .relaxed)
            return try look.take(of: travels, db)
        }
        let (begun, beginning) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for try await looked in observation {
                    beginning.yield()
                    if looked.showsImage { return }
                }
            }
            for await _ in begun { break }
            try await happen(database, count.fetches)
            let entry = try TimelineEntry(
                day: 1, time: TimeOfDay(hour: 9), title: Title("Entry"), text: EntryText("Text"),
                image: TravelImage.ID(seed: 1))
            try await database.travels.update(
                Travel.ID(seed: 1), by: User.ID(seed: 1), adding: [TravelImage(seed: 1)]
            ) { travel throws(TravelError) in try travel.saving(entry) }
            try await group.waitForAll()
        }
        await database.close()
        return count.fetches.load(ordering: .relaxed)
    }

    private final class Counter: Sendable {
        let fetches = Atomic(0)
    }
}
