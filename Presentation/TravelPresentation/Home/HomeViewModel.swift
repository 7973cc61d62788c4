/// The list of travels: search, infinite scroll, refresh, retry.
///
/// - Each new search replaces the one before; a late answer of the earlier search is not shown.
/// - A page is requested once; reaching the end again while it is loading has no effect.
/// - A refresh that fails keeps the rows.
///
/// ```swift
/// let home = HomeViewModel(searchTravels: searchTravels, language: .english)
/// let output = home.transform(.init(criteria: criteria, reachedEnd: reachedEnd))
/// output.content.drive(onNext: { table.rows = $0.rows }).disposed(by: bag)
/// ```
public struct HomeViewModel: ViewModel {
    /// The inputs of the screen.
    public struct Input: Sendable {
        /// The search criteria, beginning with the first ones to show.
        public let criteria: Observable<TravelCriteria>
        /// The list was pulled to refresh.
        public let refreshed: Observable<Void>
        /// The end of the list became visible.
        public let reachedEnd: Observable<Void>
        /// The retry button was tapped.
        public let retryTapped: Observable<Void>

        /// Creates an input from these streams; the defaults emit nothing.
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

    /// The outputs of the screen.
    public struct Output: Sendable {
        /// The state of the list.
        public let content: Driver<HomeContent>

        /// Creates an output with that list, for views that are shown without a view model.
        public init(content: Driver<HomeContent>) {
            self.content = content
        }
    }

    private let pages: Paginator<TravelCriteria, TravelRow, TravelCursor, ErrorMessage>

    /// Creates a view model for the results of `searchTravels`, as the signed-in person sees them.
    public init(searchTravels: SearchTravels, language: Language) {
        pages = Paginator { criteria, cursor in
            let page = try await searchTravels(criteria, after: cursor)
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
    /// Maps a paged list to the screen: a refresh shows skeleton rows, like the first page.
    fileprivate init(_ list: PagedList<TravelRow, ErrorMessage>) {
        switch list.phase {
        case .loading(.first), .loading(.refresh): self.init(phase: .loading)
        case .loading(.next): self.init(rows: list.items, phase: .loading, hasMore: list.hasMore)
        case .loaded: self.init(rows: list.items, phase: .loaded, hasMore: list.hasMore)
        case .failed(_, let message): self.init(rows: list.items, phase: .failed(message), hasMore: list.hasMore)
        }
    }
}
