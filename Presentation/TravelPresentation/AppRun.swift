/// A run of the app: the screens that are open, and the account that they share.
///
/// An edge starts it, makes a view of the model of each screen that opens, and shows the one on top:
///
/// ```swift
/// let run = AppRun(useCases, in: AppContext(language: .english))
/// run.start { [unowned run] change in
///     switch change {
///     case .opened(let screen): views[screen.id] = makeView(screen)
///     case .closed(let id): views[id] = nil
///     case .returned(let result, let id): views[id]?.receive(result)
///     case .notice(let notice): show(notice.text(in: run.context.language))
///     case .ended: quit()
///     }
/// }
/// run.back()
/// run.restorableText    // "traveline://home"
/// ```
///
/// Nothing happens before ``start(_:)``, and nothing after ``close()``.
@MainActor
public final class AppRun {
    /// An open screen.
    public struct OpenModel: Identifiable {
        /// The ID of this opening, from 1; the next one is larger.
        public let id: OpenScreens.OpenScreen.ID
        public let screen: Screen
        public let model: ScreenModel
        /// Passes an event of the screen on: for what a view emits itself.
        public let emit: @MainActor (ScreenEvent) -> Void
    }

    /// What an edge follows, in this order: screens close before others open.
    public enum Change {
        case opened(OpenModel)
        case closed(OpenModel.ID)
        /// A screen has closed with this result, for the one below.
        case returned(ScreenResult, to: OpenModel.ID)
        case notice(Notice)
        /// The user has left the app.
        case ended
    }

    public let context: AppContext
    public let account: Account
    /// The open screens, from the first to the one on top.
    public private(set) var screens: [OpenModel] = []

    private let useCases: ScreenUseCases
    private let coordinator: CoordinatorFlow.Store
    /// What brings deletions back; `nil` in an app that cannot.
    private let undoing: BoundStore<UndoFlow>?
    /// The files that were picked together, each time.
    private let filesPicked = PublishRelay<PickedFiles>()
    private let importsCancelled = PublishRelay<Void>()
    private let importing: Bound<[Text]>?
    /// The input of an earlier run, by its screen, until that is open.
    private var restoredInputs: [OpenModel.ID: String]
    private var bag = DisposeBag()

    /// - Parameters:
    ///   - useCases: What the app provides to its screens.
    ///   - context: The language to begin with, and what is called when a view must be drawn again.
    ///   - text: The ``restorableText`` of an earlier run; by default the list of trips opens.
    public init(_ useCases: ScreenUseCases, in context: AppContext, restoring text: String = "") {
        let coordinator = FlowStore(CoordinatorFlow(OpenScreens(text: text)))
        self.useCases = useCases
        self.context = context
        self.coordinator = coordinator
        restoredInputs = Self.inputs(in: text)
        // No screen has the ID 0: the account outlives them.
        account = Account(useCases, in: context, emit: { coordinator.send(.screen(0, $0)) })
        // What they open is above the screens, wherever it was asked for.
        let emit: @MainActor (ScreenEvent) -> Void = { event in
            if case .open(let screen) = event {
                coordinator.send(.opened(screen))
            } else {
                coordinator.send(.screen(0, event))
            }
        }
        undoing = useCases.undo.map { BoundStore(UndoFlow($0), in: context, emit: emit) }
        importing = useCases.importFiles.map { [filesPicked, importsCancelled, bag] importFiles in
            let output = FileImportViewModel(importFiles).transform(
                .init(filesPicked: filesPicked.asObservable(), cancelTapped: importsCancelled.asObservable()))
            output.events.emit(onNext: { emit($0) }).disposed(by: bag)
            return Bound(output.working, initially: [], in: context, bag)
        }
    }

    /// Opens the first screens, and calls `handle` with each change until ``close()``.
    public func start(_ handle: @escaping @MainActor (Change) -> Void) {
        coordinator.events.emit(onNext: { [account] event in
            switch event {
            case .returned(let result, let id):
                if case .renamed(let user) = result { account.renamed.accept(user) }
                handle(.returned(result, to: id))
            case .notice(let notice): handle(.notice(notice))
            case .quit: handle(.ended)
            }
        }).disposed(by: bag)
        coordinator.bind(account.knownUser.asObservable().map { .sessionChanged($0?.id) }).disposed(by: bag)
        coordinator.state.drive(onNext: { [weak self] in self?.show($0.screens, handle) }).disposed(by: bag)
    }

