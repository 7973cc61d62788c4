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

/// The dialog over the form of an editor: whether to discard the changes, or which version of a conflict to keep.
@MainActor
struct EditorOverlay {
    enum Decision: Hashable {
        case discard(Bool)
        case keepMine, takeTheirs, closeConflict
    }

    private let context: AppContext
    private var discard: Dialog?
    private var conflict: Dialog?

    init(_ context: AppContext) {
        self.context = context
    }

    /// Opens and closes the dialogs as the state of the editor requires; call it before the other methods.
    mutating func follow(asksToDiscard: Bool, hasConflict: Bool) {
        let language = context.language
        if !asksToDiscard {
            discard = nil
        } else if discard == nil {
            discard = Dialog(
                title: language[.discard], message: language[.discardQuestion],
                buttons: [language[.keepEditing], language[.discard]])
        }
        if !hasConflict {
            conflict = nil
        } else if conflict == nil {
            conflict = Dialog(
                title: language[.conflictTitle], message: "", buttons: [language[.keepMine], language[.takeTheirs]])
        }
    }

    var isShown: Bool { discard != nil || conflict != nil }

    var keys: [KeyLine.Item] {
        [context.item("←→", .choose), context.item("↵", .open), context.item("Esc", .close)]
    }

    /// Consumes every key; returns the decision that the key makes, if any.
    mutating func handle(_ event: InputEvent) -> Decision? {
        guard case .key(let key) = event else { return nil }
        if discard != nil {
            switch discard?.handle(key) {
            case .chosen(let index): return .discard(index == 1)
            case .cancelled: return .discard(false)
            case .pending, nil: return nil
            }
        }
        switch conflict?.handle(key) {
        case .chosen(let index): return index == 0 ? .keepMine : .takeTheirs
        case .cancelled: return .closeConflict
        case .pending, nil: return nil
        }
    }

    /// Draws the open dialog over the form.
    ///
    /// - Parameter lines: Both versions of a conflict; empty if the stored one was deleted.
    func render(_ lines: [VersionLine], into grid: inout Grid, in rect: Rect) {
        if let conflict { renderConflict(conflict, lines, into: &grid, in: rect) }
        discard?.render(into: &grid, in: rect)
    }

    private func renderConflict(_ dialog: Dialog, _ lines: [VersionLine], into grid: inout Grid, in rect: Rect) {
        let language = context.language
        let differing = lines.filter(\.differs)
        let box = rect.centered(columns: min(rect.columns, 76), rows: max(2, differing.count) + 6)
        Frame(title: dialog.title).render(into: &grid, in: box)
        var area = box.inset(columns: 2, rows: 1)
        let labels = min((differing.map(\.label.displayWidth).max() ?? 0) + 2, area.columns / 3)
        let half = max(1, (area.columns - labels) / 2)
        if lines.isEmpty {
            grid.draw(language[.entryWasDeleted], in: area.takeTop(1))
        } else {
            let line = area.takeTop(1)
            grid.draw(language[.mine].truncated(toWidth: half - 1), in: line, at: labels, Styles.heading)
            grid.draw(language[.theirs].truncated(toWidth: half - 1), in: line, at: labels + half, Styles.heading)
        }
        let buttons = area.takeBottom(1)
        for version in differing {
            let line = area.takeTop(1)
            grid.draw(version.label.truncated(toWidth: max(0, labels - 1)), in: line, Styles.dim)
            grid.draw(version.mine.onOneLine.truncated(toWidth: half - 1), in: line, at: labels)
            grid.draw(version.theirs.onOneLine.truncated(toWidth: half - 1), in: line, at: labels + half)
        }
        var offset = 0
        for (index, title) in dialog.buttons.enumerated() {
            offset += Button(title).render(into: &grid, in: buttons, at: offset, isFocused: index == dialog.current) + 1
        }
        grid.cursor = nil
    }
}

extension Form {
    /// A row for a text field that keeps its cursor while its text does not change.
    func textRow(_ id: ID, _ label: String, _ text: String, placeholder: String = "", message: String? = nil) -> Row {
        var field = if case .text(let old) = self[id] { old } else { TextField(text) }
        field.set(text)
        field.placeholder = placeholder
        return Row(id, label, .text(field), message: message)
    }

    func chipRow(_ id: ID, _ label: String, _ chips: [ChipRow.Chip], message: String? = nil) -> Row {
        var chipRow = ChipRow(chips)
        if case .chips(let old) = self[id] {
            chipRow.focus(old.current)
        } else if let chosen = chips.firstIndex(where: \.isOn) {
            chipRow.focus(chosen)
        }
        return Row(id, label, .chips(chipRow), message: message)
    }

    /// The row of an image: a button that removes it, or a field for the path of one.
    func imageRow(
        _ id: ID, remove: ID, _ image: DraftImage?, path: String, isReading: Bool, message: String?,
        in language: Language
    ) -> Row {
        guard image == nil else {
            return Row(
                remove, language[.image], .button(Button("▣ \(language[.removeImage])")), message: message)
        }
        return textRow(
            id, language[.image], path, placeholder: language[isReading ? .loading : .imagePath], message: message)
    }

    func saveRow(_ id: ID, isSaving: Bool, isEnabled: Bool, in language: Language) -> Row {
        Row(id, "", .button(Button(language[isSaving ? .saving : .save], isEnabled: isEnabled)))
    }

    /// Replaces the rows; the focused row keeps the focus if it still exists.
    mutating func replaceRows(_ rows: [Row]) {
        let focus = focus
        let index = current
        self = Form(rows)
        if let focus, rows.contains(where: { $0.id == focus && $0.control.isFocusable }) {
            self.focus(focus)
        } else if let next = rows[min(index, rows.count)...].first(where: { $0.control.isFocusable })
            ?? rows.last(where: { $0.control.isFocusable })
        {
            self.focus(next.id)
        }
    }
}
