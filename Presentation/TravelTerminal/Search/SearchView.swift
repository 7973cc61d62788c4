public import TravelPresentation

/// The list of travels, printed once: the edge of ``HomeViewModel`` on a command line.
@MainActor
public final class SearchView {
    /// How travels are written.
    public enum Format: Sendable {
        /// A table in the language of the person.
        case table
        /// A JSON array of objects.
        case json
    }

    private let viewModel: HomeViewModel
    private let format: Format
    private let language: Language
    private let limit: Int

    /// Shows at most `limit` travels.
    public init(_ viewModel: HomeViewModel, format: Format, language: Language, limit: Int) {
        self.viewModel = viewModel
        self.format = format
        self.language = language
        self.limit = limit
    }

    /// Searches, scrolls until there are enough rows or no more, and writes them.
    ///
    /// - Returns: The text for standard output, ending in a line break.
    /// - Throws: ``ErrorMessage`` when a page does not come, or `CancellationError`.
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
