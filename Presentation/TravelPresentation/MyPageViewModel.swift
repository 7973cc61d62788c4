/// The page of the person: their travels and the ones they like, each as a short list.
///
/// Input and output, because it shows what it receives: two lists that are watched, and buttons that open other
/// screens.
///
/// - Both lists follow changes. A list that fails to load shows its failure; a retry loads both again.
/// - When a person signs in or out, the lists of the previous person disappear immediately.
///
/// ```swift
/// let output = MyPageViewModel(useCases, person: person)
///     .transform(.init(opened: opened.asObservable(), retryTapped: retryTapped.asObservable()))
/// output.content.drive(onNext: page.show).disposed(by: bag)
/// opened.accept(.myTravels)    // "see all": an event that opens the list
/// ```
package struct MyPageViewModel: ViewModel {
    /// The inputs of the page: what the person taps.
    ///
    /// ```swift
    /// let opened = PublishRelay<Screen>()
    /// let input = MyPageViewModel.Input(opened: opened.asObservable())
    /// opened.accept(.myTravels)    // the button "see all"
    /// ```
    package struct Input: Sendable {
        /// A button or a row was tapped: the screen that it opens.
        package let opened: Observable<Screen>
        /// The retry button was tapped: loads both lists again.
        package let retryTapped: Observable<Void>
        /// The back button was tapped: closes the page.
        package let backTapped: Observable<Void>

        package init(
            opened: Observable<Screen> = .never(), retryTapped: Observable<Void> = .never(),
            backTapped: Observable<Void> = .never()
        ) {
            self.opened = opened
            self.retryTapped = retryTapped
            self.backTapped = backTapped
        }
    }

    /// The outputs of the page. The caller binds each once.
    ///
    /// ```swift
    /// output.content.drive(onNext: page.show).disposed(by: bag)
    /// output.events.emit(onNext: coordinator.handle).disposed(by: bag)
    /// ```
    package struct Output: Sendable {
        /// The content of the page, now and after each change.
        package let content: Driver<MyPageContent>
        /// The events that the app handles: opening screens, and closing the page.
        package let events: Signal<ScreenEvent>
    }

    /// The functions of the domain that the page calls. Their streams may fail: the page shows why.
    ///
    /// ```swift
    /// let useCases = MyPageViewModel.UseCases(
    ///     travels: { _ in .just(TravelPage(travels: [travel], next: nil)) },
    ///     likedTravels: { _ in .just(TravelPage(travels: [], next: nil)) })
    /// ```
    package struct UseCases: Sendable {
        /// The first page of a person's travels: now, and again after each change.
        package var travels: @Sendable (User.ID) -> Observable<TravelPage>
        /// The first page of the travels that a person likes: now, and again after each change.
        package var likedTravels: @Sendable (User.ID) -> Observable<TravelPage>

        /// Creates use cases from functions: those of ``ScreenUseCases``, or stubs of a test.
        package init(
            travels: @escaping @Sendable (User.ID) -> Observable<TravelPage>,
            likedTravels: @escaping @Sendable (User.ID) -> Observable<TravelPage>
        ) {
            self.travels = travels
            self.likedTravels = likedTravels
        }
    }

    private let useCases: UseCases
    private let person: Observable<User?>

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - useCases: The functions of the domain that the page calls.
    ///   - person: The signed-in person, now and after each change; `nil` if nobody is. It does not fail.
    package init(_ useCases: UseCases, person: Observable<User?>) {
        self.useCases = useCases
        self.person = person
    }

    /// Composes the page from the input; binding the outputs starts the work.
    package func transform(_ input: Input) -> Output {
        let person = person.share(replay: 1)
        // A new nickname changes the heading only, not the lists.
        let lists = Observable.combineLatest(
            person.map { $0?.id }.distinctUntilChanged(), input.retryTapped.startWith(())
        )
        .flatMapLatest { [useCases] id, _ in
            guard let id else { return Observable.just(Lists(person: nil)) }
            return Observable.combineLatest(
                Self.section(useCases.travels(id)), Self.section(useCases.likedTravels(id))
            ) { Lists(person: id, travels: $0, likedTravels: $1) }
        }
        let content = Observable.combineLatest(person, lists) { person, lists in
            // Between a change of the session and its lists, the lists are those of someone else.
            lists.person == person?.id
                ? MyPageContent(person: person, travels: lists.travels, likedTravels: lists.likedTravels)
                : MyPageContent(person: person)
        }
        let events = Observable.merge(
            input.opened.map(ScreenEvent.open), input.backTapped.map { ScreenEvent.close(nil) })
        return Output(
            content: content.distinctUntilChanged().asDriver(onErrorDriveWith: .empty()),
            events: events.asSignal(onErrorSignalWith: .empty()))
    }

    private struct Lists: Sendable {
        let person: User.ID?
        var travels = MyPageContent.Section.loading
        var likedTravels = MyPageContent.Section.loading
    }

    private static func section(_ pages: Observable<TravelPage>) -> Observable<MyPageContent.Section> {
        pages.map { page in
            let cards = page.travels.prefix(MyPageContent.shortLength).map { TravelCard($0) }
            return .loaded(cards, hasMore: page.next != nil || page.travels.count > cards.count)
        }
        .startWith(.loading)
        .catch { .just(.failed(ScreenFailure($0))) }
    }
}

/// The content of the page of a person: their nickname and two short lists.
///
/// ```swift
/// let content = MyPageContent(person: nil)
/// content.person     // nil: the page offers to sign in
/// content.travels    // .loading
/// ```
package struct MyPageContent: Hashable, Sendable {
    /// The first travels of a list, or its status.
    ///
    /// ```swift
    /// switch content.travels {
    /// case .loading: showSkeleton()
    /// case .loaded(let cards, let hasMore): show(cards, seeAll: hasMore)
    /// case .failed(let failure): show(failure.message(in: .english).text)
    /// }
    /// ```
    package enum Section: Hashable, Sendable {
        /// The list is loading: show skeleton rows.
        case loading
        /// The first travels, and whether there are more: "see all".
        case loaded([TravelCard], hasMore: Bool)
        /// The list failed to load, for that reason.
        case failed(ScreenFailure)
    }

    /// The number of travels in a short list.
    package static let shortLength = 3

    /// The person; `nil` if nobody is signed in: then the page offers to sign in, and has no lists.
    package let person: User?
    /// The travels of the person, the newest first.
    package let travels: Section
    /// The travels that the person likes, the newest first.
    package let likedTravels: Section

    /// Creates a page; by default its lists are loading.
    package init(person: User?, travels: Section = .loading, likedTravels: Section = .loading) {
        self.person = person
        self.travels = travels
        self.likedTravels = likedTravels
    }
}
