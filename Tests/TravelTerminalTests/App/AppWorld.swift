import Composition
import Foundation
import StreamsTesting
import Synchronization
import TravelDataInMemory
import TravelDomainTesting
@testable import TravelTerminal
import ViewModelsTesting

/// The world around the app: a store whose answers take 20 ms each, with the users ``me`` and ``jun``.
final class AppWorld: Sendable {
    let scheduler = TestScheduler(resolution: 0.001)
    let session: InMemorySession
    let recentKeywords = InMemoryRecentKeywordRepository()
    /// What waits between the device and its server, if there is one.
    let synchronization: ScriptedSynchronization?
    private let memory = InMemoryTripRepository()
    private let state = Mutex(State())

    private struct State {
        var failing: Set<InterceptedStore.Call> = []
        var changes: [InterceptedStore.Call] = []
        var languages: [Language] = []
        var deleted: RecordedTrip?
        var undone: [UndoableDeletion] = []
        var passwords: [String] = []
    }

    static let me = user(1, "나그네")
    static let jun = user(2, "Jun")

    private static func user(_ seed: UInt64, _ nickname: String) -> User {
        do {
            return try User(seed: seed, nickname: nickname)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Whether deletions of trips can be undone.
    private let undoes: Bool

    /// Creates a world in which ``me`` is signed in, or in which the user of the device has no account yet.
    init(signedIn: Bool = true, synchronization: ScriptedSynchronization? = nil, undoes: Bool = false) {
        self.undoes = undoes
        self.synchronization = synchronization
        session = signedIn ? InMemorySession(device: AppWorld.me.id, signedIn: AppWorld.me.id) : InMemorySession()
        do {
            try perform { memory in for user in [AppWorld.me, AppWorld.jun] { try await memory.add(user) } }
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// The changes of the store so far, in order.
    var changes: [InterceptedStore.Call] { state.withLock { $0.changes } }
    /// The languages that were saved.
    var languages: [Language] { state.withLock { $0.languages } }

    /// The deletions that were undone.
    var undone: [UndoableDeletion] { state.withLock { $0.undone } }

    /// The passwords that were sent to the server.
    var passwords: [String] { state.withLock { $0.passwords } }

    /// These calls fail from now on.
    func fail(_ calls: InterceptedStore.Call...) { state.withLock { $0.failing = Set(calls) } }

    /// Changes the store elsewhere.
    func perform(_ body: @escaping @Sendable (InMemoryTripRepository) async throws -> Void) throws {
        try scheduler.run { [memory] in try await body(memory) }
    }

    /// Adds a trip of a number; greater numbers are newer.
    func add(
        _ number: UInt64, _ title: String, by author: User = jun, region: Region = .busan, days: Int = 2,
        entries: [(day: Int, hour: Int, title: String, place: String?)] = []
    ) throws {
        let trip = try TripBuilder(seed: number, author: author).with {
            $0.title = title
            $0.region = region
            $0.numberOfDays = days
            $0.timeline = try entries.enumerated().map { index, entry in
                try TimelineEntry(
                    id: .init(seed: number * 100 + UInt64(index)), day: entry.day, time: TimeOfDay(hour: entry.hour),
                    title: Title(entry.title), text: EntryText("\(entry.title)에 관한 긴 이야기. 바람이 많이 불었다."),
                    place: try entry.place.map {
                        try Place(
                            name: $0,
                            coordinate: try Coordinate(
                                latitude: 35 + Double(index) * 0.05, longitude: 129 + Double(index) * 0.02))
                    })
            }
        }.build()
        try perform { try await $0.add([trip]) }
    }

    var useCases: ScreenUseCases {
        var useCases = ScreenUseCases(
            store: InterceptedStore(memory) { [self] in try await begin($0) }, session: session, identity: session,
            recentKeywords: recentKeywords, synchronization: synchronization,
            readImage: { [self] path in
                try await wait()
                // The only picture that can be read.
                guard path == "photo.png" else {
                    throw TravelError.unavailable(.init("There is no such file.", canRetry: false))
                }
                return PickedImage(try TripImage(seed: 1))
            },
            saveLanguage: { [self] language in
                try await wait()
                state.withLock { $0.languages.append(language) }
            })
        useCases.serverAccount = synchronization.map { synchronization in
            .init(
                signIn: { [self] nickname, password in
                    try await send("\(nickname): \(password.text)")
                    synchronization.update { ($0.connection, $0.pendingWrites) = (.online, 0) }
                },
                deleteAccount: { [self] password in
                    try await send(password.text)
                    try await session.setSession(nil)
                })
        }
        if undoes {
            useCases.deleteTrip = { [self, delete = useCases.deleteTrip] id in
                let trip = try await memory.details(of: id, viewer: AppWorld.me.id).recorded
                state.withLock { $0.deleted = trip }
                _ = try await delete(id)
                return UndoableDeletion(id: .init(seed: 1), of: .trip(id))
            }
            useCases.undo = { [self] deletion in
                try await wait()
                let trip = state.withLock { state in
                    state.undone.append(deletion)
                    return state.deleted
                }
                if let trip { try await memory.add([trip]) }
            }
        }
        return useCases
    }

    private func send(_ password: String) async throws {
        try await wait()
        state.withLock { $0.passwords.append(password) }
    }

    private func wait() async throws { try await scheduler.virtualClock.sleep(for: .milliseconds(20)) }

    private func begin(_ call: InterceptedStore.Call) async throws {
        // What a screen reads after the first answer arrives together with it.
        if ![.user, .trip, .timeline, .track].contains(call) { try await wait() }
        let changes: Set<InterceptedStore.Call> = [
            .addTrips, .update, .setLiked, .report, .block, .unblock, .addUser, .rename, .removeUser,
        ]
        try state.withLock { state in
            if changes.contains(call) { state.changes.append(call) }
            if state.failing.contains(call) {
                throw TravelError.unavailable(.init("The store is busy.", canRetry: true))
            }
        }
    }
}

/// The only place that can be found.
struct OnePlace: PlaceRepository {
    func search(_ text: String, limit: Int) async throws -> [KnownPlace] {
        let place = try Place(
            name: "해운대 해수욕장", address: "부산 해운대구", coordinate: Coordinate(latitude: 35.16, longitude: 129.16))
        return text == "해운대" ? [try KnownPlace(place: place, englishName: "Haeundae", region: .busan)] : []
    }

    func nearest(to coordinate: Coordinate, within meters: Double) async throws -> KnownPlace? { nil }
}

/// The app in virtual time: keys in, frames as text out.
@MainActor
final class AppRun {
    let world: AppWorld
    let app: TerminalApp
    var size = Size(columns: 80, rows: 24)
    /// How often a frame was requested.
    private(set) var requests = 0
    private let dependencies: DependencyValues

    init(_ world: AppWorld, language: Language = .english, restoring open: String = "") {
        self.world = world
        (app, dependencies) = SharingScheduler.mock(scheduler: world.scheduler) {
            withDependencies {
                $0.useVirtualTime(of: world.scheduler)
                $0.uuid = .incrementing
                $0.places = OnePlace()
            } operation: {
                world.scheduler.perform {
                    (TerminalApp(world.useCases, language: language, restoring: open), DependencyValues.current)
                }
            }
        }
        app.changed = { [weak self] in self?.requests += 1 }
        pass(200)
    }

    /// Presses keys, 50 ms after each other, and lets more time pass after the last.
    func press(_ keys: Key..., thenPass milliseconds: Int = 0) {
        for key in keys { handle(.key(key)) }
        if milliseconds > 0 { pass(milliseconds) }
    }

    /// Types text, cluster by cluster.
    func type(_ text: String) {
        for character in text { handle(.key(.character(character))) }
    }

    /// Presses keys at one moment.
    func pressAtOnce(_ keys: Key...) {
        for key in keys { send(.key(key)) }
        pass(50)
    }

    func handle(_ event: InputEvent) {
        send(event)
        pass(50)
    }

    private func send(_ event: InputEvent) {
        inVirtualTime { world.scheduler.perform { app.handle(event) } }
    }

    /// Sends events to a session of this app at one moment.
    func send(_ events: [InputEvent], to session: HeadlessSession) {
        inVirtualTime { world.scheduler.perform { for event in events { session.handle(event) } } }
    }

    /// Ends a session of this app.
    func close(_ session: HeadlessSession) {
        inVirtualTime { world.scheduler.perform { session.close() } }
    }

    func pass(_ milliseconds: Int) {
        inVirtualTime { world.scheduler.advance(by: .milliseconds(milliseconds)) }
    }

    private func inVirtualTime(_ body: () -> Void) {
        SharingScheduler.mock(scheduler: world.scheduler) {
            withDependencies(from: dependencies, operation: body)
        }
    }

    /// The screen as text.
    var text: String { app.frame(size).text }

    /// The lines of the screen.
    var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    /// The first line with that text.
    func line(with text: String) -> String? { lines.first { $0.contains(text) } }
}
