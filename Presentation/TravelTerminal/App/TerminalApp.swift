/// The app without its terminal: receives keys, and draws frames.
///
/// It keeps a view for each open screen of its run.
@MainActor
final class TerminalApp {
    var changed: () -> Void {
        get { context.changed }
        set { context.changed = newValue }
    }
    /// Whether the user has left the app.
    private(set) var hasEnded = false

    private let run: AppRun
    /// The views of the open screens, in their order.
    private var views: [(id: AppRun.OpenModel.ID, view: any ScreenView)] = []
    private var toast: Toast?
    /// What the message offers to undo.
    private var deletion: UndoableDeletion?
    private var help: HelpSheet?
    /// Whether the last key was a Ctrl-C that only asked, because of unsaved changes.
    private var hasWarned = false
    private let bag = DisposeBag()
    private let toastTimer = SerialDisposable()
    @Dependency(\.date) private var date

    /// The time for which a message is visible.
    static let toastTime = RxTimeInterval.seconds(4)
    /// The same for one that offers to undo something.
    static let undoTime = RxTimeInterval.seconds(20)

    /// Creates an app with the open screens of ``openScreens``; with the list of trips for a text without any.
    init(_ useCases: ScreenUseCases, language: Language, restoring open: String = "") {
        run = AppRun(useCases, in: AppContext(language: language), restoring: open)
        toastTimer.disposed(by: bag)
        run.start { [weak self] in self?.follow($0) }
    }

    private var context: AppContext { run.context }

    /// The open screens as text, to restore them later.
    var openScreens: String { run.restorableText }

    func open(link: String) { run.open(link: link) }

    func close() {
        views = []
        run.close()
    }

    private func follow(_ change: AppRun.Change) {
        switch change {
        case .opened(let screen): views.append((screen.id, screen.makeView(in: context, run.account)))
        case .closed(let id): views.removeAll { $0.id == id }
        case .returned(let result, let id): views.first { $0.id == id }?.view.receive(result)
        case .notice(let notice): show(notice)
        case .ended: hasEnded = true
        }
        switch change {
        case .opened, .closed: help = nil
        case .returned, .notice, .ended: break
        }
        context.changed()
    }

    private func show(_ notice: Notice) {
        let isError = if case .failed = notice { true } else { false }
        let text = notice.text(in: context.language)
        guard let deletion = notice.deletion else { return show(Toast(text: text, isError: isError)) }
        let undo = context.item("z", .undo)
        show(Toast(text: "\(text)  \(undo.key) \(undo.action)"), for: Self.undoTime)
        self.deletion = deletion
    }

    private func show(_ toast: Toast, for time: RxTimeInterval = toastTime) {
        (self.toast, deletion) = (toast, nil)
        toastTimer.disposable = Driver.just(()).delay(time).drive(onNext: { [weak self] in
            self?.toast = nil
            self?.deletion = nil
            self?.context.changed()
        })
    }

    // MARK: Keys

    func handle(_ typed: InputEvent) {
        // Where nothing is typed, the letter of a key counts, and not what the Korean layout has on it.
        let event = views.last?.view.takesText == true ? typed : typed.withLatinLetter
        let deletion = deletion
        (toast, self.deletion) = (nil, nil)
        defer { context.changed() }
        if let deletion, event == .key(.character("z")), views.last?.view.takesText != true {
            return run.undo(deletion)
        }
        if event == .key(.control("c")) { return interrupt() }
        hasWarned = false
        if help != nil {
            if help?.handle(event) != true { help = nil }
        } else if asksForHelp(event) || views.last?.view.handle(event) != true {
            handleGlobally(event)
        }
    }

    /// Leaves the app; where a form has unsaved changes, only at the second Ctrl-C in succession.
    private func interrupt() {
        guard hasUnsavedChanges, !hasWarned else { return hasEnded = true }
        hasWarned = true
        show(Toast(text: context.language[.unsaved], isError: true))
    }

    private var hasUnsavedChanges: Bool { views.contains(where: \.view.hasUnsavedChanges) }

    /// Whether a key shows the help, and takes precedence over the keys of the screen.
    private func asksForHelp(_ event: InputEvent) -> Bool {
        event == .key(Key(.function(1))) || event == .key(.character("?")) && views.last?.view.takesText != true
    }

    private func handleGlobally(_ event: InputEvent) {
        guard case .key(let key) = event else { return }
        switch key {
        case .character("?"), Key(.function(1)): help = helpSheet(views.last?.view.keys ?? [])
        case .character("q"): run.back()
        // On the first screen these keys do not leave the app.
        case .escape, .backspace:
            if views.count > 1 { run.back() }
        default: break
        }
    }

    // MARK: Drawing

    func frame(_ size: Size) -> Grid {
        context.language = run.account.language.value
        var grid = Grid(size)
        var rect = grid.bounds
        let top = rect.takeTop(1)
        let bottom = rect.takeBottom(1)
        let view = views.last?.view
        view?.render(into: &grid, in: rect)
        renderTitle(view?.title ?? "", into: &grid, in: top)
        renderKeys(view?.keys ?? [], helpKey: view?.takesText == true ? "F1" : "?", into: &grid, in: bottom)
        toast?.render(into: &grid, in: rect.takeBottom(1))
        help?.render(into: &grid, in: grid.bounds)
        return grid
    }

    private func renderTitle(_ title: String, into grid: inout Grid, in line: Rect) {
        grid.fill(line, Styles.title)
        let account = run.account
        let name = account.user?.nickname.text ?? (account.isKnown ? context.language[.signIn] : "")
        let sync = account.sync.value.text(at: date.now).map { "\(context.language[$0])  " } ?? ""
        let user = " \((sync + name).truncated(toWidth: max(4, line.columns / (sync.isEmpty ? 3 : 2)))) "
        let room = line.columns - user.displayWidth
        grid.draw(" \(title) ".truncated(toWidth: room), in: line, Styles.title)
        if room > 8 { grid.draw(user, in: line, at: room, Styles.title) }
    }

    private func renderKeys(_ keys: [KeyLine.Item], helpKey: String, into grid: inout Grid, in line: Rect) {
        var line = line
        let help = context.item(helpKey, .help)
        let columns = help.key.displayWidth + help.action.displayWidth + 3
        let right = line.columns > columns + 12 ? line.takeRight(columns) : nil
        KeyLine(keys).render(into: &grid, in: line)
        if let right { KeyLine([help]).render(into: &grid, in: right) }
    }

    private func helpSheet(_ keys: [KeyLine.Item]) -> HelpSheet {
        HelpSheet(
            title: context.language[.help],
            items: keys.filter { $0.key != "Esc" && $0.key != "q" } + [
                context.item("q Esc", .back), context.item("Ctrl-L", .redraw), context.item("Ctrl-Z", .suspend),
                hasUnsavedChanges ? context.item("Ctrl-C", .quitUnsaved) : context.item("Ctrl-C", .quit),
            ])
    }
}
