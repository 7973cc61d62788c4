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
