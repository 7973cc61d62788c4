import Foundation
import StreamsTesting
import Synchronization
import TravelDomainTesting
import TravelTerminal

/// The world around the app: travels with their timelines, who is signed in, and answers that take 20 ms each.
final class AppWorld: Sendable {
    let scheduler = TestScheduler(resolution: 0.001)
    private let state = Mutex(State())
    private let changes = BehaviorRelay<Int>(value: 0)

    struct State {
        var travels: [Travel] = []
        var timelines: [Travel.ID: [TimelineEntry]] = [:]
        var person: User?
        var blocked: [User] = []
        /// The travels as they are stored, for the editors.
        var recorded: [Travel.ID: RecordedTravel] = [:]
        var recent = RecentKeywords()
        var failing: Set<String> = []
        var calls: [String] = []
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

    /// The changes of the store so far, in order.
    var calls: [String] { state.withLock { $0.calls } }

    /// Calls with these names fail from now on.
    func fail(_ names: String...) { state.withLock { $0.failing = Set(names) } }

    /// Changes what is stored and notifies its observers.
    func change(_ body: (inout State) throws -> Void) rethrows {
        try state.withLock { try body(&$0) }
        scheduler.perform { changes.accept(changes.value + 1) }
    }

    /// Adds a travel of a number; greater numbers are newer.
    func add(
        _ number: UInt64, _ title: String, by author: User = jun, region: Region = .busan, days: Int = 2,
        entries: [(day: Int, hour: Int, title: String, place: String?)] = []
    ) throws {
        let recorded = try TravelBuilder(seed: number, author: author).with {
            $0.title = title
            $0.region = region
            $0.numberOfDays = days
        }.build()
        let timeline = try entries.enumerated().map { index, entry in
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
        try change { state in
            state.travels.insert(
                try Travel(
                    id: recorded.id, author: author, content: recorded.content, createdAt: recorded.createdAt,
                    likeCount: 0, isLiked: false, isMine: author == state.person), at: 0)
            state.timelines[recorded.id] = timeline
            state.recorded[recorded.id] = try RecordedTravel(
                id: recorded.id, author: author, createdAt: recorded.createdAt, content: recorded.content,
                timeline: timeline)
        }
    }

    private func watch<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (inout State) throws -> Value
    ) -> Observable<Value> {
        changes.asObservable().flatMapLatest { [self] _ in
            Observable.task { [self] in try await call(name, isChange: false, body) }
        }
    }

    private func call<Value: Sendable>(
        _ name: String, isChange: Bool = true, _ body: (inout State) throws -> Value
    ) async throws -> Value {
        try await scheduler.virtualClock.sleep(for: .milliseconds(20))
        let value = try state.withLock { state in
            if isChange { state.calls.append(name) }
            if state.failing.contains(name) {
                throw TravelError.unavailable(.init("The store is busy.", canRetry: true))
            }
            return try body(&state)
        }
        if isChange { changes.accept(changes.value + 1) }
        return value
    }

    private static func page(_ state: State, _ criteria: TravelCriteria, after cursor: TravelCursor?) -> TravelPage {
        let found = state.travels.filter { criteria.matches($0.content) && cursor?.precedes($0) != false }
            .sorted { criteria.sort.precedes($0, $1) }
        let page = Array(found.prefix(20))
        return TravelPage(
            travels: page, next: found.count > 20 ? page.last.map { TravelCursor(after: $0, in: criteria.sort) } : nil)
    }

    private static func setLiked(_ isLiked: Bool, _ id: Travel.ID, in state: inout State) throws {
        guard let index = state.travels.firstIndex(where: { $0.id == id }) else {
            throw TravelError.notFound(.travel(id))
        }
        let travel = state.travels[index]
        state.travels[index] = try Travel(
            id: id, author: travel.author, content: travel.content, createdAt: travel.createdAt,
            likeCount: travel.likeCount + (isLiked ? 1 : -1), isLiked: isLiked, isMine: travel.isMine)
    }

    var screens: TerminalScreens {
        TerminalScreens(
            session: .init(
                watch: { [self] in watch("session") { $0.person } },
                signOut: { [self] in try await call("sign out") { $0.person = nil } },
                withdraw: { [self] in try await call("withdraw") { $0.person = nil } }),
            home: home, timeline: timeline, travelEditor: travelEditor, entryEditor: entryEditor,
            myPage: .init(
                travels: { [self] id in
                    watch("my travels") { state in
                        TravelPage(travels: state.travels.filter { $0.author.id == id }, next: nil)
                    }
                },
                likedTravels: { [self] _ in
                    watch("liked") { TravelPage(travels: $0.travels.filter(\.isLiked), next: nil) }
                }),
            profile: .profile(
                check: { [self] text in
                    try await call("check", isChange: false) { _ in text == "Jun" ? .taken : .available }
                },
                change: { [self] name in
                    try await call("rename") { $0.person = $0.person.map { User(id: $0.id, nickname: name) } }
                }),
            signIn: .signIn { [self] name in
                try await call("sign in") { $0.person = User(id: AppWorld.me.id, nickname: name) }
            },
            blocked: BlockedFlow(
                load: { [self] in try await call("blocked", isChange: false) { $0.blocked } },
                unblock: { [self] id in try await call("unblock") { $0.blocked.removeAll { $0.id == id } } }),
            saveLanguage: { [self] language in try await call("language \(language.rawValue)") { _ in } })
    }

