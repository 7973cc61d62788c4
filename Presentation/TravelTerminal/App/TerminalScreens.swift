public import TravelPresentation

/// What the screens of the app ask of the domain: made by the composition root.
public struct TerminalScreens: Sendable {
    /// For the session of the app.
    public var session: SessionFlow.UseCases
    /// For the list of travels.
    public var home: HomeFlow.UseCases
    /// For one travel, its entries and its map.
    public var timeline: TimelineFlow.UseCases
    /// For the editor of a travel.
    public var travelEditor: TravelEditorFlow.UseCases
    /// For the editor of an entry.
    public var entryEditor: EntryEditorFlow.UseCases
    /// For the page of the person.
    public var myPage: MyPageViewModel.UseCases
    /// The form of the profile.
    public var profile: NicknameViewModel
    /// The form for signing in.
    public var signIn: NicknameViewModel
    /// The blocked authors.
    public var blocked: BlockedFlow
    /// Saves the language for the next start.
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
