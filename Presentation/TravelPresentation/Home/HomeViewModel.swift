/// The list of travels: search, infinite scroll, refresh, retry.
///
/// - Each new search replaces the one before, of which nothing is shown any more, however late its answer comes.
/// - A page is asked for once; reaching the end again while it is on its way changes nothing.
/// - A refresh that fails leaves the rows as they were.
public struct HomeViewModel: ViewModel {
    /// What the screen is told.
    public struct Input: Sendable {
        /// What to search for, beginning with what to show first.
        public let criteria: Observable<TravelCriteria>
        /// The list was pulled to refresh.
        public let refreshed: Observable<Void>
        /// The end of the list came into view.
        public let reachedEnd: Observable<Void>
        /// The retry button was tapped.
        public let retryTapped: Observable<Void>

        /// Input from these streams; those left out say nothing.
        public init(
            criteria: Observable<TravelCriteria>, refreshed: Observable<Void> = .never(),
            reachedEnd: Observable<Void> = .never(), retryTapped: Observable<Void> = .never()
        ) {
            self.criteria = criteria
            self.refreshed = refreshed
            self.reachedEnd = reachedEnd
            self.retryTapped = retryTapped
        }
    }

    /// What the screen shows.
    public struct Output: Sendable {
        /// The list.
        public let content: Driver<HomeContent>

        /// Output of that list, for views that are shown without a view model.
        public init(content: Driver<HomeContent>) {
            self.content = content
        }
    }

    private let pages: Paginator<TravelCriteria, TravelRow, TravelCursor, ErrorMessage>

    /// A list of what `searchTravels` finds, as `viewer` sees it.
    public init(searchTravels: SearchTravels, viewer: User.ID?, language: Language) {
        pages = Paginator { criteria, cursor in
            let page = try await searchTravels(criteria, viewer: viewer, after: cursor)
            return CursorPage(page.travels.map { TravelRow($0, in: language) }, next: page.next)
        } failure: { error in
            ErrorMessage(error, in: language)
        }
    }

    /// Composes the list from the input.
    public func transform(_ input: Input) -> Output {
        let list = pages.transform(
            .init(
                query: input.criteria, reachedEnd: input.reachedEnd, refreshed: input.refreshed,
                retryTapped: input.retryTapped))
        return Output(content: list.map(HomeContent.init).asDriver(onErrorDriveWith: .empty()))
    }
}

extension HomeContent {
    /// The list as this screen shows it: a refresh shows skeleton rows, as a first page does.
    fileprivate init(_ list: PagedList<TravelRow, ErrorMessage>) {
        switch list.phase {
        case .loading(.first), .loading(.refresh): self.init(phase: .loading)
        case .loading(.next): self.init(rows: list.items, phase: .loading, hasMore: list.hasMore)
        case .loaded: self.init(rows: list.items, phase: .loaded, hasMore: list.hasMore)
        case .failed(_, let message): self.init(rows: list.items, phase: .failed(message), hasMore: list.hasMore)
        }
    }
}
