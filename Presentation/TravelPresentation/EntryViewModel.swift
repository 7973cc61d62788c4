/// One entry of a trip, with its whole text.
///
/// - The entry is watched: what changes elsewhere changes here, and an entry that is deleted, or that the user no longer
///   sees, says so.
/// - Only the author edits and deletes. Deleting asks first, and closes the screen when it has succeeded.
/// - When a user signs in or out, the entry is loaded again, and what was asked or begun before ends.
public struct EntryViewModel: ViewModel {
    public struct Input: Sendable {
        /// Loads the entry again and watches it.
        public let retryTapped: Observable<Void>
        public let editTapped: Observable<Void>
        /// The button that deletes the entry was tapped: asks first.
        public let deleteTapped: Observable<Void>
        /// The question whether to delete the entry was answered.
        public let answered: Observable<Bool>
        public let backTapped: Observable<Void>

        /// Creates an input from these streams; the defaults emit nothing.
        public init(
            retryTapped: Observable<Void> = .never(), editTapped: Observable<Void> = .never(),
            deleteTapped: Observable<Void> = .never(), answered: Observable<Bool> = .never(),
            backTapped: Observable<Void> = .never()
        ) {
            self.retryTapped = retryTapped
            self.editTapped = editTapped
            self.deleteTapped = deleteTapped
            self.answered = answered
            self.backTapped = backTapped
        }
    }

    public struct Output: Sendable {
        public let content: Driver<Content>
        /// Whether the screen asks if the user wants to delete the entry.
        public let asksToDelete: Driver<Bool>
        public let isDeleting: Driver<Bool>
        public let events: Signal<ScreenEvent>
    }

    public struct Content: Hashable, Sendable {
        public enum Phase: Hashable, Sendable {
            case loading
            case shown(TimelineEntry)
            /// The entry or its trip does not exist, or the user does not see it.
            case gone
            case failed(ScreenFailure)
        }

        /// The trip of the entry; `nil` until it arrives, and if it is gone.
        public var trip: Trip?
        public var phase = Phase.loading

        public init() {}

        public var entry: TimelineEntry? { if case .shown(let entry) = phase { entry } else { nil } }
        /// Whether the user is the author and may therefore edit and delete the entry.
        public var isMine: Bool { entry != nil && trip?.isMine == true }
    }

    private let entry: TimelineEntry.ID
    private let trip: Trip.ID
    private let user: Observable<User?>
    private let show: @Sendable (Trip.ID) -> Observable<TripDetails>
    private let delete: @Sendable (TimelineEntry.ID, Trip.ID) async throws -> UndoableDeletion?

    /// - Parameters:
    ///   - entry: The ID of the entry.
    ///   - trip: The ID of its trip.
    ///   - user: The signed-in user, now and after each change; `nil` for nobody. It does not fail.
    ///   - show: Returns the trip with its timeline: now, and again after each change.
    ///   - delete: Deletes the entry; returns the deletion if it can be undone.
    public init(
        _ entry: TimelineEntry.ID, in trip: Trip.ID, user: Observable<User?>,
        show: @escaping @Sendable (Trip.ID) -> Observable<TripDetails>,
        delete: @escaping @Sendable (TimelineEntry.ID, Trip.ID) async throws -> UndoableDeletion?
    ) {
        self.entry = entry
        self.trip = trip
        self.user = user
        self.show = show
        self.delete = delete
    }

    public func transform(_ input: Input) -> Output {
        // The first user is the one for whom the entry is being loaded already.
        let userChanged = user.map { $0?.id }.distinctUntilChanged().skip(1).map { _ in }.share()
        let reading = Observable.merge(userChanged.map { Change.userChanged }, input.retryTapped.map { .retried })
            .startWith(.userChanged)
            .flatMapLatest { [show, trip] reason in
                show(trip).map(Change.arrived).catch { .just(.failed(ScreenFailure($0))) }.startWith(reason)
            }
            .scan(into: Reading()) { [entry] in $0.apply($1, entry) }
            .share(replay: 1)

        let activity = ActivityTracker()
        let isMine = reading.map(\.content.isMine)
        let deletion = Confirmation(
            asked: input.deleteTapped.withLatestFrom(
                Observable.combineLatest(isMine, activity.asObservable()) { $0 && !$1 }),
            answered: input.answered, obsolete: reading.filter { $0.content.entry == nil }.map { _ in })
        let outcomes = deletion.confirmed.flatMapFirst { [delete, entry, trip] in
            Observable.task { await Result { try await delete(entry, trip) } }
                .take(until: userChanged).trackActivity(activity)
        }
        .share()
        // An entry that is being deleted here, or was, closes the screen: nobody needs to read that it is gone.
        let isDeleting = Observable.merge(
            deletion.confirmed.map { true },
            outcomes.filter { if case .failure = $0 { true } else { false } }.map { _ in false },
            userChanged.map { false }
        )
        .startWith(false)
        let content = Observable.combineLatest(reading.map(\.content), isDeleting)
            .filter { content, isDeleting in !(isDeleting && content.phase == .gone) }
            .map { content, _ in content }

        let events = Observable.merge(
            reading.compactMap { $0.notice.map { ScreenEvent.notice(.failed($0)) } },
            outcomes.flatMap { [entry] outcome -> Observable<ScreenEvent> in
                switch outcome {
                case .failure(let failure): .just(.notice(.failed(failure)))
                case .success(let deletion):
                    .of(.notice(deletion?.notice ?? .done(.entryDeleted)), .close(.removedEntry(entry)))
                }
            },
            input.editTapped.withLatestFrom(isMine).filter { $0 }
                .map { [entry, trip] _ in .open(.entryEditor(entry, in: trip)) },
            input.backTapped.map { .close(nil) })
        return Output(
            content: content.distinctUntilChanged().asDriver(onErrorDriveWith: .empty()),
            asksToDelete: deletion.isAsked.asDriver(onErrorDriveWith: .empty()),
            isDeleting: activity.asObservable().distinctUntilChanged().asDriver(onErrorDriveWith: .empty()),
            events: events.asSignal(onErrorSignalWith: .empty()))
    }

    private enum Change {
        case userChanged, retried, arrived(TripDetails), failed(ScreenFailure)
    }

    /// The content, and the failure that the last change reports beside it.
    private struct Reading {
        var content = Content()
        var notice: ScreenFailure?

        mutating func apply(_ change: Change, _ entry: TimelineEntry.ID) {
            notice = nil
            switch change {
            case .userChanged: content = Content()
            case .retried: if content.trip == nil { content.phase = .loading }
            case .arrived(let details):
                content.trip = details.trip
                content.phase = details.timeline.first { $0.id == entry }.map { .shown($0) } ?? .gone
            case .failed(.domain(.notFound)):
                content = Content()
                content.phase = .gone
            // The last loaded entry stays; a retry watches it again.
            case .failed(let failure):
                if content.trip == nil { content.phase = .failed(failure) } else { notice = failure }
            }
        }
    }
}
