import Foundation
import ViewModels

/// `reader ADDRESS` shows the articles of a server; see `RemoteArticles`.
@main
struct ReaderApp {
    @MainActor
    static func main() async throws {
        guard let address = CommandLine.arguments.dropFirst().first.flatMap(URL.init(string:)) else {
            return print("usage: reader ADDRESS")
        }
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
        let source = CachedArticles(
            source: RemoteArticles(address: address), folder: caches.appending(path: "reader"))
        let store = ArticleList.Store(ArticleList(source))
        let bag = DisposeBag()
        store.state.drive(onNext: show).disposed(by: bag)

        let reading = SerialDispatchQueueScheduler(qos: .userInitiated)
        print("/TOPIC shows a topic, Return the next page; r refreshes, t tries again.")
        for try await line in Observable.from(Lines(), scheduler: reading).values {
            switch line {
            case "": store.send(.reachedEnd)
            case "r": store.send(.refreshed)
            case "t": store.send(.retryTapped)
            case _ where line.hasPrefix("/"): store.send(.topicChosen(String(line.dropFirst())))
            default: print("?")
            }
        }
    }

    private static func show(_ state: ArticleList.State) {
        for article in state.articles.list.items { print("\(article.title)  \(article.address)") }
        if state.isOffline { print("offline: these articles may be old") }
        switch state.articles.list.phase {
        case .loading: print("loading")
        case .failed(_, let error): print("failed: \(error)")
        case .loaded where state.articles.list.hasMore: print("more follow")
        case .loaded: break
        }
    }
}

/// The lines of standard input. Reading one blocks its thread, so they are read on a queue of their own.
nonisolated struct Lines: Sequence, IteratorProtocol {
    func next() -> String? { readLine() }
}
