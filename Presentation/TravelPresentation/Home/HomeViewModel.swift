/// The list of travels: search, infinite scroll, refresh, retry.
///
/// - Each new search replaces the one before, of which nothing is shown any more, however late its answer comes.
/// - A page is asked for once; reaching the end again while it is on its way changes nothing.
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
    }

    private let searchTravels: SearchTravels
    private let viewer: User.ID?
    private let language: Language

    /// A list of what `searchTravels` finds, as `viewer` sees it.
    public init(searchTravels: SearchTravels, viewer: User.ID?, language: Language) {
        self.searchTravels = searchTravels
        self.viewer = viewer
        self.language = language
    }

    /// Composes the list from the input.
    public func transform(_ input: Input) -> Output {
        let searches = Observable.merge(
            input.criteria,
            input.refreshed.withLatestFrom(input.criteria))
        let content = searches.flatMapLatest { criteria in
            pages(of: criteria, after: nil, input).scan(into: HomeContent()) { $0.apply($1, language) }
        }
        return Output(content: content.asDriver(onErrorDriveWith: .empty()))
    }

    /// The page after `cursor` and, whenever the end is reached, those that follow.
    private func pages(
        of criteria: TravelCriteria, after cursor: TravelCursor?, _ input: Input
    ) -> Observable<PageEvent> {
        let page = Observable.task { [searchTravels, viewer] in
            PageEvent.arrived(try await searchTravels(criteria, viewer: viewer, after: cursor))
        }
        .catch { .just(.failed($0)) }
        .startWith(.requested)

        return page.concatMap { event in
            let following: Observable<PageEvent> =
                switch event {
                case .requested: .empty()
                case .arrived(let page):
                    page.next.map { next in
                        input.reachedEnd.take(1).concatMap { pages(of: criteria, after: next, input) }
                    } ?? .empty()
                case .failed:
                    input.retryTapped.take(1).concatMap { pages(of: criteria, after: cursor, input) }
                }
            // What follows listens before the event is told, so that even an answer to it in the same breath counts.
            return Observable.merge(following, .just(event))
        }
    }
}

/// What becomes of a page.
private enum PageEvent: Sendable {
    case requested
    case arrived(TravelPage)
    case failed(any Error)
}

extension HomeContent {
    fileprivate mutating func apply(_ event: PageEvent, _ language: Language) {
        switch event {
        case .requested:
            phase = .loading
        case .arrived(let page):
            let known = Set(rows.map(\.id))
            rows += page.travels.filter { !known.contains($0.id) }.map { TravelRow($0, in: language) }
            hasMore = page.next != nil
            phase = .loaded
        case .failed(let error):
            phase = .failed(ErrorMessage(error, in: language))
        }
    }
}
