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

extension HomeFlow {
    /// What the person does on the home screen, and the answers of its side effects.
    ///
    /// ```swift
    /// home.send(.searchOpened)
    /// home.send(.searchTyped("바다"))
    /// home.send(.searchSubmitted)
    /// home.currentState.criteria.keyword?.text    // "바다"
    /// ```
    public enum Action: Equatable, Sendable {
        // The list

        /// The screen appeared. Appearing again has no effect.
        case appeared
        /// A refresh was requested: loads the first page again.
        case refreshed
        /// The end of the list became visible.
        case reachedEnd
        /// The retry button was tapped, of the list or below it.
        case retryTapped
        /// The like button of a row was tapped.
        case likeTapped(Travel.ID)
        /// An order was picked: starts the list anew.
        case sortPicked(TravelSort)

        // Filters

        /// The chip of a filter was tapped: opens the sheet.
        case chipTapped(FilterKind)
        /// The filter of a chip was removed.
        case chipCleared(FilterKind)
        /// All filters were removed: starts the list anew.
        case filtersCleared
        /// Another filter was picked in the sheet.
        case sheetKindPicked(FilterKind)
        /// A value was tapped in the sheet.
        case sheetOptionTapped(FilterOption)
        /// All filters were removed in the sheet.
        case sheetCleared
        /// The sheet was applied: starts the list anew, and closes the sheet.
        case sheetApplied
        /// The sheet was closed without an effect.
        case sheetClosed

        // Search

        /// The search field received the focus: shows the recent keywords.
        case searchOpened
        /// The text of the field changed: suggests titles.
        case searchTyped(String)
        /// The text of the field was submitted; an empty one searches without a keyword.
        case searchSubmitted
        /// A recent keyword or a suggested title was picked.
        case keywordPicked(String)
        /// The filter that the typed text names was picked: chooses it instead of a keyword, and closes the field.
        case filterPicked(FilterOption)
        /// A keyword was removed from the recent ones.
        case keywordForgotten(Keyword)
        /// The keyword of the list was removed.
        case keywordCleared
        /// The search field was left without a search.
        case searchClosed

        // Other screens

        /// A row was tapped: opens the travel.
        case travelTapped(Travel.ID)
        /// The button for a new travel was tapped.
        case writeTapped
        /// The button for the page of the person was tapped.
        case myPageTapped
        /// The button for the settings was tapped.
        case settingsTapped
        /// A screen above closed and returned a result.
        case returned(ScreenResult)

        // Answers

        /// Another person is signed in, or nobody is.
        case personChanged(User?)
        /// The first page arrived, or arrived again after a change, or failed to load.
        case firstPageArrived(Travels.Request, Result<TravelPage, ScreenFailure>)
        /// A further page arrived, or failed to load.
        case pageArrived(Travels.Request, Result<TravelPage, ScreenFailure>)
        /// The request that sets a like succeeded or failed.
        case likeEnded(Travel.ID, Bool, Outcome)
        /// The suggestions for a text arrived, or failed to load.
        case suggested(String, Result<SuggestKeywords.Suggestions, ScreenFailure>)
        /// The recent keywords were saved, or saving them failed.
        case keywordsSaved(Outcome)
    }

    /// The work that the home screen requests of the domain.
    ///
    /// ```swift
    /// var state = flow.initialState
    /// flow.reduce(&state, .appeared)    // requests .watchPerson and .watchFirstPage
    /// ```
    public enum SideEffect: Equatable, Sendable {
        /// Observes which person is signed in, and emits each change.
        case watchPerson
        /// Loads the first page, and follows its changes.
        case watchFirstPage(Travels.Request)
        /// Loads the page after the cursor of the request.
        case loadPage(Travels.Request)
        /// Likes a travel, or takes the like back.
        case setLiked(Bool, Travel.ID)
        /// Suggests keywords for a text, or recent ones without a text.
        case suggest(String)
        /// Puts a keyword first among the recent ones.
        case remember(Keyword)
        /// Removes a keyword from the recent ones.
        case forget(Keyword)
    }
}

extension HomeFlow {
    /// The state of the home screen: the list, the search field and the filters.
    ///
    /// ```swift
    /// let home = FlowStore(HomeFlow(useCases, person: person))
    /// home.currentState.content         // .skeleton
    /// home.currentState.chips.count     // 8
    /// home.currentState.sheet           // nil: it is closed
    /// ```
    public struct State: Equatable, Sendable {
        /// The person whose travels the list shows, or everyone.
        public let scope: Scope
        /// The criteria of the list, without its scope.
        public internal(set) var criteria: TravelCriteria
        /// The list; ``content`` and ``footer`` say how to show it.
        public internal(set) var travels = Travels()
        /// The search field, with its text and suggestions.
        public internal(set) var search = SearchField()
        /// The filter sheet; `nil` while it is closed.
        public internal(set) var sheet: FilterSheet?
        /// The signed-in person; `nil` if nobody is signed in.
        public internal(set) var person: User?
        var knowsPerson = false
        var likes = PendingLikes()