    private func show(_ open: OpenScreens, _ handle: @MainActor (Change) -> Void) {
        let ids = Set(open.stack.map(\.id))
        let closed = screens.filter { !ids.contains($0.id) }
        screens.removeAll { !ids.contains($0.id) }
        for screen in closed {
            screen.model.close()
            handle(.closed(screen.id))
        }
        for screen in open.stack where !screens.contains(where: { $0.id == screen.id }) {
            let emit: @MainActor (ScreenEvent) -> Void = { [weak self] event in
                self?.coordinator.send(.screen(screen.id, event))
            }
            let input = restoredInputs.removeValue(forKey: screen.id)
            let model = ScreenModel(
                screen.screen, useCases, of: account, restoring: input, in: context, emit: emit)
            let opened = OpenModel(id: screen.id, screen: screen.screen, model: model, emit: emit)
            screens.append(opened)
            handle(.opened(opened))
        }
        context.changed()
    }

    /// Opens a screen above the others; before one that needs a user, the form for signing in.
    public func open(_ screen: Screen) { coordinator.send(.opened(screen)) }

    /// Opens the screen of a link, such as `traveline://trip/ID`. A broken one causes a notice.
    public func open(link: String) { coordinator.send(.linkOpened(link)) }

    /// Closes the screen on top; leaves the app if it is the only one.
    public func back() { coordinator.send(.backTapped) }

    /// Brings back what a deletion has removed, once. A trip opens, and a notice says how it went.
    public func undo(_ deletion: UndoableDeletion) { undoing?.send(.undoTapped(deletion)) }

    /// Whether something that was deleted is being brought back.
    public var isUndoing: Bool { undoing?.state.working.isEmpty == false }

    /// Whether the app can import photos and tracks.
    public var canImportFiles: Bool { importing != nil }

    /// Imports photos and tracks, as one trip. A new trip opens, and a notice says how it went.
    public func importFiles(_ files: PickedFiles) { filesPicked.accept(files) }

    /// Cancels the imports that have not ended. What they have stored stays, which a notice says.
    public func cancelImports() { importsCancelled.accept(()) }

    /// The imports that have not ended, as messages call them.
    public var imports: [Text] { importing?.value ?? [] }

    /// Ends the work of all screens.
    public func close() {
        undoing?.dismiss()
        bag = DisposeBag()
        for screen in screens { screen.model.close() }
        screens = []
        account.close()
        coordinator.dismiss()
    }
}

// MARK: Restoring

extension AppRun {
    private static let inputMark = "input "

    /// The open screens as text, to restore them later: a line for each link, below it the input of that screen if
    /// there is any. Other versions skip the lines that they cannot read.
    public var restorableText: String {
        screens.map { open in
            open.screen.link + (open.model.restorableText.map { "\n\(Self.inputMark)\($0)" } ?? "")
        }.joined(separator: "\n")
    }

    /// The inputs in a restorable text, by the IDs that its screens get.
    private static func inputs(in text: String) -> [OpenModel.ID: String] {
        var (inputs, id) = ([OpenModel.ID: String](), 0)
        for line in text.split(whereSeparator: \.isNewline) {
            if Screen(link: line) != nil {
                id += 1
            } else if line.hasPrefix(inputMark) {
                inputs[id] = String(line.dropFirst(inputMark.count))
            }
        }
        return inputs
    }
}

// MARK: Screens

/// What an edge makes a view of: the store of a flow, or a view model that the view binds.
@MainActor
public enum ScreenModel {
    case list(BoundStore<HomeFlow>)
    case trip(BoundStore<TimelineFlow>)
    case map(BoundStore<TimelineFlow>)
    case tripEditor(BoundStore<TripEditorFlow>)
    case entryEditor(BoundStore<EntryEditorFlow>)
    case entry(EntryViewModel, of: TimelineEntry.ID)
    case myPage(MyPageViewModel, summary: TravelSummaryViewModel)
    case blocked(BlockedViewModel)
    case changes(SyncViewModel)
    case profile(NicknameViewModel)
    case signIn(NicknameViewModel)
    case signInWithPassword(PasswordViewModel)
    case signInAgain(PasswordViewModel)
    case accountDeletion(PasswordViewModel)
    /// The settings show the account of the run.
    case settings

