import Foundation
import Synchronization
import Testing
import ViewModelsTesting

@testable import reader

@Suite("A list of articles", .nothingSurvives, .timeLimit(.minutes(1)))
struct ArticleListTests {
    let first = Page(articles: [.init(3), .init(2)], next: 2), last = Page(articles: [.init(2), .init(1)])

    @Test("the end of the list loads the next page once, and an article is listed once")
    func pages() {
        let tester = FlowTester(ArticleList(Script(.success(first), .success(last))))
        open(tester, first)

        var request: ArticleList.Articles.Request?
        tester.send(.reachedEnd) { request = $0.articles.reachEnd() }
        guard let request else { return }
        tester.receive(sideEffect: .load(request))
        tester.send(.reachedEnd)
        tester.receive(.loaded(last, request)) { $0.articles.receive(CursorPage(last.articles), of: request) }
        #expect(tester.state.articles.list.items.map(\.id) == [3, 2, 1])
        tester.send(.reachedEnd)
        tester.finish()
    }

    @Test("an unreachable source is tried again after 1 and after 2 seconds")
    func retries() {
        let tester = FlowTester(
            ArticleList(Script(.failure(.unreachable), .failure(.unreachable), .success(first))))
        open(tester, first)
        #expect(tester.scheduler.clock == 3000)
        tester.finish()
    }

    @Test("after the third failure the list shows it, and a tap tries again")
    func fails() {
        let failures = Array(repeating: Result<Page, ArticleError>.failure(.unreachable), count: 3)
        let tester = FlowTester(ArticleList(Script(failures + [.success(first)])))
        var request: ArticleList.Articles.Request?
        tester.send(.topicChosen("sea")) { request = $0.articles.show("sea") }
        guard let failed = request else { return }
        tester.receive(sideEffect: .load(failed))
        tester.receive(.failed(.unreachable, failed)) { $0.articles.fail(.unreachable, of: failed) }
        tester.send(.retryTapped) { request = $0.articles.retry() }
        guard let request else { return }
        tester.receive(sideEffect: .load(request))
        tester.receive(.loaded(first, request)) {
            $0.articles.receive(CursorPage(first.articles, next: 2), of: request)
        }
        tester.finish()
    }

    @Test("a refresh that is cancelled, as when its view disappears, leaves the list as it was")
    func cancelledRefresh() {
        // The source answers although its task is cancelled.
        let tester = FlowTester(ArticleList(Script(.success(first), .success(last))))
        open(tester, first)
        var request: ArticleList.Articles.Request?
        let refresh = tester.send(.refreshed) { request = $0.articles.refresh() }
        guard let request else { return }
        tester.receive(sideEffect: .load(request))
        refresh.cancel()
        tester.receive(.cancelled(request)) { $0.articles.cancel(request) }
        #expect(tester.state.articles.list.loading == nil)
        #expect(tester.state.articles.list.items.map(\.id) == [3, 2])
        tester.finish()
    }

    /// Opens a topic, and expects its first page.
    private func open(_ tester: FlowTester<ArticleList>, _ page: Page) {
        var request: ArticleList.Articles.Request?
        tester.send(.topicChosen("sea")) { request = $0.articles.show("sea") }
        guard let request else { return }
        tester.receive(sideEffect: .load(request))
        tester.receive(.loaded(page, request)) {
            $0.articles.receive(CursorPage(page.articles, next: page.next), of: request)
        }
    }
}

@Suite("Sources of articles", .timeLimit(.minutes(1)))
struct ArticleSourceTests {
    let page = Page(articles: [.init(3)], next: 3)

    @Test("a page is requested by topic and id, and decoded")
    func remote() async throws {
        let json = #"{"articles": [{"id": 3, "title": "Article 3", "address": "https://example.org/3"}], "next": 3}"#
        let asked = Mutex<[String]>([])
        let remote = RemoteArticles(address: try #require(URL(string: "https://example.org/articles"))) { url in
            asked.withLock { $0.append(url.absoluteString) }
            return (Data(json.utf8), 200)
        }
        #expect(try await remote.page(of: "sea", after: nil) == page)
        #expect(try await remote.page(of: "sea", after: 3) == page)
        #expect(
            asked.withLock { $0 } == [
                "https://example.org/articles?topic=sea", "https://example.org/articles?topic=sea&after=3",
            ])
    }

    @Test(
        "a busy server and a lost connection are unreachable; other answers are refused",
        arguments: [(503, ArticleError.unreachable), (429, .unreachable), (404, .refused("status 404"))])
    func refuses(status: Int, error: ArticleError) async throws {
        let remote = RemoteArticles(address: try #require(URL(string: "https://example.org"))) { _ in (Data(), status) }
        await #expect(throws: error) { try await remote.page(of: "sea", after: nil) }
    }

    @Test("a page that was loaded once is shown while the source cannot be reached; others are not")
    func cache() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "reader-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }  // what is left does not affect the test
        let source = Script(.success(page), .failure(.unreachable), .failure(.unreachable), .failure(.refused("gone")))
        let cached = CachedArticles(source: source, folder: folder)

        #expect(try await cached.page(of: "sea", after: nil) == page)
        #expect(try await cached.page(of: "sea", after: nil) == Page(articles: [.init(3)], next: 3, isStored: true))
        await #expect(throws: ArticleError.unreachable) { try await cached.page(of: "sky", after: nil) }
        await #expect(throws: ArticleError.refused("gone")) { try await cached.page(of: "sea", after: nil) }
    }
}

/// A source that gives these answers, one after the other.
final class Script: ArticleSource {
    private let answers: Mutex<[Result<Page, ArticleError>]>

    init(_ answers: [Result<Page, ArticleError>]) {
        self.answers = Mutex(answers)
    }

    convenience init(_ answers: Result<Page, ArticleError>...) {
        self.init(answers)
    }

    func page(of topic: String, after id: Int?) async throws -> Page {
        try answers.withLock { $0.removeFirst() }.get()
    }
}

extension Article {
    nonisolated init(_ id: Int) {
        self.init(id: id, title: "Article \(id)", address: URL(string: "https://example.org/\(id)")!)
    }
}
