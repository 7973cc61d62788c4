/// The authors whom the user has blocked, each with a button that shows their trips again.
///
/// Several authors may be unblocked at the same time, each once, while the list stays.
package struct BlockedViewModel: ViewModel {
    package struct Input: Sendable {
        package let refreshTapped: Observable<Void>
        package let unblockTapped: Observable<User.ID>
        package let backTapped: Observable<Void>

        package init(
            refreshTapped: Observable<Void> = .never(), unblockTapped: Observable<User.ID> = .never(),
            backTapped: Observable<Void> = .never()
        ) {
            self.refreshTapped = refreshTapped
            self.unblockTapped = unblockTapped
            self.backTapped = backTapped
        }
    }

    package struct Output: Sendable {
        package let content: Driver<Content>
        /// The IDs of the authors that are being unblocked.
        package let working: Driver<Set<User.ID>>
        package let events: Signal<ScreenEvent>
    }

    package enum Content: Hashable, Sendable {
        case loading
        /// The blocked authors, ordered by their IDs.
        case people([User])
        case failed(ScreenFailure)
    }

    private let load: @Sendable () async throws -> [User]
    private let unblock: @Sendable (User.ID) async throws -> Void

    package init(
        load: @escaping @Sendable () async throws -> [User],
        unblock: @escaping @Sendable (User.ID) async throws -> Void
    ) {
        self.load = load
        self.unblock = unblock
    }

    package func transform(_ input: Input) -> Output {
        let loaded = input.refreshTapped.startWith(()).flatMapLatest { [load] in
            Observable.task { Change.loaded(await Result { try await load() }) }.startWith(.loading)
        }
        // The taps on each author are a stream of their own: authors do not wait for each other, and a tap while the
        // same author is being unblocked is ignored.
        let unblocking = input.unblockTapped.groupBy { $0 }.flatMap { [unblock] taps in
            taps.flatMapFirst { id in
                Observable.task { Change.unblocked(id, await Outcome { try await unblock(id) }) }
                    .startWith(.unblocking(id))
            }
        }
        .share()

        let content = Observable.merge(loaded, unblocking).scan(into: Content.loading) { $0.apply($1) }
        let working = unblocking.scan(into: Set<User.ID>()) { working, change in
            if case .unblocking(let id) = change { working.insert(id) }
            if case .unblocked(let id, _) = change { working.remove(id) }
        }
        let notices = unblocking.compactMap { change -> ScreenEvent? in
            guard case .unblocked(_, let outcome) = change else { return nil }
            return .notice(outcome.failure.map(Notice.failed) ?? .done(.unblocked))
        }
        return Output(
            content: content.distinctUntilChanged().asDriver(onErrorDriveWith: .empty()),
            working: working.startWith([]).asDriver(onErrorDriveWith: .empty()),
            events: .merge(
                notices.asSignal(onErrorSignalWith: .empty()),
                input.backTapped.map { .close(nil) }.asSignal(onErrorSignalWith: .empty())))
    }

    fileprivate enum Change: Sendable {
        case loading, unblocking(User.ID)
        case loaded(Result<[User], ScreenFailure>), unblocked(User.ID, Outcome)
    }
}

extension BlockedViewModel.Content {
    fileprivate mutating func apply(_ change: BlockedViewModel.Change) {
        switch (change, self) {
        case (.loading, _): self = .loading
        case (.loaded(.success(let people)), _): self = .people(people)
        case (.loaded(.failure(let failure)), _): self = .failed(failure)
        case (.unblocked(let id, .done), .people(let people)): self = .people(people.filter { $0.id != id })
        case (.unblocking, _), (.unblocked, _): break
        }
    }
}
