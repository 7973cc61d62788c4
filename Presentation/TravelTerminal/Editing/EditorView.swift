/// The view of an editor: a form with its keys, its image row and the dialogs over it.
///
/// An editor provides the rows of its form (`update`), and sends an action for each change (`apply`).
@MainActor
protocol EditorView: ScreenView {
    associatedtype Row: Hashable & Sendable
    associatedtype State: EditorState
    associatedtype Action: EditorAction

    /// The row in which the path of an image is typed.
    static var imageRow: Row { get }

    var context: AppContext { get }
    var store: BoundStore<State, Action> { get }
    var form: Form<Row> { get set }
    var overlay: EditorOverlay { get set }
    /// The typed path of an image, until the image is picked.
    var imagePath: String { get set }

    /// Builds the rows of the form from the current state; the focused row keeps the focus.
    func update()
    /// Sends the actions for the change that a key made in the form, and returns whether the key had an effect.
    func apply(_ outcome: Form<Row>.Outcome, leaving focus: Row?) -> Bool
    /// Handles Enter in a row in which the form itself does not; returns `false` if the form handles it.
    func moveOn(from row: Row?) -> Bool
}

/// The part of a state that every editor has.
protocol EditorState: Equatable, Sendable {
    associatedtype Field: Hashable & Sendable
    var status: EditorStatus<Field> { get }
    var hasChanges: Bool { get }
    /// Both versions of a conflict, line by line; `nil` without a conflict, empty if the stored version was deleted.
    func conflictLines(in language: Language) -> [VersionLine]?
}

/// The actions that every editor has. The cases of its enumeration implement them.
protocol EditorAction: Equatable, Sendable {
    static var appeared: Self { get }
    static var retryTapped: Self { get }
    static var saveTapped: Self { get }
    static var backTapped: Self { get }
    static var keepMineTapped: Self { get }
    static var takeTheirsTapped: Self { get }
    static var conflictClosed: Self { get }
    static func discardAnswered(_ isYes: Bool) -> Self
    static func imagePicked(_ path: String) -> Self
}

extension TravelEditorFlow.Action: EditorAction {}
extension EntryEditorFlow.Action: EditorAction {}

extension TravelEditorFlow.State: EditorState {
    func conflictLines(in language: Language) -> [VersionLine]? { conflict?.lines(in: language) }
}

extension EntryEditorFlow.State: EditorState {
    func conflictLines(in language: Language) -> [VersionLine]? {
        conflict.map { $0.theirs == nil ? [] : $0.lines(in: language) }
    }
}

extension EditorView {
    var takesText: Bool { !overlay.isShown }
    var hasUnsavedChanges: Bool { store.state.hasChanges || !imagePath.isEmpty }

    func receive(_ result: ScreenResult) {}
    func close() { store.dismiss() }

    /// Builds the form and the overlay of the current state.
    private func follow() {
        let state = store.state
        overlay.follow(
            asksToDiscard: state.status.asksToDiscard, hasConflict: state.conflictLines(in: context.language) != nil)
        update()
    }

    func pickImage() {
        store.send(.imagePicked(imagePath))
        imagePath = ""
    }

    // MARK: Keys

    /// The keys that have an effect now; those in `form` while the form can be edited.
    func keys(_ form: [KeyLine.Item]) -> [KeyLine.Item] {
        if overlay.isShown { return overlay.keys }
        if case .failed(let failure) = store.state.status.phase {
            return (failure.canRetry ? [context.item("r", .retry)] : []) + [context.item("Esc", .back)]
        }
        return form
    }

    func handle(_ event: InputEvent) -> Bool {
        follow()
        if overlay.isShown {
            switch overlay.handle(event) {
            case .discard(let isYes): store.send(.discardAnswered(isYes))
            case .keepMine: store.send(.keepMineTapped)
            case .takeTheirs: store.send(.takeTheirsTapped)
            case .closeConflict: store.send(.conflictClosed)
            case nil: break
            }
            return true
        }
        if case .failed = store.state.status.phase, event == .key(.character("r")) {
            store.send(.retryTapped)
            return true
        }
        let focus = form.focus
        switch event {
        case .key(.escape): store.send(.backTapped)
        case .key(.control("s")):
            // The form is saved once the photo has been read.
            if !imagePath.isEmpty { pickImage() }
            store.send(.saveTapped)
        case .key(.enter) where focus == Self.imageRow && !imagePath.isEmpty: pickImage()
        case .key(.enter) where moveOn(from: focus): break
        case .paste(let text): return apply(form.paste(text), leaving: focus)
        case .key(let key):
            let outcome = form.handle(key)
            if outcome == .ignored && key == .character("?") { return false }
            return apply(outcome, leaving: focus)
        }
        return true
    }

    // MARK: Drawing

    func render(into grid: inout Grid, in rect: Rect) {
        follow()
        switch store.state.status.phase {
        case .loading: grid.draw(context.language[.loading], in: rect.inset(columns: 2, rows: 1), Styles.dim)
        case .failed(let failure):
            grid.draw(failure.message(in: context.language).text, in: rect.inset(columns: 2, rows: 1), Styles.error)
        case .editing, .saving:
            form.render(into: &grid, in: rect.inset(columns: 1), isFocused: !overlay.isShown)
        }
        overlay.render(store.state.conflictLines(in: context.language) ?? [], into: &grid, in: rect)
    }
}
