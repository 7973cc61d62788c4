import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Articles of a server, as JSON: `GET ADDRESS?topic=sea&after=40` answers `{"articles": […], "next": 60}`.
struct RemoteArticles: ArticleSource {
    let address: URL
    /// Loads the contents of an address, with the HTTP status.
    var load: @Sendable (URL) async throws -> (Data, status: Int) = { url in
        let (data, response) = try await URLSession.shared.data(from: url)
        return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }

    func page(of topic: String, after id: Int?) async throws -> Page {
        let query =
            [URLQueryItem(name: "topic", value: topic)]
            + (id.map { [URLQueryItem(name: "after", value: "\($0)")] } ?? [])
        let (data, status) = try await answer(from: address.appending(queryItems: query))
        switch status {
        case 200: break
        case 429, 500...: throw ArticleError.unreachable
        default: throw ArticleError.refused("status \(status)")
        }
        do { return try JSONDecoder().decode(Page.self, from: data) } catch {
            throw ArticleError.refused("not a page: \(error)")
        }
    }

    private func answer(from url: URL) async throws -> (Data, status: Int) {
        do { return try await load(url) } catch is URLError {
            try Task.checkCancellation()
            throw ArticleError.unreachable
        }
    }
}
