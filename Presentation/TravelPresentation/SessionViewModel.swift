/// The session of the app: the signed-in user, signing out, and deleting the account. One for the whole app.
///
/// - Binding the outputs restores the session of before and watches it. While the store cannot answer, the user stays as
///   they were, and the store is asked again every five seconds; only the first failure in a row raises a notice.
/// - Deleting the account asks first; the question goes away when the session of that user ends. Signing out and
///   deleting the account run once, however often they are tapped.
public struct SessionViewModel: ViewModel {
    public struct Input: Sendable {
        public let signOutTapped: Observable<Void>
        public let deleteAccountTapped: Observable<Void>
        /// The question whether to delete the account was answered.
        public let answered: Observable<Bool>
        /// The user has another nickname: watching the session does not tell.
        public let renamed: Observable<User>

        public init(
            signOutTapped: Observable<Void> = .never(), deleteAccountTapped: Observable<Void> = .never(),
            answered: Observable<Bool> = .never(), renamed: Observable<User> = .never()
        ) {
            self.signOutTapped = signOutTapped
            self.deleteAccountTapped = deleteAccountTapped
            self.answered = answered
            self.renamed = renamed
        }
    }

    public struct Output: Sendable {
        /// The signed-in user, `nil` for nobody: as soon as that is known, and after each change. A change reaches all
        /// observers in one step. If the session of before cannot be read, nobody is signed in until it can.
        public let user: Driver<User?>
        /// The user like ``user``, but nothing before the session could be read: a screen of a user whose session cannot
        /// be read stays open.
        public let knownUser: Driver<User?>
        /// Whether the screen asks if the user wants to delete the account.
        public let asksToDeleteAccount: Driver<Bool>
        /// Whether the user is being signed out, or the account deleted.
        public let isWorking: Driver<Bool>
        public let events: Signal<ScreenEvent>
    }

    /// How long the session waits before it asks a store again that could not answer.
    public static let retryPause = RxTimeInterval.seconds(5)

    @Dependency(\.mainScheduler) private var scheduler
    private let watch: @Sendable () -> Observable<User?>
    private let signOut: @Sendable () async throws -> Void
    private let deleteAccount: @Sendable () async throws -> Void

    /// `watch` returns the signed-in user: now, and after each change; `nil` if nobody is signed in.
    public init(
        watch: @escaping @Sendable () -> Observable<User?>, signOut: @escaping @Sendable () async throws -> Void,
        deleteAccount: @escaping @Sendable () async throws -> Void
    ) {
        self.watch = watch
        self.signOut = signOut
        self.deleteAccount = deleteAccount
    }

    public func transform(_ input: Input) -> Output {
        let watched = Observable.deferred { [watch] in watch() }
            .map { Change.became($0) }
            .catch { .concat(.just(.failed(ScreenFailure($0))), .error($0)) }
            .retry(when: { [scheduler] (errors: Observable<any Error>) in
                errors.delay(Self.retryPause, scheduler: scheduler)
            })
        let readings = Observable.merge(watched, input.renamed.map { .renamed($0) })
            .scan(into: Reading()) { $0.apply($1) }
            .share(replay: 1)
        let user = readings.map(\.user).distinctUntilChanged().share(replay: 1)
        let shown = readings.asDriver(onErrorDriveWith: .empty())

        let activity = ActivityTracker()
        let isFree = Observable.combineLatest(user, activity.asObservable()) { user, isWorking in
            user != nil && !isWorking
        }
        .share(replay: 1)
        let accountDeletion = Confirmation(
            asked: input.deleteAccountTapped.withLatestFrom(isFree), answered: input.answered,
            obsolete: user.map { $0?.id }.distinctUntilChanged().map { _ in })
        let notices = Observable.merge(
            input.signOutTapped.withLatestFrom(isFree).filter { $0 }.map { _ in Work.signOut },
            accountDeletion.confirmed.map { .deleteAccount }
        )
        .flatMapFirst { [signOut, deleteAccount] work -> Observable<Notice> in
            .task {
                let outcome = await Outcome { try await work == .signOut ? signOut() : deleteAccount() }
                return outcome.failure.map(Notice.failed) ?? .done(work == .signOut ? .signedOut : .accountDeleted)
            }
            .trackActivity(activity)
        }
        let failures = readings.map(\.failure).distinctUntilChanged { $0 == nil }
            .compactMap { $0.map(Notice.failed) }
        return Output(
            user: shown.map(\.user).distinctUntilChanged(),
            knownUser: shown.filter(\.isKnown).map(\.user).distinctUntilChanged(),
            asksToDeleteAccount: accountDeletion.isAsked.asDriver(onErrorDriveWith: .empty()),
            isWorking: activity.asDriver(),
            events: Observable.merge(failures, notices).map(ScreenEvent.notice)
                .asSignal(onErrorSignalWith: .empty()))
    }

    private enum Change {
        case became(User?), renamed(User), failed(ScreenFailure)
    }

    private struct Reading {
        var user: User?
        /// Whether the session could be read.
        var isKnown = false
        var failure: ScreenFailure?

        mutating func apply(_ change: Change) {
            switch change {
            case .became(let user): self = Reading(user: user, isKnown: true)
            case .failed(let failure): self.failure = failure
            case .renamed(let user): if self.user?.id == user.id { self.user = user }
            }
        }
    }

    private enum Work {
        case signOut, deleteAccount
    }
}
