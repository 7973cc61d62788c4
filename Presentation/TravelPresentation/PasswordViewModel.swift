/// The form that asks for the password of an account on a server: to sign in, or to delete the account.
///
/// - The button works when the fields have a text, and while nothing is being done. Of several quick taps, one counts, and
///   none after a success.
/// - A success closes the form. A failure, such as a wrong password or a server that does not answer, stays beside the
///   password until the next key.
/// - Going back cancels signing in. While an account is being deleted it has no effect: a form that closed would not
///   tell whether the server has done it.
public struct PasswordViewModel: ViewModel {
    public struct Input: Sendable {
        /// The text of the field for the nickname; the form that deletes the account has none.
        public let nickname: Observable<String>
        public let password: Observable<String>
        public let submitTapped: Observable<Void>
        public let backTapped: Observable<Void>

        public init(
            nickname: Observable<String> = .just(""), password: Observable<String>,
            submitTapped: Observable<Void> = .never(), backTapped: Observable<Void> = .never()
        ) {
            self.nickname = nickname
            self.password = password
            self.submitTapped = submitTapped
            self.backTapped = backTapped
        }
    }

    public struct Output: Sendable {
        /// The problem to show beside the password; `nil` while there is none.
        public let problem: Driver<ScreenFailure?>
        public let canSubmit: Driver<Bool>
        public let isWorking: Driver<Bool>
        public let events: Signal<ScreenEvent>
    }

    private typealias Field = FormField<String, MissingText>

    private struct MissingText: Equatable, Sendable {}

    private let nickname: Field
    private let password = Field(ValidationRule(MissingText(), unless: { !$0.isEmpty }))
    private let isSignIn: Bool
    private let success: (text: Text, result: ScreenResult?)
    private let submit: @Sendable (_ nickname: String, _ password: String) async throws -> Void

    /// The form for signing in.
    public static func signIn(
        _ signIn: @escaping @Sendable (Nickname, Password) async throws -> Void
    ) -> PasswordViewModel {
        let nickname = Field(ValidationRule(MissingText(), unless: { !$0.isEmpty }))
        return PasswordViewModel(nickname: nickname, isSignIn: true, success: (.signedIn, .signedIn)) {
            try await signIn(Nickname($0), Password($1))
        }
    }

    /// The form for deleting the account.
    public static func accountDeletion(
        _ deleteAccount: @escaping @Sendable (Password) async throws -> Void
    ) -> PasswordViewModel {
        PasswordViewModel(nickname: Field(), isSignIn: false, success: (.accountDeleted, nil)) { _, password in
            try await ScreenFailure.checkingPassword { try await deleteAccount(Password(password)) }
        }
    }

    public func transform(_ input: Input) -> Output {
        // Several outputs depend on these, which are subscribed to once.
        let texts = (input.nickname.share(replay: 1), input.password.share(replay: 1))
        let form = FormFields(
            submitted: input.submitTapped, nickname.filled(by: texts.0), password.filled(by: texts.1))
        let activity = ActivityTracker()
        let outcomes = form.submissions
            .flatMapFirst { [submit] nickname, password -> Observable<Outcome> in
                .task { await Outcome { try await submit(nickname, password) } }.trackActivity(activity)
            }
            .take(until: { $0 == .done }, behavior: .inclusive)
            .share()
        let changes = Observable.merge(texts.0.distinctUntilChanged(), texts.1.distinctUntilChanged())
        let problem = Observable.merge(outcomes.map(\.failure), changes.map { _ -> ScreenFailure? in nil })
        let events = Observable.merge(
            outcomes.flatMap { [success] outcome -> Observable<ScreenEvent> in
                outcome == .done ? .of(.notice(.done(success.text)), .close(success.result)) : .empty()
            },
            input.backTapped.withLatestFrom(activity.asObservable()).filter { [isSignIn] in isSignIn || !$0 }
                .map { _ in .close(nil) })
        let isWorking = activity.asDriver()
        return Output(
            problem: problem.startWith(nil).distinctUntilChanged().asDriver(onErrorDriveWith: .empty()),
            canSubmit: Driver.combineLatest(form.isValid, isWorking) { $0 && !$1 }
                .distinctUntilChanged(),
            isWorking: isWorking, events: events.asSignal(onErrorSignalWith: .empty()))
    }
}

extension Text {
    public static let password = Text("Password", "비밀번호")
    public static let sessionEnded = Text(
        "Your session on the server has ended. Sign in to send pending changes.",
        "서버의 로그인이 끝났습니다. 보낼 변경을 보내려면 다시 로그인하세요.")
    public static let deleteAccountHint = Text(
        "Your account will be deleted with all your trips, photos and likes. This cannot be undone.",
        "계정과 모든 여행, 사진, 좋아요를 삭제합니다. 되돌릴 수 없습니다.")
}
