/// The home screen: an endless list of trips, found by keyword and filters, that is updated when trips change.
///
/// A flow, because its values depend on each other: a change of filters, keyword, order or session restarts the list; a
/// like survives a refresh; suggestions, pages and likes wait for, replace or ignore each other.
///
/// - Each new search replaces the previous one, whose late answer is ignored. A page is requested once.
/// - A refresh keeps the rows, also when it fails.
/// - The first page is observed: trips that are added, changed or removed elsewhere appear, change or disappear
///   without moving the rows behind them.
/// - A like shows immediately and is rolled back when the store refuses it; of several quick taps the last one counts.
/// - Suggestions are requested 300 ms after the last key; only the newest answer counts. While the field is empty, it
///   shows the recent keywords.
/// - When a user signs in or out, the rows of the previous user disappear immediately.
public struct HomeFlow: Flow {
    /// The list: pages of cards, found by criteria.
    public typealias Trips = Paging<TripCriteria, TripCard, TripCursor, ScreenFailure>
    public typealias Event = ScreenEvent

    /// The time for which the text must stay unchanged before suggestions are requested.
    public static let typingPause = Duration.milliseconds(300)

    public let initialState: State
    private let useCases: ScreenUseCases
    private let user: Observable<User?>

    /// The trips that a list shows. Search, filters and order work in every list.
    public enum Scope: Hashable, Sendable {
        case all
        case mine
        case liked
    }

    /// Creates a list that begins with these criteria; one of a user's trips waits until `user`, the signed-in user now
    /// and after each change, is known. `user` does not fail.
    public init(
        _ useCases: ScreenUseCases, user: Observable<User?>, scope: Scope = .all,
        criteria: TripCriteria = TripCriteria()
    ) {
        self.useCases = useCases
        self.user = user
        initialState = State(scope, criteria)
    }

    public func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        switch sideEffect {
        case .watchUser: user.map(Action.userChanged)
        case .watchFirstPage(let request):
            useCases.watchTrips(request.query).asObservable().map { .firstPageArrived(request, .success($0)) }
                .catch { .just(.firstPageArrived(request, .failure(ScreenFailure($0)))) }
        case .loadPage(let request):
            .task { [useCases] in
                .pageArrived(
                    request, await Result { try await useCases.searchTrips(request.query, after: request.cursor) })
            }
        case .setLiked(let isLiked, let id):
            .task { [useCases] in
                .likeEnded(id, isLiked, await Outcome { try await useCases.likeTrip(isLiked, trip: id) })
            }
        case .suggest(let text):
            .task { [useCases] in
                .search(.suggested(text, await Result { try await useCases.suggestKeywords(text) }))
            }
        case .remember(let keyword): updateRecentKeywords { $0.remember(keyword) }
        case .forget(let keyword): updateRecentKeywords { $0.forget(keyword) }
        }
    }

    public func unanswered(_ sideEffect: SideEffect) -> Action? {
        switch sideEffect {
        case .watchFirstPage(let request), .loadPage(let request): .pageCancelled(request)
        case .setLiked(let isLiked, let id): .likeEnded(id, isLiked, .failed(.unknown))
        case .watchUser, .suggest, .remember, .forget: nil
        }
    }

    private func updateRecentKeywords(
        _ change: @escaping @Sendable (inout RecentKeywords) -> Void
    ) -> Observable<Action> {
        .task { [recent = useCases.recentKeywords] in
            .search(.keywordsSaved(await Outcome { try await recent.updateRecentKeywords(change) }))
        }
    }
}

extension HomeFlow {
    /// What the user does on the home screen, and the answers of its side effects.
    public enum Action: Equatable, Sendable {
        case search(SearchAction)
        case filter(FilterAction)

        // The list

        /// The screen appeared. Appearing again has no effect.
        case appeared
        case refreshed
        case reachedEnd
        case retryTapped
        case likeTapped(Trip.ID)

        // Other screens

        case tripTapped(Trip.ID)
        case writeTapped
        case myPageTapped
        case settingsTapped
        case returned(ScreenResult)

        // Answers

        case userChanged(User?)
        case firstPageArrived(Trips.Request, Result<TripPage, ScreenFailure>)
        case pageArrived(Trips.Request, Result<TripPage, ScreenFailure>)
        case pageCancelled(Trips.Request)
        case likeEnded(Trip.ID, Bool, Outcome)
    }

    /// What changes the search field, and its answers.
    public enum SearchAction: Equatable, Sendable {
        case opened
        case typed(String)
        /// The text of the field was submitted; an empty one searches without a keyword.
        case submitted
        case keywordPicked(String)
        /// The filter that the typed text names was picked: chooses it instead of a keyword, and closes the field.
        case filterPicked(FilterOption)
        case keywordForgotten(Keyword)
        case keywordCleared
        case closed

