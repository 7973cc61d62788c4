/// A form with one field, the nickname: the profile of the user, and the form for signing in.
///
/// - The nickname is checked 300 ms after the last key; only the answer for the newest text counts.
/// - A problem shows from the first key on. Saving is possible only while there is none and nothing is being saved: a tap
///   while the nickname is being checked saves it when the check has passed, and a tap after a check that could not be made
///   checks again.
/// - Of several quick taps on save, one saves, and none after a success. A success closes the form; a failure keeps it
///   open. Meanwhile the back button has no effect: a form that closed would not tell the new nickname, which the store
///   may have.
public struct NicknameViewModel: ViewModel {
    public struct Input: Sendable {
        /// The text of the field, beginning with the first one to show.
        public let nickname: Observable<String>
        public let saveTapped: Observable<Void>
        public let backTapped: Observable<Void>

        public init(
            nickname: Observable<String>, saveTapped: Observable<Void> = .never(),
            backTapped: Observable<Void> = .never()
        ) {
            self.nickname = nickname
            self.saveTapped = saveTapped
            self.backTapped = backTapped
        }
    }

    public struct Output: Sendable {
        /// The problem to show beside the field; `nil` if there is none, and before the first key.
        public let problem: Driver<NicknameProblem?>
        /// Whether the newest nickname is being checked.
        public let isChecking: Driver<Bool>
        /// Whether the nickname is available, for a mark beside the field.
        public let isAvailable: Driver<Bool>
        public let canSave: Driver<Bool>
        public let isSaving: Driver<Bool>
        public let events: Signal<ScreenEvent>
    }

    /// How long the text stays unchanged before it is checked.
    public static let typingPause = RxTimeInterval.milliseconds(300)

    private let field: FormField<String, NicknameProblem>
    private let success: Text
    private let save: @Sendable (Nickname) async throws -> ScreenResult

    /// The profile of the signed-in user; `check` checks a text as their nickname.
    public static func profile(
        check: @escaping @Sendable (String) async throws -> CheckNickname.Verdict,
        change: @escaping @Sendable (Nickname) async throws -> User
    ) -> NicknameViewModel {
        let field = FormField(ValidationRule(problem)).checked(
            after: typingPause, repeatedAfter: { if case .failed = $0 { true } else { false } }
        ) { text in
            do {
                return NicknameProblem(try await check(text))
            } catch {
                return .failed(ScreenFailure(error))
            }
        }
        return NicknameViewModel(field: field, success: .saved) { .renamed(try await change($0)) }
    }

    /// The form for signing in. Somebody who has an account keeps their nickname; therefore the form does not ask
    /// whether the nickname is taken, and says so only when signing in fails.
    public static func signIn(
        _ signIn: @escaping @Sendable (Nickname) async throws -> Void
    ) -> NicknameViewModel {
        NicknameViewModel(field: FormField(ValidationRule(problem)), success: .signedIn) {
            try await signIn($0)
            return .signedIn
        }
    }

    public func transform(_ input: Input) -> Output {
        // Several outputs depend on these, which are subscribed to once.
        let nickname = input.nickname.distinctUntilChanged().share(replay: 1)
        let form = FormFields(
            submitted: input.saveTapped, field.filled(by: nickname, left: nickname.skip(1).map { _ in }))
        let field = form.fields
        let activity = ActivityTracker()
        let outcomes = form.submissions
            .flatMapFirst { [save] nickname -> Observable<Result<ScreenResult, ScreenFailure>> in
                .task { await Result { try await save(try Nickname(nickname)) } }.trackActivity(activity)
            }
            .take(until: { if case .success = $0 { true } else { false } }, behavior: .inclusive)
            .share()

        // A failure stays beside the field until the next key.
        let failure = Observable.merge(
            outcomes.map { if case .failure(let failure) = $0 { failure } else { nil } },
            nickname.map { _ -> ScreenFailure? in nil }
        ).startWith(nil).distinctUntilChanged()
        let problem = Observable.combineLatest(field.problem.asObservable(), failure) {
            $1.map(NicknameProblem.init) ?? $0
        }
        let isSaving = activity.asDriver()
        let events = Observable.merge(
            outcomes.flatMap { [success] outcome -> Observable<ScreenEvent> in
                guard case .success(let result) = outcome else { return .empty() }
                return .of(.notice(.done(success)), .close(result))
            },
            input.backTapped.withLatestFrom(activity.asObservable()).filter { !$0 }.map { _ in .close(nil) })

        return Output(
            problem: problem.distinctUntilChanged().asDriver(onErrorDriveWith: .empty()),
            isChecking: field.isChecking, isAvailable: field.isValid,
            canSave: Driver.combineLatest(field.isValid, isSaving) { $0 && !$1 }.distinctUntilChanged(),
            isSaving: isSaving, events: events.asSignal(onErrorSignalWith: .empty()))
    }

    /// The broken rule of a text, which needs no store.
    private static func problem(_ text: String) -> NicknameProblem? {
        do {
            _ = try Nickname(text)
            return nil
        } catch .invalid(Violation(.nickname, .tooShort(minimum: Nickname.length.lowerBound))) {
            return .verdict(.tooShort)
        } catch .invalid(Violation(.nickname, .tooLong(maximum: Nickname.length.upperBound))) {
            return .verdict(.tooLong)
        } catch {
            return .verdict(.controlCharacter)
        }
    }
}

extension NicknameProblem {
    fileprivate init(_ failure: ScreenFailure) {
        if case .domain(.conflict(.user)) = failure {
            self = .verdict(.taken)
        } else {
            self = .failed(failure)
        }
    }
}

/// The reason why a nickname cannot be taken.
public enum NicknameProblem: Hashable, Sendable {
    /// The nickname has this verdict, which is not `available`.
    case verdict(CheckNickname.Verdict)
    /// It could not be checked, or not be saved.
    case failed(ScreenFailure)

    /// The problem of a verdict; `nil` if the nickname is available.
    init?(_ verdict: CheckNickname.Verdict) {
        if verdict == .available { return nil }
        self = .verdict(verdict)
    }

    public func text(in language: Language) -> String {
        switch self {
        case .verdict(.unchanged): language[.nicknameUnchanged]
        case .verdict(.tooShort): language[.tooShort(minimum: Nickname.length.lowerBound)]
        case .verdict(.tooLong): language[.tooLong(maximum: Nickname.length.upperBound)]
        case .verdict(.controlCharacter): language[.nicknameControl]
        case .verdict(.invalid(let violation)): language[violation.text]
        case .verdict(.taken): language[.nicknameTaken]
        case .verdict(.available): language[.nicknameAvailable]
        case .failed(let failure): failure.text(in: language)
        }
    }
}
