/// The latest value of an output of a view model, bound once; each new value draws the screen again.
@MainActor
final class Bound<Value: Sendable> {
    private(set) var value: Value

    init(_ output: Driver<Value>, initially value: Value, in context: AppContext, _ bag: DisposeBag) {
        self.value = value
        output.drive(onNext: { [weak self] value in
            self?.value = value
            context.changed()
        }).disposed(by: bag)
    }
}

/// The session and the language: their view models, bound once for all screens, and the streams that they receive.
@MainActor
final class Account {
    let signOutTapped = PublishRelay<Void>()
    let withdrawTapped = PublishRelay<Void>()
    let answered = PublishRelay<Bool>()
    let renamed = PublishRelay<User>()
    let languagePicked = PublishRelay<Language>()

    let asksToWithdraw: Bound<Bool>
    let isWorking: Bound<Bool>
    let language: Bound<Language>
    /// What waits between this device and its server; always the same without one.
    let sync: Bound<SyncStatus>
    let hasServer: Bool
    /// Whether the account has a password on a server.
    let hasPassword: Bool
    /// The signed-in user, as soon as that is known, and after each change.
    let users: Observable<User?>
    /// The same, but nothing before the session could be read.
    let knownUser: Driver<User?>
    private let session: Bound<User??>
    private var bag = DisposeBag()

    init(_ useCases: ScreenUseCases, in context: AppContext, emit: @escaping @MainActor (ScreenEvent) -> Void) {
        let account = useCases.account.transform(
            .init(
                signOutTapped: signOutTapped.asObservable(), withdrawTapped: withdrawTapped.asObservable(),
                answered: answered.asObservable(), renamed: renamed.asObservable()))
        let settings = SettingsViewModel(language: context.language, save: useCases.saveLanguage)
            .transform(.init(languagePicked: languagePicked.asObservable()))
        language = Bound(settings.language, initially: context.language, in: context, bag)
        settings.events.emit(onNext: { emit($0) }).disposed(by: bag)
        account.events.emit(onNext: { emit($0) }).disposed(by: bag)
        asksToWithdraw = Bound(account.asksToWithdraw, initially: false, in: context, bag)
        isWorking = Bound(account.isWorking, initially: false, in: context, bag)
        hasServer = useCases.synchronization != nil
        hasPassword = useCases.serverAccount != nil
        let status = useCases.synchronization?.watchedStatus ?? .empty()
        sync = Bound(status.asDriver(onErrorDriveWith: .empty()), initially: SyncStatus(), in: context, bag)
        users = account.user.asObservable()
        knownUser = account.knownUser
        self.session = Bound(account.user.map { .some($0) }, initially: nil, in: context, bag)
    }

    /// Ends the work of both.
    func close() {
        bag = DisposeBag()
    }

    /// The signed-in user; `nil` for nobody, and until that is known.
    var user: User? { session.value ?? nil }
    var isKnown: Bool { session.value != nil }
}
