/// The settings: the language, and the actions on the session.
@MainActor
final class SettingsView: ScreenView {
    private enum Row: Hashable {
        case language, changes, profile, blocked, signIn, signOut, deleteAccount
    }

    private let context: AppContext
    private let account: Account
    private let emit: @MainActor (ScreenEvent) -> Void
    private var form = Form<Row>([])
    private var dialog: Dialog?
    @Dependency(\.date) private var date

    /// The account belongs to the app and outlives the screen.
    init(_ account: Account, in context: AppContext, emit: @escaping @MainActor (ScreenEvent) -> Void) {
        self.account = account
        self.context = context
        self.emit = emit
        update()
    }

    var title: String { context.language[.settings] }

    var keys: [KeyLine.Item] {
        if dialog != nil { return [context.item("←→", .choose), context.item("Esc", .cancel)] }
        return [
            context.item("↑↓", .move), context.item("←→ Space", .choose), context.item("↵", .open),
            context.item("Esc", .back),
        ]
    }

    /// Builds the rows from the current state; the focused row keeps the focus.
    private func update() {
        let language = context.language
        var languages = ChipRow(
            Language.allCases.map { .init(label: $0.ownName, isOn: $0 == account.language.value) }, isExclusive: true)
        if let old = form[.language] as? ChipRow { languages.focus(old.current) }
        var rows: [Form<Row>.Row] = [.init(.language, language[.language], languages)]
        if account.hasServer {
            let status = account.sync.value.text(at: date.now) ?? .everythingSent
            rows.append(.init(.changes, language[.changes], Button(language[status])))
        }
        let isFree = !account.isWorking.value
        if let user = account.user {
            rows.append(.init(.profile, language[.profile], Button(user.nickname.text)))
            rows.append(.init(.blocked, "", Button(language[.blockedUsers])))
            rows.append(.init(.signOut, "", Button(language[.signOut], isEnabled: isFree)))
            rows.append(.init(.deleteAccount, "", Button(language[.deleteAccount], isEnabled: isFree)))
        } else {
            rows.append(.init(.signIn, "", Button(language[.signIn])))
        }
        let focus = form.focus
        form = Form(rows)
        if let focus { form.focus(focus) }
        dialog.ask(
            account.asksToDeleteAccount.value
                ? Dialog(
                    title: language[.deleteAccount], message: language[.deleteAccountQuestion],
                    buttons: [language[.cancel], language[.deleteAccount]]) : nil)
    }

    func handle(_ event: InputEvent) -> Bool {
        guard case .key(let key) = event else { return false }
        update()
        if dialog != nil {
            if let isYes = dialog.handle(key).isYes { account.answered.accept(isYes) }
            return true
        }
        switch form.handle(key) {
        case .changed(.language):
            if let index = form.chosen(.language).first { account.languagePicked.accept(Language.allCases[index]) }
        case .pressed(.changes): emit(.open(.changes))
        case .pressed(.profile): emit(.open(.profile))
        case .pressed(.blocked): emit(.open(.blocked))
        case .pressed(.signIn): emit(.open(.signIn))
        case .pressed(.signOut): account.signOutTapped.accept(())
        case .pressed(.deleteAccount) where account.hasPassword: emit(.open(.accountDeletion))
        case .pressed(.deleteAccount): account.deleteAccountTapped.accept(())
        case .moved, .changed, .pressed: break
        case .ignored:
            guard key == .escape || key == .character("q") || key == .backspace else { return false }
            emit(.close(nil))
        }
        return true
    }

    func render(into grid: inout Grid, in rect: Rect) {
        update()
        form.render(into: &grid, in: rect.inset(columns: 2, rows: 1))
        dialog?.render(into: &grid, in: rect)
    }
}
