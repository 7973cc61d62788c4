public import Streams

/// Loads a list page by page, with retry and refresh.
///
/// - A query replaces the list and cancels the request of the query before; an answer to an earlier request never
///   counts, however late it arrives.
/// - Reaching the end requests the next page. It has no effect while a page is loading, after the last page, or after a
///   next page that failed.
/// - A refresh keeps the items until the new first page has loaded, and keeps them for good if that fails. It cancels
///   the request of a next page; while a first page is loading it has no effect.
/// - A retry repeats the request that failed: the first page, a next page, or a refresh.
/// - An item whose id is already in the list is omitted from later pages.
///
/// `transform` only composes. Each subscription to the output subscribes to each input once and loads separately, so
/// convert the output to a driver, which is shared. It fails if an input does, and does not complete, because more may
/// always be requested. States are emitted where the inputs and pages are; a driver delivers them on the main actor.
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
    public struct Input: Sendable {
        /// The query, beginning with the first one to show.
        public let query: Observable<Query>
        /// The end of the list became visible.
        public let reachedEnd: Observable<Void>
        /// The list was pulled to refresh.
        public let refreshed: Observable<Void>
        /// The retry button was tapped.
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
            let answers = PublishSubject<State.Event>()
            // The query comes last: an observer that responds to the first state synchronously finds the others
            // subscribed.
            return Observable.merge(
                answers,
                input.reachedEnd.map { .reachedEnd },
                input.refreshed.map { .refreshed },
                input.retryTapped.map { .retryTapped },
                input.query.map { .queryChanged($0) }
            )
            .scan(into: State()) { $0.apply($1, describe: failure) }
            .distinctUntilChanged { $0.step }
            .skip(while: { $0.step == 0 })
            .flatMapLatest { state in
                Observable.concat(.just(state.list), request(of: state, answers))
            }
        }
    }

    /// Loads the page that the state requests, and sends the result to `answers`; emits nothing.
    private func request(of state: State, _ answers: PublishSubject<State.Event>) -> Output {
        guard let request = state.request else { return .empty() }
        let step = state.step
        return load(request.query, request.cursor).take(1).asSingle().asObservable()
            .map { State.Event.answered(step: step, .success($0)) }
            .catch { .just(.answered(step: step, .failure($0))) }
            .compactMap { answer in
                answers.onNext(answer)
                return nil
            }
    }
}
