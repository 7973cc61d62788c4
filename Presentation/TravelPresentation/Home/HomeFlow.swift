/// The home screen: an endless list of travels, found by keyword and filters, that is updated when travels change.
///
/// A flow, because its values depend on each other: a change of filters, keyword, order or session restarts the list; a
/// like survives a refresh; suggestions, pages and likes wait for, replace or ignore each other.
///
/// - Each new search replaces the previous one, whose late answer is ignored. A page is requested once.
/// - A refresh keeps the rows, also when it fails.
/// - The first page is observed: travels that are added, changed or removed elsewhere appear, change or disappear
///   without moving the rows behind them.
/// - A like shows immediately and is rolled back when the store refuses it; of several quick taps the last one counts.
/// - Suggestions are requested 300 ms after the last key; only the newest answer counts. While the field is empty, it
///   shows the recent keywords.
/// - When a person signs in or out, the rows of the previous person disappear immediately.
///
/// ```swift
/// let home = FlowStore(HomeFlow(useCases, person: person))
/// home.send(.appeared)
/// home.state.select(\.content).drive(onNext: list.show).disposed(by: bag)
/// home.send(.chipTapped(.region))
/// ```
public struct HomeFlow: Flow {
    /// The list: pages of cards, found by criteria.
    public typealias Travels = Paging<TravelCriteria, TravelCard, TravelCursor, ScreenFailure>
    /// The events that the screen raises: opening others, and notices.
    public typealias Event = ScreenEvent

    /// The time for which the text must stay unchanged before suggestions are requested.
    public static let typingPause = Duration.milliseconds(300)

    /// The state before the first action: nothing was requested yet.
    public let initialState: State
    private let useCases: UseCases
    private let person: Observable<User?>

    /// The travels that a list shows. Search, filters and order work in every list.
    ///
    /// ```swift
    /// let mine = FlowStore(HomeFlow(useCases, person: person, scope: .mine))
    /// mine.send(.appeared)    // waits until the signed-in person is known
    /// ```
    public enum Scope: Hashable, Sendable {
        /// The travels of everyone, except blocked authors.
        case all
        /// The travels of the signed-in person.
        case mine
        /// The travels that the signed-in person likes.
        case liked
    }

    /// Creates a list that begins with these criteria.
    ///
    /// - Parameters:
    ///   - useCases: The functions of the domain that the screen calls.
    ///   - person: The signed-in person, now and after each change; `nil` for none. It does not fail.
    ///   - scope: The travels that the list shows; a list of a person's travels waits until that person is known.
    ///   - criteria: The first search.
    public init(
        _ useCases: UseCases, person: Observable<User?>, scope: Scope = .all,
        criteria: TravelCriteria = TravelCriteria()
    ) {
        self.useCases = useCases
        self.person = person
        initialState = State(scope, criteria)
    }

    /// Performs a side effect with a use case, and emits its answer as an action. The stream does not fail.
    public func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .watchPerson: person.map(Action.personChanged)
        case .watchFirstPage(let request):
            useCases.firstPage(request.query).map { .firstPageArrived(request, .success($0)) }
                .catch { .just(.firstPageArrived(request, .failure(ScreenFailure($0)))) }
        case .loadPage(let request):
            .task { [useCases] in
                .pageArrived(request, await Result { try await useCases.page(request.query, request.cursor) })
            }
        case .setLiked(let isLiked, let id):
            .task { [useCases] in
                .likeEnded(id, isLiked, await Outcome { try await useCases.setLiked(isLiked, id) })
            }
        case .suggest(let text):
            .task { [useCases] in .suggested(text, await Result { try await useCases.suggest(text) }) }
        case .remember(let keyword):
            .task { [useCases] in .keywordsSaved(await Outcome { try await useCases.remember(keyword) }) }
        case .forget(let keyword):
            .task { [useCases] in .keywordsSaved(await Outcome { try await useCases.forget(keyword) }) }
        }
    }
}

extension HomeFlow {
    /// The functions of the domain that the home screen calls. The screen shows their errors as a ``ScreenFailure``.
    ///
    /// ```swift
    /// let useCases = HomeFlow.UseCases(
    ///     firstPage: { _ in .just(TravelPage(travels: [travel], next: nil)) },
    ///     page: { _, _ in TravelPage(travels: [], next: nil) }, setLiked: { _, _ in }, suggest: { _ in .titles([]) },
    ///     remember: { _ in }, forget: { _ in })
    /// ```
    public struct UseCases: Sendable {
        /// The first page of a search: now, and again after each change.
        public var firstPage: @Sendable (TravelCriteria) -> Observable<TravelPage>
        /// Loads the page of a search after a cursor. Throws `TravelError.unavailable` when the store cannot answer.
        public var page: @Sendable (TravelCriteria, TravelCursor?) async throws -> TravelPage
        /// Likes a travel, or takes the like back. Throws `TravelError.notFound` if the person does not see it.
        public var setLiked: @Sendable (Bool, Travel.ID) async throws -> Void
        /// Suggests keywords for a text; the recent ones for an empty text. Throws when the store cannot answer.
        public var suggest: @Sendable (String) async throws -> SuggestKeywords.Suggestions
        /// Puts a keyword first among the recent ones. Throws when that cannot be saved.
        public var remember: @Sendable (Keyword) async throws -> Void
        /// Removes a keyword from the recent ones. Throws when that cannot be saved.
        public var forget: @Sendable (Keyword) async throws -> Void

        /// Creates use cases from functions: those of ``ScreenUseCases``, or stubs of a test.
        public init(
            firstPage: @escaping @Sendable (TravelCriteria) -> Observable<TravelPage>,
            page: @escaping @Sendable (TravelCriteria, TravelCursor?) async throws -> TravelPage,
            setLiked: @escaping @Sendable (Bool, Travel.ID) async throws -> Void,
            suggest: @escaping @Sendable (String) async throws -> SuggestKeywords.Suggestions,
            remember: @escaping @Sendable (Keyword) async throws -> Void,
            forget: @escaping @Sendable (Keyword) async throws -> Void
        ) {
            self.firstPage = firstPage
            self.page = page
            self.setLiked = setLiked
            self.suggest = suggest
            self.remember = remember
            self.forget = forget
        }
    }
}
