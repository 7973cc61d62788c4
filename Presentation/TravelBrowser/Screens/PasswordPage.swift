internal import TravelPages

/// A form with a password: for signing in to a server, and for deleting the account there.
///
/// The browser alone keeps the text of the password: the state, and so the page, does not have it.
struct PasswordPage: ScreenPage {
    enum Kind { case signIn, signInAgain, accountDeletion }

    struct State: Equatable {
        let kind: Kind
        var nickname = ""
        /// The fields without which the form was sent.
        var missing: Set<Field> = []
        var problem: ScreenFailure?
        var isWorking = false
    }

    enum Field { case nickname, password }

    enum Action: Hashable { case nickname(String), password(String), submit, back }

    private let context: PageContext
    private let controls: Controls

    init(_ context: PageContext) {
        self.context = context
        controls = Controls(context)
    }

    func title(of state: State) -> String { context[action(state)] }
    func isLoading(_ state: State) -> Bool { state.isWorking }

    func actions(for input: PageInput, in state: State) -> [Action]? {
        switch input {
        // The answer is about the texts that were sent.
        case .field("nickname", let text): state.isWorking || state.kind == .accountDeletion ? [] : [.nickname(text)]
        case .field("password", let text): state.isWorking ? [] : [.password(text)]
        case .control(.init("submit")): [.submit]
        case .control(.init("back")): [.back]
        case .control, .field, .link, .history: nil
        }
    }

    // MARK: View

    @HTML.Builder
    func view(of state: State) -> HTML {
        let isDeletion = state.kind == .accountDeletion
        HTML("h1") { title(of: state) }
        HTML("p", ["class": isDeletion ? "problem" : "note"]) { context[hint(state)] }
        controls.form(id: "password-form", .init(style: "fields", isBusy: state.isWorking)) {
            if !isDeletion {
                controls.field(
                    "nickname", .nickname, value: state.nickname, autocomplete: "username",
                    problem: state.missing.contains(.nickname) ? context[.tooShort(minimum: 1)] : nil, isLive: true,
                    isRequired: true)
            }
            controls.field(
                "password", .password, value: nil, type: .password, autocomplete: "current-password",
                problem: state.missing.contains(.password)
                    ? context[.tooShort(minimum: 1)] : state.problem?.text(in: context.language),
                isRequired: true)
            HTML("p", ["class": "buttons"]) {
                controls.button(
                    .init("submit"), state.isWorking ? .checking : action(state), isEnabled: !state.isWorking,
                    style: isDeletion ? "danger" : nil, form: nil)
                controls.button(.init("back"), .cancel, style: "plain")
            }
        }
    }

    private func action(_ state: State) -> Text { state.kind == .accountDeletion ? .deleteAccount : .signIn }

    private func hint(_ state: State) -> Text {
        switch state.kind {
        case .signIn: .signInHint
        case .signInAgain: .sessionEnded
        case .accountDeletion: .deleteAccountHint
        }
    }
}

/// The view model of a password, bound once.
@MainActor
final class PasswordModel: PageModel {
    private let kind: PasswordPage.Kind
    private let nickname = BehaviorRelay(value: "")
    private let password = BehaviorRelay(value: "")
    private let submitTapped = PublishRelay<Void>()
    private let backTapped = PublishRelay<Void>()
    private let problem: Bound<ScreenFailure?>
    private let isWorking: Bound<Bool>
    private let bag = DisposeBag()
    private var wasTyped = false
    private var missing: Set<PasswordPage.Field> = []

    /// Begins with the nickname of the user, as soon as that is known.
    init(
        _ kind: PasswordPage.Kind, _ viewModel: PasswordViewModel, of user: Driver<User?> = .just(nil),
        in context: AppContext, emit: @escaping @MainActor (ScreenEvent) -> Void
    ) {
        self.kind = kind
        let output = viewModel.transform(
            .init(
                nickname: nickname.asObservable(), password: password.asObservable(),
                submitTapped: submitTapped.asObservable(), backTapped: backTapped.asObservable()))
        problem = Bound(output.problem, initially: nil, in: context, bag)
        isWorking = Bound(output.isWorking, initially: false, in: context, bag)
        output.events.emit(onNext: { emit($0) }).disposed(by: bag)
        user.drive(onNext: { [weak self] user in
            guard let self, let user, !wasTyped else { return }
            nickname.accept(user.nickname.text)
            context.changed()
        }).disposed(by: bag)
    }

    var state: PasswordPage.State {
        .init(
            kind: kind, nickname: nickname.value, missing: missing, problem: problem.value, isWorking: isWorking.value)
    }

    func send(_ action: PasswordPage.Action) {
        switch action {
        case .nickname(let text):
            wasTyped = true
            missing.remove(.nickname)
            nickname.accept(text)
        case .password(let text):
            wasTyped = true
            missing.remove(.password)
            password.accept(text)
        case .submit:
            if nickname.value.isEmpty, kind != .accountDeletion { missing.insert(.nickname) }
            if password.value.isEmpty { missing.insert(.password) }
            submitTapped.accept(())
        case .back: backTapped.accept(())
        }
    }
}
