public import Streams

/// Loads a list page by page, with retry and refresh.
///
/// - A query replaces the list and cancels the request of the previous query; answers to earlier requests are ignored.
/// - Reaching the end requests the next page. It has no effect while a page is loading, after the last page, or after a
///   next page that failed.
/// - A refresh keeps the items until the new first page has loaded, and does not remove them if that fails. It cancels
///   the request of a next page; while a first page is loading it has no effect.
/// - A retry repeats the request that failed: the first page, a next page, or a refresh.
/// - An item whose id is already in the list is omitted from later pages.
///
/// `transform` only composes. Each subscription to the output subscribes to each input once and loads separately, so
/// convert the output to a driver, which is shared. It fails if an input does, and does not complete, because more may
/// always be requested. States are emitted on the threads of the inputs and pages; a driver delivers them on the main
/// actor.
///
/// ```swift
/// let paginator = Paginator { query, cursor in
///     let found = try await search(query, after: cursor)
///     return CursorPage(found.posts, next: found.next)
/// } failure: { "\($0)" }
/// let posts = paginator.transform(
///     .init(query: query, reachedEnd: reachedEnd, refreshed: refreshed, retryTapped: retryTapped))
/// return Output(posts: posts.asDriver(onErrorDriveWith: .empty()))
/// ```
public struct Paginator<Query: Sendable, Item: Identifiable & Sendable, Cursor: Sendable, Failure: Sendable>: ViewModel
where Item.ID: Sendable {
    /// The inputs of the list.
    ///
    /// ```swift
    /// let posts = paginator.transform(
    ///     .init(query: query, reachedEnd: reachedEnd, refreshed: refreshed, retryTapped: retryTapped))
    /// ```
    public struct Input: Sendable {
        /// The query, beginning with the first one to show.
        public let query: Observable<Query>
        /// The end of the list became visible.
        public let reachedEnd: Observable<Void>
        /// A refresh was requested: the first page loads again.
        public let refreshed: Observable<Void>
        /// The retry button was tapped: the page that failed loads again.
        public let retryTapped: Observable<Void>

        /// Creates an input from these streams; the defaults emit nothing.
        public init(
            query: Observable<Query>, reachedEnd: Observable<Void> = .never(), refreshed: Observable<Void> = .never(),
            retryTapped: Observable<Void> = .never()
        ) {
            self.query = query
            self.reachedEnd = reachedEnd
            self.refreshed = refreshed
            self.retryTapped = retryTapped
        }
    }

    /// The states of the list, from the first query on.
    public typealias Output = Observable<PagedList<Item, Failure>>

    private typealias State = Paging<Query, Item, Cursor, Failure>

    private let load: @Sendable (Query, Cursor?) -> Observable<CursorPage<Item, Cursor>>
    private let failure: @Sendable (any Error) -> Failure

    /// Creates a paginator whose pages are loaded by streams.
    ///
    /// - Parameters:
    ///   - load: Returns a stream of the page of a query at the cursor, the first page for `nil`. The first element of
    ///     the stream counts; completing without one is a failure, `RxError.noElements`.
    ///   - failure: Maps an error to the failure that the list shows.
    public init(
        loading load: @escaping @Sendable (Query, Cursor?) -> Observable<CursorPage<Item, Cursor>>,
        failure: @escaping @Sendable (any Error) -> Failure
    ) {
        self.load = load
        self.failure = failure
    }

    /// Creates a paginator whose pages are loaded by an asynchronous function.
    ///
    /// - Parameters:
    ///   - file: The source file of the call, for reports of unfinished work.
    ///   - line: The source line of the call.
    ///   - load: Returns the page of a query at the cursor, the first page for `nil`. Its task is cancelled by the next
    ///     request, or when the subscription is disposed.
    ///   - failure: Maps an error to the failure that the list shows.
    public init(
        file: StaticString = #fileID, line: UInt = #line,
        load: @escaping @Sendable (Query, Cursor?) async throws -> CursorPage<Item, Cursor>,
        failure: @escaping @Sendable (any Error) -> Failure
    ) {
        self.init(
            loading: { query, cursor in .task(file: file, line: line) { try await load(query, cursor) } },
            failure: failure)
    }

    /// Composes the list from the input. Nothing is loaded before the output is subscribed to.
    public func transform(_ input: Input) -> Output {
        .deferred {
            let answers = PublishSubject<Event>()
            // The query comes last: an observer that responds to the first state synchronously finds the others
            // subscribed.
            return Observable.merge(
                answers,
                input.reachedEnd.map { .reachedEnd },
                input.refreshed.map { .refreshed },
                input.retryTapped.map { .retryTapped },
                input.query.map { .queryChanged($0) }
            )
            .scan(into: Step()) { $0.apply($1) }
            .distinctUntilChanged { $0.state.step }
            .skip(while: { $0.state.step == 0 })
            .flatMapLatest { step in
                Observable.concat(.just(step.state.list), answer(to: step.request, answers))
            }
        }
    }

    /// Loads the requested page, and sends the result to `answers`; emits nothing.
    private func answer(to request: State.Request?, _ answers: PublishSubject<Event>) -> Output {
        guard let request else { return .empty() }
        return load(request.query, request.cursor).take(1).asSingle().asObservable()
            .map { Event.arrived(request, $0) }
            .catch { .just(.failed(request, failure($0))) }
            .compactMap { answer in
                answers.onNext(answer)
                return nil
            }
    }

    private enum Event: Sendable {
        case queryChanged(Query)
        case reachedEnd
        case refreshed
        case retryTapped
        case arrived(State.Request, CursorPage<Item, Cursor>)
        case failed(State.Request, Failure)
    }

    /// A step of the list: its state, and the request that it makes.
    private struct Step: Sendable {
        var state = State()
        var request: State.Request?

        mutating func apply(_ event: Event) {
            let step = state.step
            let request: State.Request?
            switch event {
            case .queryChanged(let query): request = state.show(query)
            case .reachedEnd: request = state.reachEnd()
            case .refreshed: request = state.refresh()
            case .retryTapped: request = state.retry()
            case .arrived(let answered, let page):
                state.receive(page, of: answered)
                request = nil
            case .failed(let answered, let failure):
                state.fail(failure, of: answered)
                request = nil
            }
            if state.step != step { self.request = request }
        }
    }
}
