import Composition
import CompositionTesting
import Foundation
import Testing
import TravelDataInMemory
import TravelDomainTesting
import TravelPages

@testable import TravelBrowser

/// A store in memory with trips of ``jun``, and runs of the app for ``me``.
struct BrowserWorld: Sendable {
    let store = InMemoryTripRepository()
    let session: InMemorySession

    static let me = User.ID(seed: 1)
    static let jun = User.ID(seed: 2)

    /// - Parameter trips: The number of trips of ``jun``; the one of the largest number is the newest.
    init(trips: Int = 0, signedIn: Bool = true) async throws {
        session = signedIn ? InMemorySession(device: Self.me, signedIn: Self.me) : InMemorySession()
        let jun = try User(seed: 2, nickname: "Jun")
        try await store.add(User(seed: 1, nickname: "나그네"))
        try await store.add(jun)
        for number in 0..<trips { try await add(UInt64(number + 1), "Trip \(number + 1)") }
    }

    @discardableResult
    func add(_ number: UInt64, _ title: String, by author: UInt64 = 2) async throws -> RecordedTrip {
        let trip = try TripBuilder(seed: number, author: User(seed: author)).with {
            $0.title = title
            $0.timeline = [try TimelineEntry(seed: number, day: 1)]
        }.build()
        try await store.add([trip])
        return trip
    }

    var useCases: ScreenUseCases {
        ScreenUseCases(
            store: store, session: session, identity: session, recentKeywords: InMemoryRecentKeywordRepository(),
            readImage: { _ in throw TravelError.unavailable(.init("There is no such file.", canRetry: false)) },
            saveLanguage: { _ in })
    }

    @MainActor
    func run(_ useCases: ScreenUseCases, at screen: Screen) -> BrowserRun {
        BrowserRun(useCases, language: .english, at: ScreenAddress(screen), id: "run", token: "token")
    }

    @MainActor
    func run(
        at screen: Screen = .home, _ language: Language = .english, maps: MapCache = MapCache(),
        tiles: TileServer? = nil
    ) -> BrowserRun {
        BrowserRun(
            useCases, language: language, at: ScreenAddress(screen), id: "run", token: "token", maps: maps, tiles: tiles
        )
    }
}

extension BrowserRun {
    /// The page, when nothing loads.
    func text() async -> String { String(decoding: await page(within: .seconds(20)).document, as: UTF8.self) }

    /// The sources of the patches after `version`, until one of them contains a text.
    func patches(after version: Int, until text: String) async -> [PagePatch] {
        let stream = beginStream()
        var (patches, version) = ([PagePatch](), version)
        while let patch = await patch(after: version, on: stream) {
            patches.append(patch)
            version = patch.version
            if patch.parts.contains(where: { $0.source.contains(text) }) { break }
        }
        return patches
    }
}

extension Trait where Self == DependenciesTrait {
    /// The time of this machine: what a test waits for is an event, and not a time.
    static var liveTime: Self {
        .dependencies {
            $0.date = DateGenerator { Date() }
            $0.clock = ContinuousClock()
            $0.mainScheduler = MainScheduler.instance
            $0.uuid = UUIDGenerator { UUID() }
        }
    }
}
