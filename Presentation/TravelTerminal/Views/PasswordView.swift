/// A form with a password: for signing in to a server, and for deleting the account there.
@MainActor
final class PasswordView: ScreenView {
    private enum Row: Hashable {
        case hint, nickname, password, submit
    }

    enum Kind {
        case signIn, signInAgain, accountDeletion
    }

    private let kind: Kind
    private let context: AppContext
    private var form: Form<Row>
    private let nickname: BehaviorRelay<String>
    private let password = BehaviorRelay(value: "")
    private let submitTapped = PublishRelay<Void>()
    private let backTapped = PublishRelay<Void>()
    private let bag = DisposeBag()
    private let problem: Bound<ScreenFailure?>
    private let canSubmit: Bound<Bool>
    private let isWorking: Bound<Bool>

    /// Begins with the nickname of the user, in a screen that is restored as soon as that is known.
    init(
        _ kind: Kind, _ viewModel: PasswordViewModel, nickname text: String = "", of user: Driver<User?> = .never(),
        in context: AppContext, emit: @escaping @MainActor (ScreenEvent) -> Void
    ) {
        self.kind = kind
        self.context = context
        nickname = BehaviorRelay(value: text)
        var rows: [Form<Row>.Row] = [.init(.hint, "", Note(""))]
        if kind != .accountDeletion { rows.append(.init(.nickname, "", TextField(text))) }
        rows.append(.init(.password, "", TextField(isSecret: true)))
        rows.append(.init(.submit, "", Button("", isEnabled: false)))
        form = Form(rows)
        if !text.isEmpty { form.focus(.password) }
        let output = viewModel.transform(
            .init(
                nickname: nickname.asObservable(), password: password.asObservable(),
                submitTapped: submitTapped.asObservable(), backTapped: backTapped.asObservable()))
        problem = Bound(output.problem, initially: nil, in: context, bag)
        canSubmit = Bound(output.canSubmit, initially: false, in: context, bag)
        isWorking = Bound(output.isWorking, initially: false, in: context, bag)
        output.events.emit(onNext: { emit($0) }).disposed(by: bag)
        user.drive(onNext: { [weak self] in if let user = $0 { self?.begin(with: user.nickname.text) } })
            .disposed(by: bag)
    }

    /// Shows the nickname, unless there is one or something was typed.
    private func begin(with text: String) {
        guard form.text(.nickname).isEmpty, form.text(.password).isEmpty else { return }
        form[.nickname] = TextField(text)
        form.focus(.password)
        send()
    }

    private var action: Text { kind == .accountDeletion ? .deleteAccount : .signIn }

    var title: String { context.language[action] }

    var keys: [KeyLine.Item] {
        [context.item("↵", action), context.item("Ctrl-U", .deleteText), context.item("Esc", .back)]
    }

    var takesText: Bool { true }

    func handle(_ event: InputEvent) -> Bool {
        // The answer is about the text that was sent.
        if isWorking.value, event != .key(.escape) { return true }
        switch event {
        case .paste(let text): if case .changed = form.paste(text) { send() }
        case .key(.escape): backTapped.accept(())
        case .key(.enter) where form.focus == .password: submitTapped.accept(())
        case .key(let key):
            switch form.handle(key) {
            case .changed: send()
            case .pressed: submitTapped.accept(())
            case .moved: break
            case .ignored: return false
            }
        }
        return true
    }

    private func send() {
        nickname.accept(form.text(.nickname))
        password.accept(form.text(.password))
    }

    func render(into grid: inout Grid, in rect: Rect) {
        let language = context.language
        form.rows = form.rows.map { row in
            var row = row
            switch row.id {
            case .hint:
                let hint: Text =
                    switch kind {
                    case .signIn: .signInHint
                    case .signInAgain: .sessionEnded
                    case .accountDeletion: .deleteAccountHint
                    }
                row.control = Note(language[hint])
            case .nickname: row.label = language[.nickname]
            case .password:
                row.label = language[.password]
                row.message = problem.value?.text(in: language)
            case .submit:
                row.control = Button(language[isWorking.value ? .checking : action], isEnabled: canSubmit.value)
            }
            return row
        }
        var area = rect.inset(columns: 2, rows: 1)
        area.columns = min(area.columns, 60)
        form.render(into: &grid, in: area)
    }
}
