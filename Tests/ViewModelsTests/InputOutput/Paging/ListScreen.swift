import Streams
import StreamsTesting
import ViewModels

/// An action of a person on a list.
enum Move: Hashable, Sendable {
    case ask(String)
    case reachEnd, refresh, retry
}

/// A list in virtual time: moves at given ticks, and the shown states.
final class ListScreen {
    typealias List = PagedList<PageServer.Row, String>

    let scheduler = TestScheduler(resolution: 0.001)
    let server: PageServer
    private let moves = PublishSubject<Move>()
    private let observer: TestableObserver<List>
    private var subscription: (any Disposable)?

    init(answering answer: @escaping @Sendable (_ number: Int) -> Answer) {
        let server = PageServer(clock: scheduler.virtualClock, answer: answer)
        self.server = server
        observer = scheduler.createObserver(List.self)
        let paginator = Paginator { query, cursor in
            try await server.page(of: query, after: cursor)
        } failure: {
            "\($0)"
        }
        let list = paginator.transform(
            .init(
                query: moves.compactMap { if case .ask(let query) = $0 { query } else { nil } },
                reachedEnd: moves.filter { $0 == .reachEnd }.map { _ in },
                refreshed: moves.filter { $0 == .refresh }.map { _ in },
                retryTapped: moves.filter { $0 == .retry }.map { _ in }))
        subscription = list.subscribe(observer)
    }

    convenience init(_ answers: Answer...) {
        self.init { answers[$0] }
    }

    func at(_ tick: Int, _ move: Move) {
        scheduler.scheduleAt(tick) { [moves] in moves.onNext(move) }
    }

    func leave(at tick: Int) {
        scheduler.scheduleAt(tick) { [self] in subscription?.dispose() }
    }

    /// Runs to the end, disposes, and returns the shown states with their ticks: `110 loaded 1 2+`.
    func run() -> [String] {
        scheduler.run()
        subscription?.dispose()
        scheduler.run()
        scheduler.expectIdle()
        return observer.events.map { recorded in
            "\(recorded.time) \(recorded.value.element.map(Self.words) ?? "\(recorded.value)")"
        }
    }

    private static func words(_ list: List) -> String {
        let phase =
            switch list.phase {
            case .loading(let load): "loading \(load)"
            case .loaded: "loaded"
            case .failed(let load, _): "failed \(load)"
            }
        let rows = list.items.map { " \($0.id)" }.joined()
        return phase + rows + (list.hasMore ? "+" : "")
    }
}