    /// Creates the model of a screen, and starts the work of its flow. A screen that this app does not have, such as the
    /// changes of a device without a server, becomes the settings.
    init(
        _ screen: Screen, _ useCases: ScreenUseCases, of account: Account, restoring input: String?,
        in context: AppContext, emit: @escaping @MainActor (ScreenEvent) -> Void
    ) {
        let useCases = useCases.followingLink(to: screen.tripID)
        let user = account.users
        func bound<F: Flow>(_ flow: F) -> BoundStore<F> where F.Event == ScreenEvent {
            BoundStore(flow, in: context, emit: emit)
        }
        func list(_ scope: HomeFlow.Scope, _ criteria: TripCriteria = TripCriteria()) -> ScreenModel {
            .list(bound(HomeFlow(useCases, user: user, scope: scope, criteria: criteria)))
        }
        func timeline(_ trip: Trip.ID, _ day: Int) -> BoundStore<TimelineFlow> {
            bound(TimelineFlow(useCases, trip: trip, day: day, user: user))
        }
        let server = useCases.serverAccount
        self =
            switch screen {
            case .home: list(.all)
            case .search(let criteria): list(.all, criteria)
            case .myTrips: list(.mine)
            case .likedTrips: list(.liked)
            case .trip(let trip, let day): .trip(timeline(trip, day))
            case .map(let trip, let day): .map(timeline(trip, day))
            case .entry(let entry, let trip): .entry(useCases.entry(entry, in: trip, user: user), of: entry)
            case .newTrip:
                .tripEditor(bound(input.map { TripEditorFlow(useCases, restoring: $0) } ?? TripEditorFlow(useCases)))
            case .tripEditor(let id): .tripEditor(bound(TripEditorFlow(useCases, trip: id, restoring: input)))
            case .newEntry(let trip, let day):
                .entryEditor(bound(EntryEditorFlow(useCases, newEntryIn: trip, day: day, restoring: input)))
            case .entryEditor(let entry, let trip):
                .entryEditor(bound(EntryEditorFlow(useCases, entry: entry, in: trip, restoring: input)))
            case .myPage: .myPage(useCases.myPage(of: user), summary: useCases.travelSummary(of: user))
            case .blocked: .blocked(useCases.blocked)
            case .profile: .profile(useCases.profile)
            case .changes: useCases.synchronization.map { .changes(SyncViewModel($0)) } ?? .settings
            case .signIn: server.map { .signInWithPassword(.signIn($0.signIn)) } ?? .signIn(useCases.signIn)
            case .signInAgain: server.map { .signInAgain(.signIn($0.signIn)) } ?? .settings
            case .accountDeletion: server.map { .accountDeletion(.accountDeletion($0.deleteAccount)) } ?? .settings
            case .settings: .settings
            }
    }

    /// Ends the work of a flow. That of a view model ends when its view is released.
    func close() {
        switch self {
        case .list(let store): store.dismiss()
        case .trip(let store), .map(let store): store.dismiss()
        case .tripEditor(let store): store.dismiss()
        case .entryEditor(let store): store.dismiss()
        case .entry, .myPage, .blocked, .changes, .profile, .signIn, .signInWithPassword, .signInAgain,
            .accountDeletion,
            .settings:
            break
        }
    }

    /// The input to continue after a restart, without white space; `nil` for none.
    var restorableText: String? {
        switch self {
        case .tripEditor(let store): store.state.restorableText
        case .entryEditor(let store): store.state.form.restorableText
        default: nil
        }
    }
}

// MARK: Binding

/// The state that all views of an app share.
@MainActor
public final class AppContext {
    /// The language of everything that is drawn.
    public var language: Language
    /// Called after a change that the next frame must show.
    public var changed: () -> Void = {}

