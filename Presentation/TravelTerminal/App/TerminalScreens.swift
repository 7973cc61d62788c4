public import TravelPresentation

/// The use cases of the screens, which the composition root creates.
///
/// ```swift
/// let useCases = ScreenUseCases(ports)
/// let screens = TerminalScreens(
///     session: useCases.session, home: useCases.home, timeline: useCases.timeline,
///     travelEditor: useCases.travelEditor, entryEditor: useCases.entryEditor, myPage: useCases.myPage,
///     profile: useCases.profile, signIn: useCases.signIn, blocked: useCases.blocked,
///     saveLanguage: { language in try save(language) })
/// ```
public struct TerminalScreens: Sendable {
    /// The use cases of the session of the app.
    public var session: SessionFlow.UseCases
    /// The use cases of the lists of travels.
    public var home: HomeFlow.UseCases
    /// The use cases of one travel, its entries and its map.
    public var timeline: TimelineFlow.UseCases
    /// The use cases of the editor of a travel.
    public var travelEditor: TravelEditorFlow.UseCases
    /// The use cases of the editor of an entry.
    public var entryEditor: EntryEditorFlow.UseCases
    /// The use cases of the page of the person.
    public var myPage: MyPageViewModel.UseCases
    /// The form in which a person changes their nickname.
    public var profile: NicknameViewModel
    /// The form in which a newcomer chooses a nickname.
    public var signIn: NicknameViewModel
    /// The flow of the list of blocked authors.
    public var blocked: BlockedFlow
    /// Saves the language for the next start; an error is shown as a notice.
    public var saveLanguage: @Sendable (Language) async throws -> Void

    /// Creates the use cases of all screens.
    public init(
        session: SessionFlow.UseCases, home: HomeFlow.UseCases, timeline: TimelineFlow.UseCases,
        travelEditor: TravelEditorFlow.UseCases, entryEditor: EntryEditorFlow.UseCases,
        myPage: MyPageViewModel.UseCases, profile: NicknameViewModel, signIn: NicknameViewModel, blocked: BlockedFlow,
        saveLanguage: @escaping @Sendable (Language) async throws -> Void
    ) {
        self.session = session
        self.home = home
        self.timeline = timeline
        self.travelEditor = travelEditor
        self.entryEditor = entryEditor
        self.myPage = myPage
        self.profile = profile
        self.signIn = signIn
        self.blocked = blocked
        self.saveLanguage = saveLanguage
    }
}
