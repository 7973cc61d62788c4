/// The app without its terminal: receives keys, and draws frames.
///
/// The coordinator decides which screens are open; the app keeps a view for each of them.
@MainActor
final class TerminalApp {
    var changed: () -> Void {
        get { context.changed }
        set { context.changed = newValue }
    }
    /// Whether the user has left the app.
    private(set) var hasEnded = false

    private let context: AppContext
    private let factory: ViewFactory
    private let coordinator: FlowStore<CoordinatorFlow.State, CoordinatorFlow.Action, CoordinatorFlow.Event>
    private var views: [(id: OpenScreens.OpenScreen.ID, view: any ScreenView)] = []
    /// The input of an earlier run, by its screen, until that is shown.
    private var restoredInputs: [OpenScreens.OpenScreen.ID: String] = [:]
    private var toast: Toast?
    private var help: HelpSheet?
    /// Whether the last key was a Ctrl-C that only asked, because of unsaved changes.
    private var hasWarned = false
    private let bag = DisposeBag()
    private let toastTimer = SerialDisposable()
    @Dependency(\.date) private var date

    /// The time for which a message is visible.
    static let toastTime = RxTimeInterval.seconds(4)

    /// Creates an app with the open screens of ``openScreens``; with the list of trips for a text without any.
    init(_ useCases: ScreenUseCases, language: Language, restoring open: String = "") {
        let context = AppContext(language: language)
        let coordinator = FlowStore(CoordinatorFlow(OpenScreens(text: open)))
        restoredInputs = Self.inputs(in: open)
        self.context = context
        self.coordinator = coordinator
        // No screen dismisses the stores that all screens share.
        factory = ViewFactory(useCases, in: context, emit: { coordinator.send(.screen(0, $0)) })
        toastTimer.disposed(by: bag)
        coordinator.events.emit(onNext: { [weak self] in self?.handle($0) }).disposed(by: bag)
        coordinator.bind(factory.account.knownUser.asObservable().map { .sessionChanged($0?.id) }).disposed(by: bag)
        coordinator.state.drive(onNext: { [weak self] in self?.show($0.screens) }).disposed(by: bag)
    }

    /// The open screens as text, to restore them later: a line for each link, below it the input of that screen if
    /// there is any. Other versions skip the lines that they cannot read.
    var openScreens: String {
        coordinator.currentState.screens.stack.map { open in
            let input = views.first { $0.id == open.id }?.view.restorableText
            return open.screen.link + (input.map { "\n\(Self.inputMark)\($0)" } ?? "")
        }.joined(separator: "\n")
    }

    private static let inputMark = "input "

    /// The inputs in a text of ``openScreens``, by the IDs that its screens get.
    private static func inputs(in text: String) -> [OpenScreens.OpenScreen.ID: String] {
        var (inputs, id) = ([OpenScreens.OpenScreen.ID: String](), 0)
        for line in text.split(whereSeparator: \.isNewline) {
            if Screen(link: line) != nil {
                id += 1
            } else if line.hasPrefix(inputMark) {
                inputs[id] = String(line.dropFirst(inputMark.count))
            }
        }
        return inputs
    }

    func open(link: String) {
        coordinator.send(.linkOpened(link))
    }

    func close() {
        for view in views { view.view.close() }
        views = []
        factory.close()
        coordinator.dismiss()
    }

    private func show(_ open: OpenScreens) {
        let ids = Set(open.stack.map(\.id))
        for view in views where !ids.contains(view.id) { view.view.close() }
        views.removeAll { !ids.contains($0.id) }
        for screen in open.stack where !views.contains(where: { $0.id == screen.id }) {
            let emit: @MainActor (ScreenEvent) -> Void = { [weak self] event in
                self?.coordinator.send(.screen(screen.id, event))
            }
            let input = restoredInputs.removeValue(forKey: screen.id)
            views.append((screen.id, factory.view(of: screen.screen, restoring: input, emit: emit)))
        }
        help = nil
        context.changed()
    }

    private func handle(_ event: CoordinatorFlow.Event) {
        switch event {
        case .returned(let result, let id):
            if case .renamed(let user) = result { factory.account.renamed.accept(user) }
            views.first { $0.id == id }?.view.receive(result)
        case .notice(let notice): show(notice)
        case .quit: hasEnded = true
        }
        context.changed()
    }

    private func show(_ notice: Notice) {
        let isError = if case .failed = notice { true } else { false }
        show(Toast(text: notice.text(in: context.language), isError: isError))
    }

    private func show(_ toast: Toast) {
        self.toast = toast
        toastTimer.disposable = Driver.just(()).delay(Self.toastTime).drive(onNext: { [weak self] in
            self?.toast = nil
            self?.context.changed()
        })
    }

    // MARK: Keys

    func handle(_ event: InputEvent) {
        toast = nil
        defer { context.changed() }
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
        case .character("q"): coordinator.send(.backTapped)
        // On the first screen these keys do not leave the app.
        case .escape, .backspace:
            if coordinator.currentState.screens.stack.count > 1 { coordinator.send(.backTapped) }
        default: break
        }
    }

    // MARK: Drawing

    func frame(_ size: Size) -> Grid {
        context.language = factory.account.language.value
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
        let account = factory.account
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