    public init(language: Language) {
        self.language = language
    }
}

/// The store of a flow, and the state that it emitted last.
@MainActor
public final class BoundStore<F: Flow> where F.Event == ScreenEvent {
    public private(set) var state: F.State
    private let store: F.Store
    private let bag = DisposeBag()

    /// Runs the flow, and binds its two outputs: a state causes a redraw, and an event is passed to `emit`.
    ///
    /// Everything is reduced on the main actor, so that the next key finds what the last one changed, also while data
    /// arrives.
    public init(_ flow: F, in context: AppContext, emit: @escaping @MainActor (ScreenEvent) -> Void) {
        store = FlowStore(flow, effectsOn: DriverSharingStrategy.scheduler)
        state = store.currentState
        store.state.drive(onNext: { [weak self] state in
            self?.state = state
            context.changed()
        }).disposed(by: bag)
        store.events.emit(onNext: { emit($0) }).disposed(by: bag)
    }

    public func send(_ action: F.Action) {
        store.send(action)
    }

    /// Ends the work of the flow.
    public func dismiss() {
        store.dismiss()
    }
}

/// The latest value of an output of a view model, bound once; each new value draws the screen again.
@MainActor
public final class Bound<Value: Sendable> {
    public private(set) var value: Value

    public init(_ output: Driver<Value>, initially value: Value, in context: AppContext, _ bag: DisposeBag) {
        self.value = value
        output.drive(onNext: { [weak self] value in
            self?.value = value
            context.changed()
        }).disposed(by: bag)
    }
}

/// The session and the language: their view models, bound once for all screens, and the streams that they receive.
@MainActor
public final class Account {
    public let signOutTapped = PublishRelay<Void>()
    public let deleteAccountTapped = PublishRelay<Void>()
    public let answered = PublishRelay<Bool>()
    public let renamed = PublishRelay<User>()
    public let languagePicked = PublishRelay<Language>()

    public let asksToDeleteAccount: Bound<Bool>
    public let isWorking: Bound<Bool>
    public let language: Bound<Language>
    /// What waits between this device and its server; always the same without one.
    public let sync: Bound<SyncStatus>
    public let hasServer: Bool
    /// Whether the account has a password on a server.
    public let hasPassword: Bool
    /// The signed-in user, as soon as that is known, and after each change.
    public let users: Observable<User?>
    /// The same, but nothing before the session could be read.
    public let knownUser: Driver<User?>
    private let session: Bound<User??>
    private var bag = DisposeBag()

    init(_ useCases: ScreenUseCases, in context: AppContext, emit: @escaping @MainActor (ScreenEvent) -> Void) {
        let account = useCases.account.transform(
            .init(
                signOutTapped: signOutTapped.asObservable(), deleteAccountTapped: deleteAccountTapped.asObservable(),
                answered: answered.asObservable(), renamed: renamed.asObservable()))
        let settings = SettingsViewModel(language: context.language, save: useCases.saveLanguage)
            .transform(.init(languagePicked: languagePicked.asObservable()))
        language = Bound(settings.language, initially: context.language, in: context, bag)
        settings.events.emit(onNext: { emit($0) }).disposed(by: bag)
        account.events.emit(onNext: { emit($0) }).disposed(by: bag)
        asksToDeleteAccount = Bound(account.asksToDeleteAccount, initially: false, in: context, bag)
        isWorking = Bound(account.isWorking, initially: false, in: context, bag)
        hasServer = useCases.synchronization != nil
        hasPassword = useCases.serverAccount != nil
        let status = useCases.synchronization?.watchedStatus ?? .empty()
        sync = Bound(status.asDriver(onErrorDriveWith: .empty()), initially: SyncStatus(), in: context, bag)
        users = account.user.asObservable()
        knownUser = account.knownUser
        self.session = Bound(account.user.map { .some($0) }, initially: nil, in: context, bag)
    }

    /// Ends the work of both.
    func close() {
        bag = DisposeBag()
    }

    /// The signed-in user; `nil` for nobody, and until that is known.
    public var user: User? { session.value ?? nil }
    public var isKnown: Bool { session.value != nil }
}