        case suggested(String, Result<SuggestKeywords.Suggestions, ScreenFailure>)
        case keywordsSaved(Outcome)
    }

    /// What changes the filters and the order.
    public enum FilterAction: Equatable, Sendable {
        case sortPicked(TripSort)
        case chipTapped(FilterKind)
        case chipCleared(FilterKind)
        case cleared

        // The sheet

        case kindPicked(FilterKind)
        case optionTapped(FilterOption)
        case sheetCleared
        case applied
        case closed
    }

    /// The names of side effects that are cancelled.
    public enum Work: Hashable, Sendable {
        case firstPage
        case nextPage
        case suggestions
        case recentKeywords
    }

    public enum SideEffect: Equatable, Sendable {
        case watchUser
        case watchFirstPage(Trips.Request)
        case loadPage(Trips.Request)
        case setLiked(Bool, Trip.ID)
        /// Suggests keywords for a text, or recent ones without a text.
        case suggest(String)
        case remember(Keyword)
        case forget(Keyword)
    }
}

extension HomeFlow {
    public struct State: Equatable, Sendable {
        /// The user whose trips the list shows, or everyone.
        public let scope: Scope
        /// The criteria of the list, without its scope.
        public internal(set) var criteria: TripCriteria
        /// The list; ``content`` and ``footer`` say how to show it.
        public internal(set) var trips = Trips()
        public internal(set) var search = SearchField()
        /// The filter sheet; `nil` while it is closed.
        public internal(set) var sheet: FilterSheet?
        public internal(set) var user: User?
        var knowsUser = false
        var likes = PendingLikes()

        init(_ scope: Scope, _ criteria: TripCriteria) {
            self.scope = scope
            self.criteria = criteria
        }
    }

    /// The search field and its suggestions.
    public struct SearchField: Equatable, Sendable {
        /// Whether the field has the focus and its proposals are shown.
        public internal(set) var isActive = false
        public internal(set) var text = ""
        /// The recent keywords while the field is empty, and titles while it is not; `nil` until they arrive.
        public internal(set) var suggestions: SuggestKeywords.Suggestions?
        public internal(set) var failure: ScreenFailure?
    }

    /// A sheet in which the filters are chosen before they apply.
    public struct FilterSheet: Equatable, Sendable {
        public internal(set) var kind: FilterKind
        /// The criteria as they will be when the sheet is applied.
        public internal(set) var criteria: TripCriteria

        public var chips: [FilterChip] { criteria.chips }
    }
}

extension HomeFlow.State {
    /// The main part of the screen: rows, or a placeholder.
    public enum Content: Equatable, Sendable {
        /// The first page is loading.
        case skeleton
        /// At least one row.
        case rows(IdentifiedRows<TripCard>)
        case empty
        /// The last page that was requested failed to load, and there are no rows: a list that failed is not empty.
        case failed(ScreenFailure)
    }

    /// The status of the next page, shown below the rows.
    public enum Footer: Hashable, Sendable {
        /// Nothing: reaching the end loads the next page.
        case more
        case loading
        case failed(ScreenFailure)
        case end
    }

    public var content: Content {
        guard trips.list.items.isEmpty else { return .rows(trips.list.items) }
        switch trips.list.phase {
        case .loading(.first): return .skeleton
        case .failed(_, let failure): return .failed(failure)
        case .loaded where trips.query == nil: return .skeleton
        // All rows may have been removed: then the next page is loading.
        case .loaded, .loading: return trips.list.hasMore ? .skeleton : .empty
        }
    }

    public var footer: Footer {
        switch trips.list.phase {
        case .loading(.next): .loading
        case .failed(.next, let failure): .failed(failure)
        case .loading, .failed, .loaded: trips.list.hasMore ? .more : .end
        }
    }

    /// Whether a refresh is loading, while the rows stay.
    public var isRefreshing: Bool { trips.list.phase == .loading(.refresh) }

    public var chips: [FilterChip] { criteria.chips }

    /// The filter that the text in the search field names and that is not chosen yet: a region finds more than the
    /// titles that contain its name. ``HomeFlow/SearchAction/filterPicked(_:)`` chooses it.
    public var proposedFilter: FilterOption? {
        guard search.isActive, let region = Keyword(search.text).flatMap(Region.init(namedBy:)) else { return nil }
        return criteria.contains(.region(region)) ? nil : .region(region)
    }
}

