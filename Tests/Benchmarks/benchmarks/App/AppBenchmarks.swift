import TravelDataInMemory
import TravelDataSQLite
import TravelDomain
import TravelPresentation
import TravelSamples
import MeasuredTerminal

/// The group `app`: the processor's time from a key press to the bytes that change the terminal, on a seeded database,
/// in the app and in a loop that is written by hand for the list alone.
///
/// The median of an element is that of all key presses; an element that begins with "slowest" is the slowest press of
/// each run.
@MainActor
enum AppBenchmarks {
    static func run(_ report: inout Report) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // What is left is the system's to remove.
        let path = folder.appending(path: "database").path()
        let count = report.count ?? 100_000
        let database = try await TravelDatabase.open(path: path)
        try await database.seed(count: count, seed: 7)
        let world = World(database)
        try await keyToFrame(&report, world)
        try await scroll(&report, world)
        try await typeKeyword(&report, world)
        await database.close()
        try await firstFrame(&report, path)
    }

    static let columns = 80
    static let rows = 24

    /// What the app and the hand-written screen show.
    struct World {
        let database: TravelDatabase
        let session = InMemorySession()

        init(_ database: TravelDatabase) {
            self.database = database
        }

        var useCases: ScreenUseCases {
            ScreenUseCases(
                store: database.trips, session: session, identity: session,
                recentKeywords: InMemoryRecentKeywordRepository(),
                readImage: { PickedImage(try TripImage(bytes: Data($0.utf8))) }, saveLanguage: { _ in })
        }

        var search: SearchTrips { SearchTrips(trips: database.trips, session: session) }

        /// The app, with its list and the session on the screen. They arrive in any order.
        @MainActor
        func app() async -> AppScreen {
            let app = AppScreen(useCases)
            await app.wait { $0.contains(" 1/") && $0.contains("Sign in") }
            return app
        }

        /// The app, and the hand-written screen with the same picture.
        @MainActor
        func both() async throws -> (AppScreen, HandScreen) {
            let app = await app()
            return (app, try await HandScreen(like: app.text, search))
        }
    }

    /// A key that moves in a list, or opens and closes something, and changes the screen.
    private static func keyToFrame(_ report: inout Report, _ world: World) async throws {
        let moves: [(element: String, keys: [Key], repeats: Int)] = [
            ("move", [.down, .down, .down, .up], 60), ("page", [.pageDown, .pageUp], 60),
        ]
        for (element, keys, repeats) in moves where report.isWanted("keyToFrame", element: element) {
            var (app, hand) = ([[Double]](), [[Double]]())
            for run in 0...report.runs {
                let (appScreen, handScreen) = try await world.both()
                // The screen stays on the first page.
                for number in 0..<report.scaled(repeats) * keys.count {
                    let isBack = number / 12 % 2 == 1
                    let key = element == "move" ? (isBack ? .up : .down) : keys[number % keys.count]
                    appScreen.measure { $0.press(key.bytes) }
                    await handScreen.press(key)
                }
                if let difference = await appScreen.difference(from: handScreen.text) {
                    report.addMismatch("keyToFrame, \(element), run \(run): \(difference)")
                }
                // The first run warms up.
                if run > 0 {
                    app.append(appScreen.takeTimes())
                    hand.append(handScreen.takeTimes())
                }
            }
            report.add("keyToFrame", "App", element, app)
            report.add("keyToFrame", "Hand", element, hand)
        }
        try await sheets(&report, world)
    }

    /// Keys that open something over the list and close it, and keys that change a form.
    private static func sheets(_ report: inout Report, _ world: World) async throws {
        let sheets = [
            ("filters", "", "f\u{1B}"), ("help", "", "?\u{1B}"), ("search", "", "/\u{1B}"),
            ("form", "n", "가a\u{7F}\u{7F}"),
        ]
        for (element, opening, keys) in sheets where report.isWanted("keyToFrame", element: element) {
            var times: [[Double]] = []
            for _ in 0...report.runs {
                let app = await world.app()
                if !opening.isEmpty {
                    app.measure { $0.press(opening.utf8) }
                    _ = app.takeTimes()
                }
                for _ in 0..<report.scaled(50) {
                    for key in keys { app.measure { $0.press(String(key).utf8) } }
                }
                times.append(app.takeTimes())
            }
            report.add("keyToFrame", "App", element, Array(times.dropFirst()))
        }
    }

    /// A thousand rows downwards, with the pages that are loaded on the way.
    private static func scroll(_ report: inout Report, _ world: World) async throws {
        guard report.isWanted("scroll1000") else { return }
        var (app, hand) = ([[Double]](), [[Double]]())
        for run in 0...report.runs {
            let (appScreen, handScreen) = try await world.both()
            for _ in 0..<1000 {
                appScreen.measure { $0.press(Key.down.bytes) }
                if appScreen.text.contains("Loading") {
                    await appScreen.measureWait { !$0.contains("Loading") }
                }
                await handScreen.press(.down)
            }
            if let difference = await appScreen.difference(from: handScreen.text) {
                report.addMismatch("scroll1000, run \(run): \(difference)")
            }
            if run > 0 {
                app.append(appScreen.takeTimes())
                hand.append(handScreen.takeTimes())
            }
        }
        report.add("scroll1000", "App", "key", app)
        report.add("scroll1000", "Hand", "key", hand)
    }

    /// A keyword that is typed key by key, the suggestions for it, and its results.
    private static func typeKeyword(_ report: inout Report, _ world: World) async throws {
        guard report.isWanted("typeKeyword") else { return }
        var (keys, suggestions, results) = ([[Double]](), [[Double]](), [[Double]]())
        for _ in 0...report.runs {
            let app = await world.app()
            var (keyTimes, suggestionTimes, resultTimes) = ([Double](), [Double](), [Double]())
            for keyword in ["부산", "밤바다 산책", "한라산", "camping", "없는말"] {
                app.measure { $0.press("/\u{15}".utf8) }
                await app.measureWait { $0.contains("Recent searches") && !$0.contains("Loading") }
                _ = app.takeTimes()
                for character in keyword { app.measure { $0.press(String(character).utf8) } }
                keyTimes += app.takeTimes()
                await app.measureWait { $0.contains("Suggestions") && !$0.contains("Loading") }
                suggestionTimes += app.takeTimes()
                app.measure { $0.press("\r".utf8) }
                await app.measureWait { $0.contains(" 1/") || $0.contains("No trips found") }
                resultTimes.append(app.takeTimes().reduce(0, +))
            }
            keys.append(keyTimes)
            suggestions.append(suggestionTimes)
            results.append(resultTimes)
        }
        for (element, times) in [("key", keys), ("suggestions", suggestions), ("results", results)] {
            report.add("typeKeyword", "App", element, Array(times.dropFirst()))
        }
    }

    /// From opening the database to the first screen with trips; the time that passes, not that of the processor.
    private static func firstFrame(_ report: inout Report, _ path: String) async throws {
        guard report.isWanted("firstFrame") else { return }
        var times: [Double] = []
        for _ in 0...report.runs {
            let start = Report.Clock.wall.now
            let database = try await TravelDatabase.open(path: path)
            let app = await World(database).app()
            times.append(Double(Report.Clock.wall.now - start))
            app.close()
            await database.close()
        }
        report.add(shape: "firstFrame", column: "App", element: "start", times: Array(times.dropFirst()))
    }
}

extension Report {
    fileprivate var runs: Int { isQuick ? 2 : 7 }

    /// Adds the figures of key presses, run by run, and of the slowest press of each run.
    fileprivate mutating func add(_ shape: String, _ column: String, _ element: String, _ runs: [[Double]]) {
        add(shape: shape, column: column, element: element, times: runs.flatMap { $0 })
        add(shape: shape, column: column, element: "slowest \(element)", times: runs.compactMap { $0.max() })
    }
}
