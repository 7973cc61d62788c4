/// The page of the user: their trips and the ones they like, each as a short list.
///
/// - Both lists follow changes. A list that fails to load shows its failure; a retry loads both again.
/// - When a user signs in or out, the lists of the previous user disappear immediately.
public struct MyPageViewModel: ViewModel {
    public struct Input: Sendable {
        /// A button or a row was tapped: the screen that it opens.
        public let opened: Observable<Screen>
        public let retryTapped: Observable<Void>
        public let backTapped: Observable<Void>

        public init(
            opened: Observable<Screen> = .never(), retryTapped: Observable<Void> = .never(),
            backTapped: Observable<Void> = .never()
        ) {
            self.opened = opened
            self.retryTapped = retryTapped
            self.backTapped = backTapped
        }
    }

    public struct Output: Sendable {
        public let content: Driver<MyPageContent>
        public let events: Signal<ScreenEvent>
    }

    private let user: Observable<User?>
    private let trips: @Sendable (TripCriteria) -> Observable<TripPage>

    /// - Parameters:
    ///   - user: The signed-in user, now and after each change; it does not fail.
    ///   - trips: The first page of a list: now, and again after each change. It may fail: the page shows why.
    public init(user: Observable<User?>, trips: @escaping @Sendable (TripCriteria) -> Observable<TripPage>) {
        self.user = user
        self.trips = trips
    }

    public func transform(_ input: Input) -> Output {
        let user = user.share(replay: 1)
        // A new nickname changes the heading only, not the lists.
        let lists = Observable.combineLatest(
            user.map { $0?.id }.distinctUntilChanged(), input.retryTapped.startWith(())
        )
        .flatMapLatest { [trips] id, _ in
            guard let id else { return Observable.just(Lists(user: nil)) }
            return Observable.combineLatest(
                Self.section(trips(TripCriteria(author: id))), Self.section(trips(TripCriteria(likedBy: id)))
            ) { Lists(user: id, trips: $0, likedTrips: $1) }
        }
        let content = Observable.combineLatest(user, lists) { user, lists in
            // Between a change of the session and its lists, the lists are those of someone else.
            lists.user == user?.id
                ? MyPageContent(user: user, trips: lists.trips, likedTrips: lists.likedTrips)
                : MyPageContent(user: user)
        }
        let events = Observable.merge(
            input.opened.map(ScreenEvent.open), input.backTapped.map { ScreenEvent.close(nil) })
        return Output(
            content: content.distinctUntilChanged().asDriver(onErrorDriveWith: .empty()),
            events: events.asSignal(onErrorSignalWith: .empty()))
    }

    private struct Lists: Sendable {
        let user: User.ID?
        var trips = MyPageContent.Section.loading
        var likedTrips = MyPageContent.Section.loading
    }

    private static func section(_ pages: Observable<TripPage>) -> Observable<MyPageContent.Section> {
        pages.map { page in
            let cards = page.trips.prefix(MyPageContent.shortLength).map { TripCard($0) }
            return .loaded(cards, hasMore: page.next != nil || page.trips.count > cards.count)
        }
        .startWith(.loading)
        .catch { .just(.failed(ScreenFailure($0))) }
    }
}

/// The content of the page of a user: their nickname and two short lists.
public struct MyPageContent: Hashable, Sendable {
    /// The first trips of a list, or its status.
    public enum Section: Hashable, Sendable {
        case loading
        /// The first trips, and whether there are more: "see all".
        case loaded([TripCard], hasMore: Bool)
        case failed(ScreenFailure)
    }

    /// The number of trips in a short list.
    public static let shortLength = 3

    /// The user; `nil` if nobody is signed in: then the page offers to sign in, and has no lists.
    public let user: User?
    /// The trips of the user, the newest first.
    public let trips: Section
    /// The trips that the user likes, the newest first.
    public let likedTrips: Section

    public init(user: User?, trips: Section = .loading, likedTrips: Section = .loading) {
        self.user = user
        self.trips = trips
        self.likedTrips = likedTrips
    }
}
