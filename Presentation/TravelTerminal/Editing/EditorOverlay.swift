/// The dialog over the form of an editor: whether to discard the changes, or which version of a conflict to keep.
@MainActor
struct EditorOverlay {
    /// The person's decision.
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

    /// A row of chips that keeps its current chip.
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

    /// The row of the button that saves.
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
