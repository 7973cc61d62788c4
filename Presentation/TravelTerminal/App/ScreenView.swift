/// The view of one screen: draws the state of its store, and turns keys into actions.
///
/// It binds each output of its store once, when it is created, and exists as long as its screen is open.
@MainActor
protocol ScreenView: AnyObject {
    var title: String { get }
    /// The keys that have an effect now, the most important first.
    var keys: [KeyLine.Item] { get }
    /// Whether keys type text now, so that F1 shows the help instead of a question mark.
    var takesText: Bool { get }
    /// Whether leaving the app now would lose input of the user.
    var hasUnsavedChanges: Bool { get }
    /// The input to continue after a restart, without white space; `nil` for none.
    var restorableText: String? { get }

    /// Handles a key or pasted text; returns `false` if it has no effect here.
    func handle(_ event: InputEvent) -> Bool
    func render(into grid: inout Grid, in rect: Rect)
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

/// Creates the views of screens; owns the account that they share.
@MainActor
final class ViewFactory {
    let account: Account
    private let useCases: ScreenUseCases
    private let context: AppContext

    init(_ useCases: ScreenUseCases, in context: AppContext, emit: @escaping @MainActor (ScreenEvent) -> Void) {
        self.useCases = useCases
        self.context = context
        account = Account(useCases, in: context, emit: emit)
    }

    func close() {
        account.close()
    }

    /// Creates the view of a screen, which starts its work; `input` is the ``ScreenView/restorableText`` with which an
    /// earlier run of the app ended.
    func view(
        of screen: Screen, restoring input: String? = nil, emit: @escaping @MainActor (ScreenEvent) -> Void
    ) -> any ScreenView {
        let person = account.person
        switch screen {
        case .home: return list(.home, TravelCriteria(), emit)
        case .search(let criteria): return list(.home, criteria, emit)
        case .myTravels: return list(.mine, TravelCriteria(), emit)
        case .likedTravels: return list(.liked, TravelCriteria(), emit)
        case .travel(let travel, let day): return TimelineView(timeline(travel, day, emit), in: context)
        case .map(let travel, let day): return MapView(timeline(travel, day, emit), in: context)
        case .entry(let entry, let travel):
            return EntryView(
                useCases.entry(entry, in: travel, user: person), of: entry, in: context, emit: emit)
        case .myPage:
            return MyPageView(MyPageViewModel(useCases.myPage, person: person), in: context, emit: emit)
        case .settings: return SettingsView(account, in: context, emit: emit)
        case .changes:
            guard let synchronization = useCases.synchronization else {
                return SettingsView(account, in: context, emit: emit)
            }
            return SyncView(SyncViewModel(synchronization), in: context, emit: emit)
        case .profile:
            return NicknameView(
                .profile, useCases.profile, nickname: account.user?.nickname.text ?? "", in: context, emit: emit)
        case .signIn: return NicknameView(.signIn, useCases.signIn, nickname: "", in: context, emit: emit)
        case .blocked:
            return BlockedView(useCases.blocked, in: context, emit: emit)
        case .newTravel:
            let flow =
                input.map { TravelEditorFlow(useCases, restoring: $0) } ?? TravelEditorFlow(useCases)
            return travelEditor(flow, isNew: true, emit)
        case .travelEditor(let id):
            return travelEditor(TravelEditorFlow(useCases, travel: id), isNew: false, emit)
        case .newEntry(let travel, let day):
            return entryEditor(EntryEditorFlow(useCases, newEntryIn: travel, day: day), emit)
        case .entryEditor(let entry, let travel):
            return entryEditor(EntryEditorFlow(useCases, entry: entry, in: travel), emit)
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
        let store = FlowStore(HomeFlow(useCases, person: account.person, scope: scope, criteria: criteria))
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
        let flow = TimelineFlow(useCases, travel: travel, day: day, person: account.person)
        return BoundStore(FlowStore(flow), in: context, emit: emit)
    }
}
