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
    func item(_ key: String, _ action: ActionName) -> KeyLine.Item { .init(key, action.text(in: language)) }
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
