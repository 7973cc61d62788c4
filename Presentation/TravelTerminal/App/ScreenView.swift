/// The view of one screen: draws the state of its store, and turns keys into actions.
///
/// It exists as long as its screen is open, and binds each output of a view model once, when it is created.
@MainActor
protocol ScreenView: AnyObject {
    var title: String { get }
    /// The keys that have an effect now, the most important first.
    var keys: [KeyLine.Item] { get }
    /// Whether keys type text now, so that F1 shows the help instead of a question mark.
    var takesText: Bool { get }
    /// Whether leaving the app now would lose input of the user.
    var hasUnsavedChanges: Bool { get }

    /// Handles a key or pasted text; returns `false` if it has no effect here.
    func handle(_ event: InputEvent) -> Bool
    func render(into grid: inout Grid, in rect: Rect)
    func receive(_ result: ScreenResult)
}

extension ScreenView {
    var takesText: Bool { false }
    var hasUnsavedChanges: Bool { false }

    func receive(_ result: ScreenResult) {}
}

extension AppContext {
    /// An item of the line of keys: the name of a key, and its action in the current language.
    func item(_ key: String, _ text: Text) -> KeyLine.Item { .init(key, language[text]) }

    func dialogKeys(_ escape: Text) -> [KeyLine.Item] {
        [item("←→", .choose), item("↵", .open), item("Esc", escape)]
    }
}

extension AppRun.OpenModel {
    /// Creates the view of the screen.
    @MainActor
    func makeView(in context: AppContext, _ account: Account) -> any ScreenView {
        switch model {
        case .list(let store): HomeView(store, in: context)
        case .trip(let store): TimelineView(store, in: context)
        case .map(let store): MapView(store, in: context)
        case .tripEditor(let store): TripEditorView(store, in: context)
        case .entryEditor(let store): EntryEditorView(store, in: context)
        case .entry(let entry, let id): EntryView(entry, of: id, in: context, emit: emit)
        case .myPage(let page, let summary): MyPageView(page, summary, in: context, emit: emit)
        case .blocked(let blocked): BlockedView(blocked, in: context, emit: emit)
        case .changes(let changes): SyncView(changes, in: context, emit: emit)
        case .settings: SettingsView(account, in: context, emit: emit)
        case .profile(let profile):
            NicknameView(
                .profile, profile, nickname: account.user?.nickname.text, of: account.knownUser, in: context, emit: emit
            )
        case .signIn(let signIn): NicknameView(.signIn, signIn, nickname: "", in: context, emit: emit)
        case .signInWithPassword(let signIn): PasswordView(.signIn, signIn, in: context, emit: emit)
        case .signInAgain(let signIn):
            PasswordView(
                .signInAgain, signIn, nickname: account.user?.nickname.text ?? "", of: account.knownUser, in: context,
                emit: emit)
        case .accountDeletion(let accountDeletion):
            PasswordView(.accountDeletion, accountDeletion, in: context, emit: emit)
        }
    }
}
