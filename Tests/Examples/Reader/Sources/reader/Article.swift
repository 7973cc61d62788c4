import Foundation

nonisolated struct Article: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    let title: String
    let address: URL
}

/// Some articles of a topic, the newest first.
nonisolated struct Page: Codable, Equatable, Sendable {
    var articles: [Article]
    /// The id after which the next page begins; `nil` on the last page.
    var next: Int?
    /// Whether the page was kept from an earlier answer, because the source cannot be reached.
    var isStored = false

    enum CodingKeys: CodingKey { case articles, next }
}

/// A source of articles: a server, or what is kept of it.
nonisolated protocol ArticleSource: Sendable {
    /// - Parameter id: The `next` of the page before; `nil` for the first page.
    /// - Throws: ``ArticleError``; `CancellationError` if the task is cancelled.
    func page(of topic: String, after id: Int?) async throws -> Page
}

nonisolated enum ArticleError: Error, Equatable {
    /// The source cannot be reached, or is not able to answer now.
    case unreachable
    /// The source has answered something else than a page.
    case refused(String)
}
