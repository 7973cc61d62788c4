import Foundation

/// Keeps each page that a source answers in a file, and answers with it while the source cannot be reached.
struct CachedArticles: ArticleSource {
    let source: any ArticleSource
    let folder: URL

    func page(of topic: String, after id: Int?) async throws -> Page {
        let name = Data("\(topic) \(id ?? 0)".utf8).map { String($0, radix: 16) }.joined()
        let file = folder.appending(path: "\(name).json")
        do {
            let page = try await source.page(of: topic, after: id)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try JSONEncoder().encode(page).write(to: file, options: .atomic)
            return page
        } catch ArticleError.unreachable {
            // A page that was never loaded, or that another version has written, is no page: the error stays.
            guard let data = try? Data(contentsOf: file), var page = try? JSONDecoder().decode(Page.self, from: data)
            else { throw ArticleError.unreachable }
            page.isStored = true
            return page
        }
    }
}
