/// A form with one field, the nickname: the profile, and the form for signing in.
@MainActor
final class NicknameView: ScreenView {
    private enum Row: Hashable {
        case hint, nickname, save
    }

    enum Kind {
        case profile, signIn
    }

    private let kind: Kind
    private let context: AppContext
    private var form: Form<Row>
    private let nickname = ReplayRelay<String>.create(bufferSize: 1)
    /// Whether the field has its first text, shown or typed.
    private var hasText = false
    private let saveTapped = PublishRelay<Void>()
    private let backTapped = PublishRelay<Void>()
    private let bag = DisposeBag()
    private let problem: Bound<NicknameProblem?>
    private let isChecking: Bound<Bool>
    private let isAvailable: Bound<Bool>
    private let canSave: Bound<Bool>
    private let isSaving: Bound<Bool>

    /// Begins with the text, or without one, as in a screen that is restored, with the nickname of the user as soon as
    /// that is known.
    init(
        _ kind: Kind, _ viewModel: NicknameViewModel, nickname text: String?, of user: Driver<User?> = .never(),
        in context: AppContext, emit: @escaping @MainActor (ScreenEvent) -> Void
    ) {
        self.kind = kind
        self.context = context
        form = Form([
            .init(.hint, "", Note("")), .init(.nickname, "", TextField()),
            .init(.save, "", Button("", isEnabled: false)),
        ])
        let output = viewModel.transform(
            .init(
                nickname: nickname.asObservable(), saveTapped: saveTapped.asObservable(),
                backTapped: backTapped.asObservable()))
        problem = Bound(output.problem, initially: nil, in: context, bag)
        isChecking = Bound(output.isChecking, initially: false, in: context, bag)
        isAvailable = Bound(output.isAvailable, initially: false, in: context, bag)
        canSave = Bound(output.canSave, initially: false, in: context, bag)
        isSaving = Bound(output.isSaving, initially: false, in: context, bag)
        output.events.emit(onNext: { emit($0) }).disposed(by: bag)
        if let text { begin(with: text) }
        user.drive(onNext: { [weak self] in if let user = $0 { self?.begin(with: user.nickname.text) } })
            .disposed(by: bag)
    }

    private func begin(with text: String) {
        if hasText { return }
        form[.nickname] = TextField(text)
        send(text)
    }

    private func send(_ text: String) {
        hasText = true
        nickname.accept(text)
    }

    var title: String { context.language[kind == .profile ? .profile : .signIn] }

    var keys: [KeyLine.Item] {
        [
            context.item("↵", kind == .profile ? .save : .signIn), context.item("Ctrl-U", .deleteText),
            context.item("Esc", .back),
        ]
    }

    var takesText: Bool { true }

    func handle(_ event: InputEvent) -> Bool {
        // The answer is about the text that was sent.
        if isSaving.value, event != .key(.escape) { return true }
        switch event {
        case .paste(let text): if form.paste(text) == .changed(.nickname) { send(form.text(.nickname)) }
        case .key(.escape): backTapped.accept(())
        case .key(.enter) where form.focus == .nickname: saveTapped.accept(())
        case .key(let key):
            switch form.handle(key) {
            case .changed: send(form.text(.nickname))
            case .pressed: saveTapped.accept(())
            case .moved: break
            case .ignored: return false
            }
        }
        return true
    }

    func render(into grid: inout Grid, in rect: Rect) {
        let language = context.language
        form.rows = form.rows.map { row in
            var row = row
            switch row.id {
            case .hint: row.control = Note(kind == .signIn ? language[.signInHint] : "")
            case .nickname:
                row.label = language[.nickname]
                row.message = problem.value?.text(in: language)
            case .save:
                let title = isSaving.value ? Text.saving : kind == .profile ? .save : .signIn
                row.control = Button(language[title], isEnabled: canSave.value)
            }
            return row
        }
        var area = rect.inset(columns: 2, rows: 1)
        area.columns = min(area.columns, 60)
        form.render(into: &grid, in: area)
        let status =
            isChecking.value
            ? Text.checking
            : isAvailable.value && problem.value == nil && kind == .profile ? .nicknameAvailable : nil
        if let status { grid.draw(language[status], in: area.line(5), isChecking.value ? Styles.dim : Styles.success) }
    }
}
