import StreamsTesting
import Synchronization
import TravelPresentation

/// The world around a home screen: a store whose answers take 100 ms each, and who is signed in.
final class HomeWorld: StoreStub, RecentKeywordRepository {
    let scheduler: TestScheduler
    let person = BehaviorRelay<User?>(value: Person.mina)
    private let state = Mutex(State())
    private let changes = PublishSubject<[Travel]>()

    private struct State {
        var travels: [Travel] = []
        var recent = RecentKeywords()
        var failing: Set<String> = []
        var calls: [String] = []
        var cancelled: [String] = []
    }

    /// A world with that many travels, the newest first.
    init(scheduler: TestScheduler = TestScheduler(resolution: 0.001), count: UInt64 = 45) {
        self.scheduler = scheduler
        state.withLock { $0.travels = (0..<count).map { .sample(count - $0) } }
    }

    /// The calls so far, in the order of their starts.
    var calls: [String] { state.withLock { $0.calls } }
    /// The calls that were cancelled.
    var cancelled: [String] { state.withLock { $0.cancelled } }
    var recent: [String] { state.withLock { $0.recent.keywords.map(\.text) } }

    /// The likes that are stored, with their numbers.
    var likes: [Travel.ID: TravelCard.Like] {
        state.withLock { state in
            Dictionary(uniqueKeysWithValues: state.travels.map { ($0.id, TravelCard($0).like) })
        }
    }

    /// The calls that fail from now on: `"page"`, `"like"`, ….
    func fail(_ calls: String...) { state.withLock { $0.failing = Set(calls) } }

    /// Changes what is stored and notifies the observers of first pages.
    func change(_ body: (inout [Travel]) -> Void) {
        let travels = state.withLock { state in
            body(&state.travels)
            return state.travels
        }
        scheduler.perform { changes.onNext(travels) }
        scheduler.advance(by: .zero)
    }

    var useCases: ScreenUseCases { ScreenUseCases(self, recentKeywords: self) }

    func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable {
        Observable.task { [self] in try await page(query.criteria, nil, "first") }
            .concat(changes.map { Self.page(of: $0, query.criteria, after: nil) }).values
    }

    func search(_ query: TravelQuery) async throws -> TravelPage {
        try await page(query.criteria, query.cursor, "page")
    }

    func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        try await call(isLiked ? "like" : "unlike") { state in
            guard let index = state.travels.firstIndex(where: { $0.id == id }) else {
                throw TravelError.notFound(.travel(id))
            }
            let count = state.travels[index].likeCount
            state.travels[index] = state.travels[index].liked(isLiked, count + (isLiked ? 1 : -1))
        }
    }

    func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try await call("suggest '\(text.text)'") { $0.travels.map(\.title).filter(text.matches) }
    }

    func recentKeywords() async throws -> RecentKeywords {
        try await call("suggest ''") { $0.recent }
    }

    func updateRecentKeywords(_ change: @escaping @Sendable (inout RecentKeywords) -> Void) async throws {
        var changed = state.withLock { $0.recent }
        let count = changed.keywords.count
        change(&changed)
        try await call(changed.keywords.count < count ? "forget" : "remember") { change(&$0.recent) }
    }

    private func page(_ criteria: TravelCriteria, _ cursor: TravelCursor?, _ name: String) async throws -> TravelPage {
        try await call(name) { Self.page(of: $0.travels, criteria, after: cursor) }
    }

    private static func page(
        of travels: [Travel], _ criteria: TravelCriteria, after cursor: TravelCursor?
    ) -> TravelPage {
        let found = travels.filter { criteria.matches($0.content) && cursor?.precedes($0) != false }
            .sorted { criteria.sort.precedes($0, $1) }
        let page = Array(found.prefix(20))
        return TravelPage(
            travels: page, next: found.count > 20 ? page.last.map { TravelCursor(after: $0, in: criteria.sort) } : nil)
    }

    private func call<Value>(_ name: String, _ body: (inout State) throws -> Value) async throws -> Value {
        state.withLock { $0.calls.append(name) }
        do {
            try await scheduler.virtualClock.sleep(for: .milliseconds(100))
        } catch {
            state.withLock { $0.cancelled.append(name) }
            throw error
        }
        return try state.withLock { state in
            if state.failing.contains(name) { throw TravelError.busy }
            return try body(&state)
        }
    }
}

extension Travel {
    /// The same travel with another like of the viewer.
    func liked(_ isLiked: Bool, _ count: Int) -> Travel {
        do {
            return try Travel(
                id: id, author: author, content: content, createdAt: createdAt, likeCount: count, isLiked: isLiked,
                isMine: isMine)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
