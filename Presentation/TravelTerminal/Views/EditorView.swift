/// The view of an editor: a form with its keys, its image row and the dialogs over it.
///
/// An editor provides the rows of its form (`update`), and sends an action for each change (`apply`).
@MainActor
protocol EditorView: ScreenView {
    associatedtype Row: Hashable & Sendable
    associatedtype Draft: EditorDraft

    /// The row in which the path of an image is typed.
    static var imageRow: Row { get }

    var context: AppContext { get }
    var editor: EditorFlow<Draft>.State { get }
    var form: Form<Row> { get set }
    /// The question whether to discard the changes, or which version of a conflict to keep.
    var dialog: Dialog? { get set }
    /// The index of the colliding part whose version the keys choose.
    var conflictRow: Int { get set }
    /// The typed path of an image, until the image is picked.
    var imagePath: String { get set }

    func send(_ action: EditorFlow<Draft>.Action)
    /// Builds the rows of the form from the current state; the focused row keeps the focus.
    func update()
    /// Sends the actions for the change that a key made in the form, and returns whether the key had an effect.
    func apply(_ outcome: Form<Row>.Outcome, leaving focus: Row?) -> Bool
    /// Handles Enter in a row in which the form itself does not; returns `false` if the form handles it.
    func moveOn(from row: Row?) -> Bool
}

extension EditorView {
    var takesText: Bool { dialog == nil }
    var hasUnsavedChanges: Bool { editor.hasChanges || !imagePath.isEmpty }

    private func follow() {
        let language = context.language
        if editor.asksToDiscard {
            dialog.ask(
                Dialog(
                    title: language[.discard], message: language[.discardQuestion],
                    buttons: [language[.keepEditing], language[.discard]]))
        } else {
            dialog.ask(
                editor.conflict.map { _ in
                    Dialog(
                        title: language[.conflictTitle], message: "",
                        buttons: editor.merge == nil
                            ? [language[.keepMine], language[.discard]]
                            : [language[.saveMerge], language[.takeTheirs]]
                                + (editor.canKeepBoth ? [language[.keepBoth]] : []))
                })
        }
        update()
    }

    /// Picks the image whose path was typed, once the form can be changed: each of them where a form takes several.
    func pickImage() {
        guard editor.phase == .editing else { return }
        for path in Draft.takesSeveralImages ? imagePath.droppedPaths : [imagePath] { send(.imagePicked(path)) }
        imagePath = ""
    }

    /// The row of a field for the path of an image, or the paths of several.
    func imageRow(_ id: Row, _ language: Language) -> Form<Row>.Row {
        let placeholder: Text =
            editor.isReadingImage
            ? .readingPictures(editor.waitingImages.count + 1) : Draft.takesSeveralImages ? .picturePaths : .imagePath
        return form.textRow(
            id, language[.image], imagePath, placeholder: language[placeholder], message: message(Draft.imageField))
    }

    func saveRow(_ id: Row) -> Form<Row>.Row {
        let title = context.language[editor.phase == .saving ? .saving : .save]
        return .init(id, "", Button(title, isEnabled: editor.canSave))
    }

    func message(_ field: Draft.Field) -> String? { editor.problem(of: field)?.text(in: context.language) }

    // MARK: Keys

    /// The keys that have an effect now; those in `form` while the form can be edited.
    func keys(_ form: [KeyLine.Item]) -> [KeyLine.Item] {
        if dialog != nil {
            return (collisions.isEmpty ? [] : [context.item("↑↓ Space", .choose)]) + context.dialogKeys(.close)
        }
        if case .failed(let failure) = editor.phase {
            return (failure.canRetry ? [context.item("r", .retry)] : []) + [context.item("Esc", .back)]
        }
        return form
    }

