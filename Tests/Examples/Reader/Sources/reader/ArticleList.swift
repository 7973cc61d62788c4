import Streams
import ViewModels

/// A list of articles by topic, page by page. `Paging` decides which page to request, and which answer counts.
struct ArticleList: Flow {
    typealias Articles = Paging<String, Article, Int, ArticleError>

    struct State: Equatable, Sendable {
        var articles = Articles()
        var isOffline = false
    }

    enum Action: Equatable, Sendable {
        case topicChosen(String), reachedEnd, refreshed, retryTapped
        case loaded(Page, Articles.Request), failed(ArticleError, Articles.Request), cancelled(Articles.Request)
    }

    enum SideEffect: Equatable, Sendable { case load(Articles.Request) }

    let source: any ArticleSource
    @Dependency(\.mainScheduler) private var scheduler

    init(_ source: any ArticleSource) {
        self.source = source
    }

    var initialState: State { State() }

    func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
        switch action {
        case .topicChosen(let topic): return .latest(.load(state.articles.show(topic)))
        case .reachedEnd: return load(state.articles.reachEnd())
        case .refreshed: return load(state.articles.refresh())
        case .retryTapped: return load(state.articles.retry())
        case .loaded(let page, let request):
            guard state.articles.receive(CursorPage(page.articles, next: page.next), of: request) else { break }
            state.isOffline = page.isStored
        case .failed(let error, let request): state.articles.fail(error, of: request)
        case .cancelled(let request): state.articles.cancel(request)
        }
        return .none
    }

    private func load(_ request: Articles.Request?) -> Next<SideEffect, Never> {
        request.map { .latest(.load($0)) } ?? .none
    }

    func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .load(let request):
            Observable<Action>.task { [source] in
                .loaded(try await source.page(of: request.query, after: request.cursor), request)
            }
            .retry(when: { [scheduler] (errors: Observable<any Error>) in
                // Twice, after 1 and 2 seconds; an answer that is an error stays one.
                errors.enumerated().flatMap { attempt, error in
                    attempt < 2 && error as? ArticleError == .unreachable
                        ? Observable<Int>.timer(.seconds(1 << attempt), scheduler: scheduler) : .error(error)
                }
            })
            .catch { .just(.failed($0 as? ArticleError ?? .refused("\($0)"), request)) }
        }
    }

    func unanswered(_ sideEffect: SideEffect) -> Action? {
        switch sideEffect {
        case .load(let request): .cancelled(request)
        }
    }
}
