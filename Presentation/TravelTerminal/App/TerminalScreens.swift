public import TravelPresentation

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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

extension TerminalScreens {
    /// Creates the use cases of all screens from the repositories of a store.
    ///
    /// - Parameters:
    ///   - store: The travels and the people.
    ///   - session: The stored session of the signed-in person.
    ///   - identity: The provider of accounts for signing in.
    ///   - recentKeywords: The keywords of the last searches.
    ///   - places: The directory of places.
    ///   - now: The clock.
    ///   - readImage: Reads an image at a path, with the time at which it was taken.
    ///   - saveLanguage: Saves the language for the next start.
    public init(
        store: any TravelStore, session: any SessionRepository, identity: any IdentityProvider,
        recentKeywords: any RecentKeywordRepository, places: any PlaceRepository, now: @escaping @Sendable () -> Date,
        readImage: @escaping @Sendable (String) async throws -> PickedImage,
        saveLanguage: @escaping @Sendable (Language) async throws -> Void
    ) {
        let useCases = ScreenUseCases(
            .init(
                store: store, session: session, identity: identity, recentKeywords: recentKeywords, places: places,
                readImage: readImage, now: now))
        self.init(
            session: useCases.session, home: useCases.home, timeline: useCases.timeline,
            travelEditor: useCases.travelEditor, entryEditor: useCases.entryEditor, myPage: useCases.myPage,
            profile: useCases.profile, signIn: useCases.signIn, blocked: useCases.blocked, saveLanguage: saveLanguage)
    }
}

/// The view of one screen: draws the state of its store, and turns keys into actions.
///
/// It binds each output of its store once, when it is created, and exists as long as its screen is open.
@MainActor
protocol ScreenView: AnyObject {
    /// The title for the first line of the terminal.
    var title: String { get }
    /// The keys that have an effect now, the most important first.
    var keys: [KeyLine.Item] { get }
    /// Whether keys type text now, so that F1 shows the help instead of a question mark.
    var takesText: Bool { get }
    /// Whether leaving the app now would lose input of the person.
    var hasUnsavedChanges: Bool { get }
    /// The input to continue after a restart, without white space; `nil` for none.
    var restorableText: String? { get }

    /// Handles a key or pasted text; returns `false` if it has no effect here.
    func handle(_ event: InputEvent) -> Bool
    /// Draws the screen into a part of the grid.
    func render(into grid: inout Grid, in rect: Rect)
    /// A screen above has closed with a result.
    func receive(_ result: ScreenResult)
    /// Ends the work of the screen, which is not shown again.
    func close()
}

extension ScreenView {
    var takesText: Bool { false }
    var hasUnsavedChanges: Bool { false }
    var restorableText: String? { nil }
}

/// The state that all views of an app share.
@MainActor
final class AppContext {
    /// The language of everything that is drawn.
    var language: Language
    /// Called after a change that the next frame must show.
    var changed: () -> Void = {}

    init(language: Language) {
        self.language = language
    }

    /// An item of the line of keys: the name of a key, and its action in the current language.
    func item(_ key: String, _ text: Text) -> KeyLine.Item { .init(key, language[text]) }
}

/// A store, and the state that it emitted last.
@MainActor
final class BoundStore<State: Sendable, Action: Sendable> {
    private(set) var state: State
    private let store: FlowStore<State, Action, ScreenEvent>
    private let bag = DisposeBag()

    /// Binds the two outputs of the store: a state causes a redraw, and an event is passed to `emit`.
    init(
        _ store: FlowStore<State, Action, ScreenEvent>, in context: AppContext,
        emit: @escaping @MainActor (ScreenEvent) -> Void
    ) {
        self.store = store
        state = store.currentState
        store.state.drive(onNext: { [weak self] state in
            self?.state = state
            context.changed()
        }).disposed(by: bag)
        store.events.emit(onNext: { emit($0) }).disposed(by: bag)
    }

    func send(_ action: Action) {
        store.send(action)
    }

    func dismiss() {
        store.dismiss()
    }
}

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