extension HomeFlow {
    public func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, ScreenEvent> {
        switch action {
        case .search(let action): return state.search(action)
        case .filter(let action): return state.filter(action)
        case .appeared:
            guard state.trips.query == nil else { return .none }
            return .exhausting(.watchUser).and(state.load())
        case .refreshed: return request(state.trips.refresh())
        case .reachedEnd: return request(state.trips.reachEnd())
        case .retryTapped: return request(state.trips.retry())
        case .firstPageArrived(let request, let result): return state.showFirstPage(result, of: request)
        case .pageArrived(let request, let result):
            state.trips.receive(state.cards(result), of: request)
            return .none
        case .pageCancelled(let request):
            state.trips.cancel(request)
            return .none
        case .userChanged(let user): return state.change(to: user)
        case .likeTapped(let id): return state.like(id)
        case .likeEnded(let id, let isLiked, let outcome): return state.endLike(id, isLiked, outcome)
        case .tripTapped(let id): return .event(.open(.trip(id)))
        case .writeTapped: return .event(.open(.newTrip))
        case .myPageTapped: return .event(.open(.myPage))
        case .settingsTapped: return .event(.open(.settings))
        case .returned(.removedTrip(let id)):
            state.trips.remove(id)
            // Without rows, there is no end that could become visible.
            return state.trips.list.items.isEmpty ? request(state.trips.reachEnd()) : .none
        case .returned: return .none
        }
    }

    private func request(_ request: Trips.Request?) -> Next<SideEffect, ScreenEvent> {
        guard let request else { return .none }
        guard request.cursor == nil else { return .latest(.loadPage(request), id: Work.nextPage) }
        return .firstPage(request)
    }
}

extension Next<HomeFlow.SideEffect, ScreenEvent> {
    /// Observes the first page in place of all pages.
    fileprivate static func firstPage(_ request: HomeFlow.Trips.Request) -> Self {
        .latest(.watchFirstPage(request), id: HomeFlow.Work.firstPage).and(.cancel(HomeFlow.Work.nextPage))
    }

    /// Suggests keywords for a text, or recent ones without a text.
    fileprivate static func suggest(_ text: String, after pause: Duration? = nil) -> Self {
        let work = HomeFlow.Work.suggestions
        return pause.map { .latest(.suggest(text), after: $0, id: work) } ?? .latest(.suggest(text), id: work)
    }
}

extension HomeFlow.State {
    typealias Requests = Next<HomeFlow.SideEffect, ScreenEvent>

    /// Starts the list anew, with the current criteria.
    mutating func load() -> Requests {
        guard let query else {
            // The scope needs a user: the list waits until one is signed in.
            trips = .init()
            return .cancel(HomeFlow.Work.firstPage).and(.cancel(HomeFlow.Work.nextPage))
        }
        return .firstPage(trips.show(query))
    }

    /// The criteria with the scope; `nil` while the user of the scope is unknown or nobody is signed in.
    private var query: TripCriteria? {
        guard scope != .all else { return criteria }
        guard let user else { return nil }
        var query = criteria
        if scope == .mine { query.author = user.id } else { query.likedBy = user.id }
        return query
    }

    fileprivate mutating func change(to user: User?) -> Requests {
        let wasKnown = knowsUser
        let isSame = user?.id == self.user?.id
        self.user = user
        knowsUser = true
        // The first answer names the viewer of the page that is being loaded already, unless the list has waited for
        // it.
        guard wasKnown ? !isSame : trips.query == nil else { return .none }
        let pending = likes.cancel()
        return pending.reduce(load()) { $0.and(.cancel($1)) }
    }

    // MARK: Pages

    fileprivate mutating func showFirstPage(
        _ result: Result<TripPage, ScreenFailure>, of request: HomeFlow.Trips.Request
    ) -> Requests {
        let isRefresh = trips.list.phase == .loading(.refresh)
        let cards = cards(result)
        if trips.receive(cards, of: request) {
            // Without rows, the failure is the content.
            guard isRefresh, !trips.list.items.isEmpty, case .failure(let failure) = result else { return .none }
            return .event(.notice(.failed(failure)))
        }
        switch cards {
        case .success(let page):
            guard let last = page.items.last else {
                trips.merge(page) { _ in false }
                return .none
            }
            trips.merge(page) { [sort = criteria.sort] in $0.follows(last, in: sort) }
            return .none
        case .failure(let failure):
            // The list stays, and a refresh follows it again.
            return .event(.notice(.failed(failure)))
        }
    }

    fileprivate func cards(
        _ result: Result<TripPage, ScreenFailure>
    ) -> Result<CursorPage<TripCard, TripCursor>, ScreenFailure> {
        result.map { page in
            CursorPage(
                page.trips.map {
                    TripCard($0, foundBy: page.matchedEntries[$0.id], wanted: likes.wanted($0.id))
                }, next: page.next)
        }
    }

    // MARK: Likes

