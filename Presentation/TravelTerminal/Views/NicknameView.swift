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
    private let nickname: BehaviorRelay<String>
    private let saveTapped = PublishRelay<Void>()
    private let backTapped = PublishRelay<Void>()
    private let bag = DisposeBag()
    private var problem: NicknameProblem?
    private var isChecking = false
    private var isAvailable = false
    private var canSave = false
    private var isSaving = false

    init(
        _ kind: Kind, _ viewModel: NicknameViewModel, nickname text: String, in context: AppContext,
        emit: @escaping @MainActor (ScreenEvent) -> Void
    ) {
        self.kind = kind
        self.context = context
        nickname = BehaviorRelay(value: text)
        form = Form([
            .init(.hint, "", .note("")), .init(.nickname, "", .text(TextField(text))),
            .init(.save, "", .button(Button("", isEnabled: false))),
        ])
        let output = viewModel.transform(
            .init(
                nickname: nickname.asObservable(), saveTapped: saveTapped.asObservable(),
                backTapped: backTapped.asObservable()))
        bind(output.problem) { $0.problem = $1 }
        bind(output.isChecking) { $0.isChecking = $1 }
        bind(output.isAvailable) { $0.isAvailable = $1 }
        bind(output.canSave) { $0.canSave = $1 }
        bind(output.isSaving) { $0.isSaving = $1 }
        output.events.emit(onNext: { emit($0) }).disposed(by: bag)
    }

    private func bind<Value: Sendable>(
        _ output: Driver<Value>, _ show: @escaping @MainActor (NicknameView, Value) -> Void
    ) {
        output.drive(onNext: { [weak self] value in
            guard let self else { return }
            show(self, value)
            context.changed()
        }).disposed(by: bag)
    }

    var title: String { context.language[kind == .profile ? .profile : .signIn] }

    var keys: [KeyLine.Item] {
        [
            context.item("↵", kind == .profile ? .save : .signIn), context.item("Ctrl-U", .deleteText),
            context.item("Esc", .back),
        ]
    }

    var takesText: Bool { true }

    func receive(_ result: ScreenResult) {}
    func close() {}

    func handle(_ event: InputEvent) -> Bool {
        switch event {
        case .paste(let text): if form.paste(text) == .changed(.nickname) { nickname.accept(form.text(.nickname)) }
        case .key(.escape): backTapped.accept(())
        case .key(.enter) where form.focus == .nickname: saveTapped.accept(())
        case .key(let key):
            switch form.handle(key) {
            case .changed: nickname.accept(form.text(.nickname))
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
            case .hint: row.control = .note(kind == .signIn ? language[.signInHint] : "")
            case .nickname:
                row.label = language[.nickname]
                row.message = problem?.text(in: language)
            case .save:
                let title = isSaving ? Text.saving : kind == .profile ? .save : .signIn
                row.control = .button(Button(language[title], isEnabled: canSave))
            }
            return row
        }
        var area = rect.inset(columns: 2, rows: 1)
        area.columns = min(area.columns, 60)
        form.render(into: &grid, in: area)
        let status =
            isChecking ? Text.checking : isAvailable && problem == nil && kind == .profile ? .nicknameAvailable : nil
        if let status { grid.draw(language[status], in: area.line(5), isChecking ? Styles.dim : Styles.success) }
    }
}
