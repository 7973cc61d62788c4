/// Suggests what to search for while someone types.
///
/// ```swift
/// let suggest = SuggestKeywords(titles: database.travels, recent: database.recentKeywords)
/// try await suggest("부산", viewer: me)    // .titles: those that begin with 부산, then those that contain it
/// try await suggest("", viewer: me)        // .recent: what was searched for last
/// ```
public struct SuggestKeywords: Sendable {
    /// What can be suggested.
    public enum Suggestions: Hashable, Sendable {
        /// Nothing is typed yet: the recent keywords, newest first.
        case recent([Keyword])
        /// Titles that contain what is typed, those that begin with it first.
        case titles([Title])
    }

    /// How many titles are suggested at most.
    public static let limit = 10

    private let titles: any TitleRepository
    private let recent: any RecentKeywordRepository

    /// Suggests from these repositories.
    public init(titles: any TitleRepository, recent: any RecentKeywordRepository) {
        self.titles = titles
        self.recent = recent
    }

    /// What to suggest for `text`; white space alone counts as nothing. Titles are those of travels that `viewer` sees.
    public func callAsFunction(_ text: String, viewer: User.ID?) async throws -> Suggestions {
        guard let keyword = Keyword(text) else { return .recent(try await recent.recentKeywords().keywords) }
        return .titles(try await titles.titles(containing: keyword, viewer: viewer, limit: Self.limit))
    }
}