    fileprivate mutating func like(_ id: Trip.ID) -> Requests {
        guard user != nil else { return .event(.open(.signIn)) }
        guard let card = trips.list.items[id: id] else { return .none }
        let wanted = !card.like.isLiked
        trips.update(id) { $0.show(wanted) }
        return likes.want(wanted, id) ? .inOrder(.setLiked(wanted, id), id: id) : .none
    }

    fileprivate mutating func endLike(_ id: Trip.ID, _ isLiked: Bool, _ outcome: Outcome) -> Requests {
        let end = likes.finish(id, succeeded: outcome == .done)
        trips.update(id) { card in
            if outcome == .done { card.store(isLiked) }
            if case .send(let wanted) = end { card.show(wanted) } else { card.rollBack() }
        }
        switch end {
        case .settled: return .none
        case .send(let wanted): return .inOrder(.setLiked(wanted, id), id: id)
        case .rolledBack: return outcome.failure.map { .event(.notice(.failed($0))) } ?? .none
        }
    }
}

extension HomeFlow.State {
    /// Changes the search field, or searches.
    mutating func search(_ action: HomeFlow.SearchAction) -> Requests {
        switch action {
        case .opened:
            if search.isActive { return .none }
            search = .init(isActive: true, text: criteria.keyword?.text ?? "")
            return .suggest(search.text)
        case .typed(let text):
            guard text != search.text || !search.isActive else { return .none }
            let isEmpty = Keyword(text) == nil
            if isEmpty != (Keyword(search.text) == nil) { search.suggestions = nil }
            search.isActive = true
            search.text = text
            search.failure = nil
            return .suggest(text, after: isEmpty ? nil : HomeFlow.typingPause)
        case .suggested(let text, let result):
            guard search.isActive, text == search.text else { return .none }
            switch result {
            case .success(let suggestions): (search.suggestions, search.failure) = (suggestions, nil)
            case .failure(let failure): (search.suggestions, search.failure) = (nil, failure)
            }
            return .none
        case .submitted: return find(Keyword(search.text))
        case .keywordPicked(let text): return find(Keyword(text))
        case .filterPicked(let option):
            search = .init()
            // A keyword that names the same filter has done its work.
            if let keyword = criteria.keyword, Region(namedBy: keyword).map(FilterOption.region) == option {
                criteria.keyword = nil
            }
            if !criteria.contains(option) { criteria.toggle(option) }
            return Requests.cancel(HomeFlow.Work.suggestions).and(load())
        case .keywordCleared: return find(nil)
        case .closed:
            search = .init()
            return .cancel(HomeFlow.Work.suggestions)
        case .keywordForgotten(let keyword):
            if case .recent(var keywords) = search.suggestions {
                keywords.removeAll { $0.folded == keyword.folded }
                search.suggestions = .recent(keywords)
            }
            return .inOrder(.forget(keyword), id: HomeFlow.Work.recentKeywords)
        case .keywordsSaved(.done): return .none
        case .keywordsSaved(.failed(let failure)):
            let notice = Requests.event(.notice(.failed(failure)))
            // The keyword that was removed optimistically is still stored.
            guard search.isActive, Keyword(search.text) == nil else { return notice }
            return notice.and(.suggest(search.text))
        }
    }

    /// Searches for a keyword, or without one, and adds it to the recent keywords.
    private mutating func find(_ keyword: Keyword?) -> Requests {
        search = .init()
        criteria.keyword = keyword
        let requests = Requests.cancel(HomeFlow.Work.suggestions).and(load())
        return keyword.map { requests.and(.inOrder(.remember($0), id: HomeFlow.Work.recentKeywords)) } ?? requests
    }
}

extension HomeFlow.State {
    /// Changes the filters or the order. What applies starts the list anew; the rest stays in the sheet.
    mutating func filter(_ action: HomeFlow.FilterAction) -> Requests {
        var criteria = criteria
        switch action {
        case .sortPicked(let sort): criteria.sort = sort
        case .chipCleared(let kind): criteria.clear(kind)
        case .cleared: criteria.clearFilters()
        case .applied:
            guard let sheet else { return .none }
            self.sheet = nil
            criteria = sheet.criteria
        case .chipTapped(let kind):
            if sheet == nil { sheet = .init(kind: kind, criteria: criteria) } else { sheet?.kind = kind }
            return .none
        case .kindPicked(let kind):
            sheet?.kind = kind
            return .none
        case .optionTapped(let option):
            sheet?.criteria.toggle(option)
            return .none
        case .sheetCleared:
            sheet?.criteria.clearFilters()
            return .none
        case .closed:
            sheet = nil
            return .none
        }
        guard criteria != self.criteria else { return .none }
        self.criteria = criteria
        return load()
    }
}
