public import Streams

/// Loads a list page by page: first page, next pages, end, retry, refresh.
///
/// - A query replaces the list and whatever was on its way for the one before; an answer to an earlier question never
///   counts, however late it comes.
/// - Reaching the end asks for the next page, and for nothing while a page is on its way, after the last one, or after
///   a next page that failed.
/// - A refresh keeps the items until the new first page is there, and for good when that does not come. It replaces a
///   next page on its way; while a first page is on its way it changes nothing.
/// - A retry asks once more for the page that failed, be it the first, a next one or that of a refresh.
/// - An item that is there already, by its id, is left out of the pages that follow.
///
/// `transform` only composes. Each subscription to the output subscribes each input once and loads for itself, so make
/// it a driver, which is shared. It fails if an input does, and does not complete: more may always be asked for. States
/// come where the inputs and pages do; a driver brings them to the main actor.
///
/// ```swift
/// let paginator = Paginator { query, cursor in
///     let found = try await search(query, after: cursor)
///     return Page(found.posts, next: found.next)
/// } failure: { "\($0)" }
/// let posts = paginator.transform(
///     .init(query: query, reachedEnd: reachedEnd, refreshed: refreshed, retryTapped: retryTapped))
/// return Output(posts: posts.asDriver(onErrorDriveWith: .empty()))
/// ```
public struct Paginator<Query: Sendable, Item: Identifiable & Sendable, Cursor: Sendable, Failure: Sendable>: ViewModel
where Item.ID: Sendable {
    /// What the list is told.
    public struct Input: Sendable {
        /// What to list, beginning with what to show first.
        public let query: Observable<Query>
        /// The end of the list came into view.
        public let reachedEnd: Observable<Void>
        /// The list was pulled to refresh.
        public let refreshed: Observable<Void>
        /// The retry button was tapped.
        public let retryTapped: Observable<Void>

        /// Input from these streams; those left out say nothing.
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

    /// What the list shows, from the first query on.
    public typealias Output = Observable<PagedList<Item, Failure>>

    private typealias State = Paging<Query, Item, Cursor, Failure>

    private let load: @Sendable (Query, Cursor?) -> Observable<Page<Item, Cursor>>
    private let failure: @Sendable (any Error) -> Failure

    /// A list whose pages `load` makes.
    ///
    /// - Parameters:
    ///   - load: Makes a stream of the page of a query that begins at the cursor, the first page for `nil`. Of that
    ///     stream the first element counts; to complete without one is a failure, `RxError.noElements`.
    ///   - failure: What the list shows for an error.
    public init(
        loading load: @escaping @Sendable (Query, Cursor?) -> Observable<Page<Item, Cursor>>,
        failure: @escaping @Sendable (any Error) -> Failure
    ) {
        self.load = load
        self.failure = failure
    }

    /// A list whose pages `load` returns.
    ///
    /// - Parameters:
    ///   - file: Where the code is that loads, for reports of what is still going on.
    ///   - line: Where the code is that loads.
    ///   - load: Returns the page of a query that begins at the cursor, the first page for `nil`. Its task is cancelled
    ///     when something else is asked for, or the subscription is disposed.
    ///   - failure: What the list shows for an error.
    public init(
        file: StaticString = #fileID, line: UInt = #line,
        load: @escaping @Sendable (Query, Cursor?) async throws -> Page<Item, Cursor>,
        failure: @escaping @Sendable (any Error) -> Failure
    ) {
        self.init(
            loading: { query, cursor in .task(file: file, line: line) { try await load(query, cursor) } },
            failure: failure)
    }

    /// Composes the list from the input.
    public func transform(_ input: Input) -> Output {
        .deferred {
            let answers = PublishSubject<State.Event>()
            // The query comes last: whoever answers the first state in the same breath finds the others subscribed.
            return Observable.merge(
                answers,
                input.reachedEnd.map { .reachedEnd },
                input.refreshed.map { .refreshed },
                input.retryTapped.map { .retryTapped },
                input.query.map { .asked($0) }
            )
            .scan(into: State()) { $0.apply($1, describe: failure) }
            .distinctUntilChanged { $0.step }
            .skip(while: { $0.step == 0 })
            .flatMapLatest { state in
                Observable.concat(.just(state.list), request(of: state, answers))
            }
        }
    }

    /// Loads the page that the state asks for, and tells what became of it to `answers`, nothing to who subscribes.
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