    func handle(_ event: InputEvent) -> Bool {
        follow()
        if dialog != nil {
            if case .key(let key) = event, !chooseVersion(key) { answer(dialog.handle(key)) }
            return true
        }
        if case .failed = editor.phase, event == .key(.character("r")) {
            send(.retryTapped)
            return true
        }
        let focus = form.focus
        switch event {
        case .key(.escape):
            // A path that was typed counts as a change.
            if !imagePath.isEmpty { pickImage() }
            send(.backTapped)
        case .key(.control("s")):
            // The form is saved once the photo has been read.
            if !imagePath.isEmpty { pickImage() }
            send(.saveTapped)
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

    private func answer(_ outcome: Dialog.Outcome) {
        switch outcome {
        case .pending: break
        case _ where editor.asksToDiscard: send(.discardAnswered(outcome == .chosen(1)))
        case .chosen(let index): send([.mergeTapped, .takeTheirsTapped, .keepBothTapped][index])
        case .cancelled: send(.conflictClosed)
        }
    }

    private var collisions: [Draft.Part] { editor.asksToDiscard ? [] : editor.merge?.collisions ?? [] }

    /// Chooses the version of a colliding part; returns `false` for a key of the dialog.
    private func chooseVersion(_ key: Key) -> Bool {
        let collisions = collisions
        guard !collisions.isEmpty else { return false }
        conflictRow = min(conflictRow, collisions.count - 1)
        switch key {
        case .up: conflictRow = max(0, conflictRow - 1)
        case .down: conflictRow = min(collisions.count - 1, conflictRow + 1)
        case .space:
            let part = collisions[conflictRow]
            send(.versionChosen(part, editor.chosen.contains(part) ? .mine : .theirs))
        default: return false
        }
        return true
    }

    // MARK: Drawing

    func render(into grid: inout Grid, in rect: Rect) {
        follow()
        switch editor.phase {
        case .loading: grid.draw(context.language[.loading], in: rect.inset(columns: 2, rows: 1), Styles.dim)
        case .failed(let failure):
            grid.draw(failure.text(in: context.language), in: rect.inset(columns: 2, rows: 1), Styles.error)
        case .editing, .saving: form.render(into: &grid, in: rect.inset(columns: 1), isFocused: dialog == nil)
        }
        guard let dialog else { return }
        if !editor.asksToDiscard, editor.conflict != nil {
            dialog.render(
                editor.merge, deletion: editor.draft.deletion, focus: conflictRow, context.language, into: &grid,
                in: rect)
        } else {
            dialog.render(into: &grid, in: rect)
        }
    }
}

extension Dialog {
    /// Draws the dialog with both versions of a conflict.
    ///
    /// - Parameters:
    ///   - merge: Both versions; `nil` if the stored one was deleted, as `deletion` says.
    ///   - focus: The index of the colliding part whose version the keys choose.
    fileprivate func render<Draft>(
        _ merge: DraftMerge<Draft>?, deletion: Text, focus: Int, _ language: Language, into grid: inout Grid,
        in rect: Rect
    ) {
        let colliding = merge?.collidingLines(in: language) ?? []
        let arrived = merge?.arrivedLines(in: language) ?? []
        let rows =
            (colliding.isEmpty ? 0 : colliding.count + 2) + (arrived.isEmpty ? 0 : arrived.count + 1)
            + (merge == nil ? 1 : 0)
        let box = rect.centered(columns: min(rect.columns, 76), rows: max(3, rows) + 4)
        Frame(title: title).render(into: &grid, in: box)
        var area = box.inset(columns: 2, rows: 1)
        let buttonLine = area.takeBottom(1)
        let labels = min(
            ((colliding.map(\.line) + arrived).map(\.label.displayWidth).max() ?? 0) + 4, area.columns / 3)
        let half = max(3, (area.columns - labels) / 2)
        func draw(_ mine: String, _ theirs: String, in line: Rect, _ style: Style) {
            grid.draw(mine.truncated(toWidth: half - 1), in: line, at: labels, style)
            grid.draw(theirs.truncated(toWidth: half - 1), in: line, at: labels + half, style)
        }
        if merge == nil { grid.draw(language[deletion].truncated(toWidth: area.columns), in: area.takeTop(1)) }
        if !colliding.isEmpty {
            grid.draw(language[.collisions].truncated(toWidth: area.columns), in: area.takeTop(1))
            draw("  " + language[.mine], "  " + language[.theirs], in: area.takeTop(1), Styles.heading)
        }
        for (index, (part, line)) in colliding.enumerated() {
            let isTheirs = merge?.chosen.contains(part) == true
            let isFocused = index == min(focus, colliding.count - 1)
            let row = area.takeTop(1)
            let label = (isFocused ? "› " : "  ") + line.label
            grid.draw(label.truncated(toWidth: labels - 1), in: row, isFocused ? Styles.heading : Styles.dim)
            draw(
                (isTheirs ? "○ " : "● ") + language.value(line.mine),
                (isTheirs ? "● " : "○ ") + language.value(line.theirs),
                in: row, Styles.text)
        }
        if !arrived.isEmpty {
            grid.draw(language[.arrived].truncated(toWidth: area.columns), in: area.takeTop(1))
        }
        for line in arrived {
            let row = area.takeTop(1)
            grid.draw("  \(line.label)".truncated(toWidth: labels - 1), in: row, Styles.dim)
            draw(language.value(line.mine), "→ " + language.value(line.theirs), in: row, Styles.text)
        }
        renderButtons(into: &grid, in: buttonLine)
    }
}

extension Language {
    /// A value of a form on one line, or what says that it is empty.
    fileprivate func value(_ text: String) -> String { text.isEmpty ? self[.noValue] : text.onOneLine }
}

extension String {
    /// The paths of files as a terminal types them when they are dropped on it, with spaces between them: each begins with a
    /// slash, a tilde or a quotation mark, so that a path that is typed may have spaces.
    var droppedPaths: [String] {
        var (paths, path): ([String], String) = ([], "")
        var quote: Character?
        for (index, character) in zip(indices, self) {
            let next = self[self.index(after: index)...].first
            if character == " ", quote == nil, path.last != "\\", next.map({ "/~'\"".contains($0) }) ?? true {
                if !path.isEmpty { paths.append(path) }
                path = ""
                continue
            }
            if quote == character {
                quote = nil
            } else if quote == nil, path.isEmpty, "'\"".contains(character) {
                quote = character
            }
            path.append(character)
        }
        if !path.isEmpty { paths.append(path) }
        return paths
    }
}

extension Form {
    /// A row for a text field that keeps its cursor while its text does not change.
    func textRow(_ id: ID, _ label: String, _ text: String, placeholder: String = "", message: String? = nil) -> Row {
        var field = self[id] as? TextField ?? TextField(text)
        field.set(text)
        field.placeholder = placeholder
        return Row(id, label, field, message: message)
    }

    func chipRow(_ id: ID, _ label: String, _ chips: [ChipRow.Chip], message: String? = nil) -> Row {
        var chipRow = ChipRow(chips)
        if let old = self[id] as? ChipRow {
            chipRow.focus(old.current)
        } else if let chosen = chips.firstIndex(where: \.isOn) {
            chipRow.focus(chosen)
        }
        return Row(id, label, chipRow, message: message)
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
