internal import TravelPages

/// A form with one field, the nickname: the profile of the user, and the form for signing in.
struct NicknamePage: ScreenPage {
    enum Kind { case profile, signIn }

    struct State: Equatable {
        let kind: Kind
        /// The text of the field.
        var nickname = ""
        /// The text with which the form began.
        var initial = ""
        var problem: NicknameProblem?
        var isChecking = false
        var isAvailable = false
        var isSaving = false

        var isChanged: Bool { nickname != initial }
    }

    enum Action: Hashable { case typed(String), save, back }

    private let context: PageContext
    private let controls: Controls

    init(_ context: PageContext) {
        self.context = context
        controls = Controls(context)
    }

    func title(of state: State) -> String { context[state.kind == .profile ? .profile : .signIn] }
    func isLoading(_ state: State) -> Bool { state.isChecking && state.isChanged || state.isSaving }
    func hasUnsavedChanges(_ state: State) -> Bool { state.kind == .profile && state.isChanged }

    func actions(for input: PageInput, in state: State) -> [Action]? {
        switch input {
        // The answer is about the text that was sent.
        case .field("nickname", let text): state.isSaving ? [] : [.typed(text)]
        case .control(.init("save")): [.save]
        case .control(.init("back")): [.back]
        case .control, .field, .link, .history: nil
        }
    }

    // MARK: View

    @HTML.Builder
    func view(of state: State) -> HTML {
        HTML("h1") { title(of: state) }
        if state.kind == .signIn { HTML("p", ["class": "note"]) { context[.signInHint] } }
        controls.form(id: "nickname-form", .init(style: "fields", isBusy: state.isSaving)) {
            controls.field(
                "nickname", .nickname, value: state.nickname,
                autocomplete: state.kind == .profile ? "nickname" : "username",
                problem: state.problem?.text(in: context.language), note: note(state), isLive: true)
            HTML("p", ["class": "buttons"]) {
                // It works while there is a problem as well, and then shows it: without the script nothing else would.
                controls.button(.init("save"), action(state), isEnabled: !state.isSaving, form: nil)
                controls.button(.init("back"), .cancel, isEnabled: !state.isSaving, style: "plain")
            }
        }
    }

    private func action(_ state: State) -> Text {
        state.isSaving ? .saving : state.kind == .profile ? .save : .signIn
    }

    private func note(_ state: State) -> Text? {
        guard state.kind == .profile, state.isChanged else { return nil }
        return state.isChecking ? .checking : state.isAvailable ? .nicknameAvailable : nil
    }
}

/// The view model of a nickname, bound once.
@MainActor
final class NicknameModel: PageModel {
    private let kind: NicknamePage.Kind
    private let nickname = ReplayRelay<String>.create(bufferSize: 1)
    private let saveTapped = PublishRelay<Void>()
    private let backTapped = PublishRelay<Void>()
    private let problem: Bound<NicknameProblem?>
    private let isChecking: Bound<Bool>
    private let isAvailable: Bound<Bool>
    private let isSaving: Bound<Bool>
    private let bag = DisposeBag()
    /// The text of the field; `nil` before the nickname of the user is known.
    private var text: String?
    private var initial = ""

    /// Begins with the nickname of the user, as soon as that is known.
    init(
        _ kind: NicknamePage.Kind, _ viewModel: NicknameViewModel, of user: Driver<User?> = .just(nil),
        in context: AppContext,
        emit: @escaping @MainActor (ScreenEvent) -> Void
    ) {
        self.kind = kind
        let output = viewModel.transform(
            .init(
                nickname: nickname.asObservable(), saveTapped: saveTapped.asObservable(),
                backTapped: backTapped.asObservable()))
        problem = Bound(output.problem, initially: nil, in: context, bag)
        isChecking = Bound(output.isChecking, initially: false, in: context, bag)
        isAvailable = Bound(output.isAvailable, initially: false, in: context, bag)
        isSaving = Bound(output.isSaving, initially: false, in: context, bag)
        output.events.emit(onNext: { emit($0) }).disposed(by: bag)
        if kind == .signIn { begin(with: "") }
        user.drive(onNext: { [weak self] user in
            guard let user else { return }
            self?.begin(with: user.nickname.text)
            context.changed()
        }).disposed(by: bag)
    }

    private func begin(with nickname: String) {
        if text != nil { return }
        initial = nickname
        type(nickname)
    }

    private func type(_ nickname: String) {
        text = nickname
        self.nickname.accept(nickname)
    }

    var state: NicknamePage.State {
        .init(
            kind: kind, nickname: text ?? "", initial: initial, problem: problem.value, isChecking: isChecking.value,
            isAvailable: isAvailable.value, isSaving: isSaving.value)
    }

    func send(_ action: NicknamePage.Action) {
        switch action {
        case .typed(let text): type(text)
        case .save: saveTapped.accept(())
        case .back: backTapped.accept(())
        }
    }
}
