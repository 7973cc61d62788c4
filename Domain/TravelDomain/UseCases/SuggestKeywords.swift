/// Suggests search keywords while someone types.
///
/// ```swift
/// let suggest = SuggestKeywords(
///     titles: database.travels, recent: database.recentKeywords, session: database.session)
/// try await suggest("부산")    // .titles: those that begin with 부산, then those that contain it
/// try await suggest("부ㅅ")    // .titles: those with a word that begins with 부산, 부석사, …
/// try await suggest("ㅂㅅ")    // .titles: those with a word of these initials, such as 부산 and 벚꽃 산책
/// try await suggest("")        // .recent: the latest keywords
/// ```
public struct SuggestKeywords: Sendable {
    /// The kinds of suggestions.
    ///
    /// ```swift
    /// switch try await suggest(text) {
    /// case .recent(let keywords): show(keywords.map(\.text))
    /// case .titles(let titles): show(titles.map(\.text))
    /// }
    /// ```
    public enum Suggestions: Hashable, Sendable {
        /// The recent keywords, newest first, for an empty text.
        case recent([Keyword])
        /// Titles that the person may mean: those that begin with the text, then those that contain it, then those of
        /// which it is an unfinished word or its initials.
        case titles([Title])
    }

    /// The maximum number of titles that are suggested.
    public static let limit = 10

    private let titles: any TitleRepository
    private let recent: any RecentKeywordRepository
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the viewer.
    public init(
        titles: any TitleRepository, recent: any RecentKeywordRepository, session: any SessionRepository
    ) {
        self.titles = titles
        self.recent = recent
        self.session = session
    }

    /// Returns the suggestions for `text`; blanks alone count as empty. Titles are those of travels that the signed-in
    /// person sees, or that everyone sees when nobody is signed in.
    ///
    /// - Throws: The errors of the repositories; `CancellationError`.
    public func callAsFunction(_ text: String) async throws -> Suggestions {
        guard let keyword = Keyword(text) else { return .recent(try await recent.recentKeywords().keywords) }
        let viewer = try await session.session()?.user
        return .titles(try await titles.titles(containing: keyword, viewer: viewer, limit: Self.limit))
    }
}