    private var travelEditor: TravelEditorFlow.UseCases {
        .init(
            load: { [self] id in try await load(id) },
            record: { [self] content, id, _ in
                try await call("record") { state in
                    let travel = try RecordedTravel(
                        id: id, author: AppWorld.me, createdAt: Date(timeIntervalSince1970: 2_000_000_000),
                        content: content, timeline: [])
                    try state.store(travel)
                    return travel
                }
            },
            edit: { [self] content, base, _ in
                try await call("edit") { state in
                    let stored = try state.recorded(base.id)
                    guard stored == base else { throw TravelError.outdated(stored) }
                    let travel = try base.with(content)
                    try state.store(travel)
                    return travel
                }
            },
            readImage: { [self] in try await readImage($0) })
    }

    /// The only picture that can be read: `photo.png`.
    private func readImage(_ path: String) async throws -> PickedImage {
        try await call("read", isChange: false) { _ in
            guard path == "photo.png" else {
                throw TravelError.unavailable(.init("There is no such file.", canRetry: false))
            }
            return PickedImage(try TravelImage(seed: 1))
        }
    }

    private var entryEditor: EntryEditorFlow.UseCases {
        .init(
            load: { [self] id in try await load(id) },
            save: { [self] entry, base, _ in
                try await call("save entry") { state in
                    let stored = try state.recorded(base.id)
                    guard stored == base else { throw TravelError.outdated(stored) }
                    let travel = try base.saving(entry)
                    try state.store(travel)
                    return travel
                }
            },
            searchPlaces: { [self] text in
                try await call("places", isChange: false) { _ in
                    let place = try Place(
                        name: "해운대 해수욕장", address: "부산 해운대구",
                        coordinate: try Coordinate(latitude: 35.16, longitude: 129.16))
                    return text == "해운대" ? [try KnownPlace(place: place, englishName: "Haeundae", region: .busan)] : []
                }
            },
            readImage: { [self] in try await readImage($0) })
    }

    private func load(_ id: Travel.ID) async throws -> RecordedTravel {
        try await call("load", isChange: false) { try $0.recorded(id) }
    }

    private var home: HomeFlow.UseCases {
        .init(
            firstPage: { [self] criteria in watch("first page") { Self.page($0, criteria, after: nil) } },
            page: { [self] criteria, cursor in
                try await call("page", isChange: false) { Self.page($0, criteria, after: cursor) }
            },
            setLiked: { [self] isLiked, id in
                try await call(isLiked ? "like" : "unlike") { try Self.setLiked(isLiked, id, in: &$0) }
            },
            suggest: { [self] text in
                try await call("suggest", isChange: false) { state in
                    guard let keyword = Keyword(text) else { return .recent(state.recent.keywords) }
                    return .titles(state.travels.map(\.title).filter(keyword.matches))
                }
            },
            remember: { [self] keyword in try await call("remember") { $0.recent.remember(keyword) } },
            forget: { [self] keyword in try await call("forget") { $0.recent.forget(keyword) } })
    }

    private var timeline: TimelineFlow.UseCases {
        .init(
            show: { [self] id in
                watch("show") { state in
                    guard let travel = state.travels.first(where: { $0.id == id }) else {
                        throw TravelError.notFound(.travel(id))
                    }
                    return TravelDetails(travel: travel, timeline: state.timelines[id] ?? [])
                }
            },
            setLiked: { [self] isLiked, id in
                try await call(isLiked ? "like" : "unlike") { try Self.setLiked(isLiked, id, in: &$0) }
            },
            report: { [self] _ in try await call("report") { _ in true } },
            block: { [self] author in try await call("block") { $0.travels.removeAll { $0.author.id == author } } },
            deleteTravel: { [self] id in try await call("delete travel") { $0.travels.removeAll { $0.id == id } } },
            deleteEntry: { [self] entry, id in
                try await call("delete entry") { $0.timelines[id]?.removeAll { $0.id == entry } }
            })
    }
}

extension AppWorld.State {
    /// The travel as it is stored.
    func recorded(_ id: Travel.ID) throws -> RecordedTravel {
        guard let travel = recorded[id] else { throw TravelError.notFound(.travel(id)) }
        return travel
    }

    /// Stores a travel, the newest first.
    mutating func store(_ travel: RecordedTravel) throws {
        recorded[travel.id] = travel
        timelines[travel.id] = travel.timeline
        let shown = try Travel(
            id: travel.id, author: travel.author, content: travel.content, createdAt: travel.createdAt, likeCount: 0,
            isLiked: false, isMine: travel.author == person)
        if let index = travels.firstIndex(where: { $0.id == travel.id }) {
            travels[index] = shown
        } else {
            travels.insert(shown, at: 0)
        }
    }
}
