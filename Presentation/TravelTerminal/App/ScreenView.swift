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

    func receive(_ result: ScreenResult) {}
    func close() {}
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

    func dialogKeys(_ escape: Text) -> [KeyLine.Item] {
        [item("←→", .choose), item("↵", .open), item("Esc", escape)]
    }
}

/// The store of a flow, and the state that it emitted last.
@MainActor
final class BoundStore<F: Flow> where F.Event == ScreenEvent {
    private(set) var state: F.State
    private let store: F.Store
    private let bag = DisposeBag()

    /// Runs the flow, and binds its two outputs: a state causes a redraw, and an event is passed to `emit`.
    ///
    /// Everything is reduced on the main actor, so that the next key finds what the last one changed, also while data
    /// arrives.
    init(_ flow: F, in context: AppContext, emit: @escaping @MainActor (ScreenEvent) -> Void) {
        store = FlowStore(flow, effectsOn: DriverSharingStrategy.scheduler)
        state = store.currentState
        store.state.drive(onNext: { [weak self] state in
            self?.state = state
            context.changed()
        }).disposed(by: bag)
        store.events.emit(onNext: { emit($0) }).disposed(by: bag)
    }

    func send(_ action: F.Action) {
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
        let user = account.users
        func bound<F: Flow>(_ flow: F) -> BoundStore<F> where F.Event == ScreenEvent {
            BoundStore(flow, in: context, emit: emit)
        }
        func list(_ scope: HomeFlow.Scope, _ criteria: TripCriteria = TripCriteria()) -> HomeView {
            HomeView(bound(HomeFlow(useCases, user: user, scope: scope, criteria: criteria)), in: context)
        }
        func timeline(_ trip: Trip.ID, _ day: Int) -> BoundStore<TimelineFlow> {
            bound(TimelineFlow(useCases, trip: trip, day: day, user: user))
        }
        var settings: SettingsView { SettingsView(account, in: context, emit: emit) }
        switch screen {
        case .home: return list(.all)
        case .search(let criteria): return list(.all, criteria)
        case .myTrips: return list(.mine)
        case .likedTrips: return list(.liked)
        case .trip(let trip, let day): return TimelineView(timeline(trip, day), in: context)
        case .map(let trip, let day): return MapView(timeline(trip, day), in: context)
        case .entry(let entry, let trip):
            return EntryView(useCases.entry(entry, in: trip, user: user), of: entry, in: context, emit: emit)
        case .myPage: return MyPageView(useCases.myPage(of: user), in: context, emit: emit)
        case .settings: return settings
        case .changes:
            guard let synchronization = useCases.synchronization else { return settings }
            return SyncView(SyncViewModel(synchronization), in: context, emit: emit)
        case .profile:
            return NicknameView(
                .profile, useCases.profile, nickname: account.user?.nickname.text, of: account.knownUser, in: context,
                emit: emit)
        case .signIn:
            guard let account = useCases.serverAccount else {
                return NicknameView(.signIn, useCases.signIn, nickname: "", in: context, emit: emit)
            }
            return PasswordView(.signIn, .signIn(account.signIn), in: context, emit: emit)
        case .signInAgain:
            guard let account = useCases.serverAccount else { return settings }
            return PasswordView(
                .signInAgain, .signIn(account.signIn), nickname: self.account.user?.nickname.text ?? "",
                of: self.account.knownUser, in: context, emit: emit)
        case .withdrawal:
            guard let account = useCases.serverAccount else { return settings }
            return PasswordView(.withdrawal, .withdrawal(account.withdraw), in: context, emit: emit)
        case .blocked: return BlockedView(useCases.blocked, in: context, emit: emit)
        case .newTrip:
            let flow = input.map { TripEditorFlow(useCases, restoring: $0) } ?? TripEditorFlow(useCases)
            return TripEditorView(bound(flow), in: context)
        case .tripEditor(let id): return TripEditorView(bound(TripEditorFlow(useCases, trip: id)), in: context)
        case .newEntry(let trip, let day):
            return EntryEditorView(bound(EntryEditorFlow(useCases, newEntryIn: trip, day: day)), in: context)
        case .entryEditor(let entry, let trip):
            return EntryEditorView(bound(EntryEditorFlow(useCases, entry: entry, in: trip)), in: context)
        }
    }
}
