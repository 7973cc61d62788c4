/// The view of one screen: draws what its store shows, and turns keys into actions.
///
/// It binds each output of its store once, when it is made, and lives as long as its screen is open.
@MainActor
protocol ScreenView: AnyObject {
    /// The title for the first line of the terminal.
    var title: String { get }
    /// What the keys do now, the most important first.
    var keys: [KeyLine.Item] { get }
    /// Whether keys type text now, so that F1 shows the help, and not a question mark.
    var takesText: Bool { get }
    /// Whether leaving the app now would lose what the person has typed.
    var hasUnsavedChanges: Bool { get }

    /// Handles a key or pasted text; false if it means nothing here.
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
}

/// What the views of an app share.
@MainActor
final class AppContext {
    /// The language of everything that is drawn.
    var language: Language
    /// Called when something has changed that is drawn.
    var changed: () -> Void = {}

    init(language: Language) {
        self.language = language
    }

    /// A line of keys: names, and texts in the language.
    func item(_ key: String, _ text: Text) -> KeyLine.Item { .init(key, language[text]) }
    func item(_ key: String, _ action: ActionName) -> KeyLine.Item { .init(key, action.text(in: language)) }
}

/// A store with the state that it showed last, bound once.
@MainActor
final class BoundStore<State: Sendable, Action: Sendable> {
    private(set) var state: State
    private let store: FlowStore<State, Action, ScreenEvent>
    private let bag = DisposeBag()

    /// Binds the two outputs of the store: each state is drawn, and each event passed on.
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
