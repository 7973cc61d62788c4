extension HomeFlow {
    /// What the home screen shows.
    public struct State: Equatable, Sendable {
        /// Whose travels the list shows.
        public let scope: Scope
        /// The criteria of the list, without its scope.
        public internal(set) var criteria: TravelCriteria
        /// The list; ``content`` and ``footer`` say how to show it.
        public internal(set) var travels = Travels()
        /// The search field.
        public internal(set) var search = SearchField()
        /// The filter sheet; `nil` while it is closed.
        public internal(set) var sheet: FilterSheet?
        /// The person who is signed in; `nil` for nobody.
        public internal(set) var person: User?
        var knowsPerson = false
        var likes = PendingLikes()

        init(_ scope: Scope, _ criteria: TravelCriteria) {
            self.scope = scope
            self.criteria = criteria
        }
    }

    /// The search field and what it proposes.
    public struct SearchField: Equatable, Sendable {
        /// Whether the field has the focus and its proposals are shown.
        public internal(set) var isActive = false
        /// The text in the field.
        public internal(set) var text = ""
        /// The recent keywords while the field is empty, and titles while it is not; `nil` until they arrive.
        public internal(set) var suggestions: SuggestKeywords.Suggestions?
        /// Why there are no suggestions.
        public internal(set) var failure: ScreenFailure?
    }

    /// A sheet in which the filters are chosen before they apply.
    public struct FilterSheet: Equatable, Sendable {
        /// The filter that the sheet shows.
        public internal(set) var kind: FilterKind
        /// The criteria as they will be.
        public internal(set) var criteria: TravelCriteria

        /// The chips of the eight filters, as they will be.
        public var chips: [FilterChip] { criteria.chips }
    }
}

extension HomeFlow.State {
    /// The main part of the screen.
    public enum Content: Equatable, Sendable {
        /// Skeleton rows: the first page is loading.
        case skeleton
        /// The rows.
        case rows([TravelCard])
        /// The search has no results.
        case empty
        /// The last page that was requested failed to load, and there are no rows: a list that failed is not empty.
        case failed(ScreenFailure)
    }

    /// What is below the rows.
    public enum Footer: Hashable, Sendable {
        /// Nothing: reaching the end loads the next page.
        case more
        /// The next page is loading.
        case loading
        /// The next page failed to load.
        case failed(ScreenFailure)
        /// There are no more rows.
        case end
    }

    /// The main part of the screen.
    public var content: Content {
        switch travels.list.phase {
        case .loading(.first): .skeleton
        case .failed(_, let failure) where travels.list.items.isEmpty: .failed(failure)
        case .loaded where travels.query == nil: .skeleton
        case .loaded where travels.list.isEmpty: .empty
        case .loading(.refresh) where travels.list.items.isEmpty: travels.list.hasMore ? .skeleton : .empty
        case .loaded, .loading, .failed: .rows(travels.list.items)
        }
    }

    /// What is below the rows.
    public var footer: Footer {
        switch travels.list.phase {
        case .loading(.next): .loading
        case .failed(.next, let failure): .failed(failure)
        case .loading, .failed, .loaded: travels.list.hasMore ? .more : .end
        }
    }

    /// Whether a refresh is loading, while the rows stay.
    public var isRefreshing: Bool { travels.list.phase == .loading(.refresh) }

    /// The chips of the eight filters.
    public var chips: [FilterChip] { criteria.chips }
}