        init(_ scope: Scope, _ criteria: TravelCriteria) {
            self.scope = scope
            self.criteria = criteria
        }
    }

    /// The search field and its suggestions.
    ///
    /// ```swift
    /// home.send(.searchOpened)
    /// home.currentState.search.isActive       // true
    /// home.currentState.search.suggestions    // nil, until the recent keywords arrive
    /// ```
    public struct SearchField: Equatable, Sendable {
        /// Whether the field has the focus and its proposals are shown.
        public internal(set) var isActive = false
        /// The text in the field, which becomes the keyword.
        public internal(set) var text = ""
        /// The recent keywords while the field is empty, and titles while it is not; `nil` until they arrive.
        public internal(set) var suggestions: SuggestKeywords.Suggestions?
        /// Why there are no suggestions; `nil` if they did not fail.
        public internal(set) var failure: ScreenFailure?
    }

    /// A sheet in which the filters are chosen before they apply.
    ///
    /// ```swift
    /// home.send(.chipTapped(.region))
    /// home.send(.sheetOptionTapped(.region(.busan)))
    /// home.currentState.sheet?.criteria.regions    // [.busan]
    /// home.currentState.criteria.regions           // []: the sheet was not applied yet
    /// ```
    public struct FilterSheet: Equatable, Sendable {
        /// The filter whose values the sheet shows.
        public internal(set) var kind: FilterKind
        /// The criteria as they will be when the sheet is applied.
        public internal(set) var criteria: TravelCriteria

        /// The chips of the eight filters, as they will be.
        public var chips: [FilterChip] { criteria.chips }
    }
}

extension HomeFlow.State {
    /// The main part of the screen: rows, or a placeholder.
    ///
    /// ```swift
    /// switch state.content {
    /// case .skeleton: showSkeleton()
    /// case .rows(let cards): show(cards)
    /// case .empty: showHint(Language.english[.nothingFound])
    /// case .failed(let failure): show(failure.message(in: .english).text)
    /// }
    /// ```
    public enum Content: Equatable, Sendable {
        /// Skeleton rows: the first page is loading.
        case skeleton
        /// The rows of the list, at least one.
        case rows([TravelCard])
        /// The search has ended and has no results.
        case empty
        /// The last page that was requested failed to load, and there are no rows: a list that failed is not empty.
        case failed(ScreenFailure)
    }

    /// The status of the next page, shown below the rows.
    ///
    /// ```swift
    /// switch state.footer {
    /// case .more, .end: hideFooter()
    /// case .loading: showSpinner()
    /// case .failed(let failure): showRetry(failure.message(in: .english).text)
    /// }
    /// ```
    public enum Footer: Hashable, Sendable {
        /// Nothing: reaching the end loads the next page.
        case more
        /// The next page is loading: a spinner.
        case loading
        /// The next page failed to load: a retry button.
        case failed(ScreenFailure)
        /// The list ends here: there are no more rows.
        case end
    }

    /// The main part of the screen: rows, or a placeholder.
    public var content: Content {
        guard travels.list.items.isEmpty else { return .rows(travels.list.items) }
        switch travels.list.phase {
        case .loading(.first): return .skeleton
        case .failed(_, let failure): return .failed(failure)
        case .loaded where travels.query == nil: return .skeleton
        // All rows may have been removed: then the next page is loading.
        case .loaded, .loading: return travels.list.hasMore ? .skeleton : .empty
        }
    }

    /// The status of the next page, shown below the rows.
    public var footer: Footer {
        switch travels.list.phase {
        case .loading(.next): .loading
        case .failed(.next, let failure): .failed(failure)
        case .loading, .failed, .loaded: travels.list.hasMore ? .more : .end
        }
    }

    /// Whether a refresh is loading, while the rows stay.
    public var isRefreshing: Bool { travels.list.phase == .loading(.refresh) }

    /// The chips of the eight filters, in a fixed order.
    public var chips: [FilterChip] { criteria.chips }

    /// The filter that the text in the search field names and that is not chosen yet: a region finds more than the
    /// titles that contain its name. ``HomeFlow/Action/filterPicked(_:)`` chooses it.
    public var proposedFilter: FilterOption? {
        guard search.isActive, let region = Keyword(search.text).flatMap(Region.init(namedBy:)) else { return nil }
        return criteria.contains(.region(region)) ? nil : .region(region)
    }
}
