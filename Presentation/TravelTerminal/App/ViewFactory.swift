/// Creates the views of screens; owns the stores that all screens share.
@MainActor
final class ViewFactory {
    let session: BoundStore<SessionFlow.State, SessionFlow.Action>
    let settings: BoundStore<SettingsFlow.State, SettingsFlow.Action>
    /// The signed-in person, as soon as that is known, and after each change.
    let person: Observable<User?>
    private let screens: TerminalScreens
    private let context: AppContext

    init(_ screens: TerminalScreens, in context: AppContext, emit: @escaping @MainActor (ScreenEvent) -> Void) {
        self.screens = screens
        self.context = context
        let sessionStore = FlowStore(SessionFlow(screens.session))
        person = SessionFlow.person(of: sessionStore)
        session = BoundStore(sessionStore, in: context, emit: emit)
        settings = BoundStore(
            FlowStore(SettingsFlow(language: context.language, save: screens.saveLanguage)), in: context, emit: emit)
    }

    /// Ends the work of the shared stores.
    func close() {
        session.dismiss()
        settings.dismiss()
    }

    /// Creates the view of a screen, which starts its work; `input` is the ``ScreenView/restorableText`` with which an
    /// earlier run of the app ended.
    func view(
        of screen: Screen, restoring input: String? = nil, emit: @escaping @MainActor (ScreenEvent) -> Void
    ) -> any ScreenView {
        let me = session.state.person
        switch screen {
        case .home: return list(.home, TravelCriteria(), emit)
        case .search(let criteria): return list(.home, criteria, emit)
        case .myTravels: return list(.mine, TravelCriteria(), emit)
        case .likedTravels: return list(.liked, TravelCriteria(), emit)
        case .travel(let travel, let day): return TimelineView(timeline(travel, day, emit), in: context)
        case .map(let travel, let day): return MapView(timeline(travel, day, emit), in: context)
        case .entry(let entry, let travel):
            let flow = TimelineFlow(screens.timeline, entry: entry, in: travel, person: person)
            return EntryView(BoundStore(FlowStore(flow), in: context, emit: emit), in: context)
        case .myPage:
            return MyPageView(MyPageViewModel(screens.myPage, person: person), in: context, emit: emit)
        case .settings: return SettingsView(settings, session: session, in: context, emit: emit)
        case .profile:
            return NicknameView(
                .profile, screens.profile, nickname: me?.nickname.text ?? "", in: context, emit: emit)
        case .signIn: return NicknameView(.signIn, screens.signIn, nickname: "", in: context, emit: emit)
        case .blocked:
            return BlockedView(BoundStore(FlowStore(screens.blocked), in: context, emit: emit), in: context)
        case .newTravel:
            let flow =
                input.map { TravelEditorFlow(screens.travelEditor, restoring: $0) }
                ?? TravelEditorFlow(screens.travelEditor)
            return travelEditor(flow, isNew: true, emit)
        case .travelEditor(let id):
            return travelEditor(TravelEditorFlow(screens.travelEditor, travel: id), isNew: false, emit)
        case .newEntry(let travel, let day):
            return entryEditor(EntryEditorFlow(screens.entryEditor, newEntryIn: travel, day: day), emit)
        case .entryEditor(let entry, let travel):
            return entryEditor(EntryEditorFlow(screens.entryEditor, entry: entry, in: travel), emit)
        }
    }

    private func list(
        _ kind: HomeView.Kind, _ criteria: TravelCriteria, _ emit: @escaping @MainActor (ScreenEvent) -> Void
    ) -> HomeView {
        let scope: HomeFlow.Scope =
            switch kind {
            case .home: .all
            case .mine: .mine
            case .liked: .liked
            }
        let store = FlowStore(HomeFlow(screens.home, person: person, scope: scope, criteria: criteria))
        return HomeView(kind, BoundStore(store, in: context, emit: emit), in: context)
    }

    private func travelEditor(
        _ flow: TravelEditorFlow, isNew: Bool, _ emit: @escaping @MainActor (ScreenEvent) -> Void
    ) -> TravelEditorView {
        TravelEditorView(BoundStore(FlowStore(flow), in: context, emit: emit), isNew: isNew, in: context)
    }

    private func entryEditor(
        _ flow: EntryEditorFlow, _ emit: @escaping @MainActor (ScreenEvent) -> Void
    ) -> EntryEditorView {
        EntryEditorView(BoundStore(FlowStore(flow), in: context, emit: emit), in: context)
    }

    private func timeline(
        _ travel: Travel.ID, _ day: Int, _ emit: @escaping @MainActor (ScreenEvent) -> Void
    ) -> BoundStore<TimelineFlow.State, TimelineFlow.Action> {
        let flow = TimelineFlow(screens.timeline, travel: travel, day: day, person: person)
        return BoundStore(FlowStore(flow), in: context, emit: emit)
    }
}
