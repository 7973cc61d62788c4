public import TravelPresentation

/// The list of travels, printed once: subscribes to `HomeViewModel` on a command line.
@MainActor
public final class SearchView {
    /// The output format.
    public enum Format: Sendable {
        /// A table in the user's language.
        case table
        /// A JSON array of objects.
        case json
    }

    private let viewModel: HomeViewModel
    private let format: Format
    private let language: Language
    private let limit: Int

    /// Creates a view that shows at most `limit` travels.
    public init(_ viewModel: HomeViewModel, format: Format, language: Language, limit: Int) {
        self.viewModel = viewModel
        self.format = format
        self.language = language
        self.limit = limit
    }

    /// Searches, loads pages until there are enough rows or no more pages, and formats the rows.
    ///
    /// - Returns: The text for standard output, ending in a line break.
    /// - Throws: `ErrorMessage` if a page fails to load, or `CancellationError`.
    public func text(for criteria: TravelCriteria) async throws -> String {
        let rows = try await rows(for: criteria)
        switch format {
        case .json: return try TravelJSON.text(rows.map(\.travel))
        case .table where rows.isEmpty:
            return language == .korean ? "찾은 여행이 없습니다.\n" : "No trips found.\n"
        case .table: return TravelTable(rows).text
        }
    }

    private func rows(for criteria: TravelCriteria) async throws -> [TravelRow] {
        let reachedEnd = PublishRelay<Void>()
        let output = viewModel.transform(.init(criteria: .just(criteria), reachedEnd: reachedEnd.asObservable()))
        let limit = limit
        let finished = output.content.asObservable().compactMap { content -> [TravelRow]? in
            switch content.phase {
            case .loading: return nil
            case .failed(let message): throw message
            case .loaded where content.hasMore && content.rows.count < limit:
                reachedEnd.accept(())
                return nil
            case .loaded: return Array(content.rows.prefix(limit))
            }
        }
        return try await finished.take(1).asSingle().value
    }
}
