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
                editor.conflict.map { conflict in
                    Dialog(
                        title: language[.conflictTitle], message: "",
                        buttons: [language[.keepMine], language[.takeTheirs]]
                            + (conflict.canKeepBoth ? [language[.keepBoth]] : []))
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
        if dialog != nil { return context.dialogKeys(.close) }
        if case .failed(let failure) = editor.phase {
            return (failure.canRetry ? [context.item("r", .retry)] : []) + [context.item("Esc", .back)]
        }
        return form
    }

    func handle(_ event: InputEvent) -> Bool {
        follow()
        if dialog != nil {
            if case .key(let key) = event { answer(dialog.handle(key)) }
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
        case .chosen(let index): send([.keepMineTapped, .takeTheirsTapped, .keepBothTapped][index])
        case .cancelled: send(.conflictClosed)
        }
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
        if !editor.asksToDiscard, let conflict = editor.conflict {
            dialog.render(
                conflict.theirs == nil ? [] : conflict.lines(in: context.language), context.language, into: &grid,
                in: rect)
        } else {
            dialog.render(into: &grid, in: rect)
        }
    }
}

extension Dialog {
    /// Draws the dialog with both versions of a conflict, of which `lines` has none if the stored one was deleted.
    fileprivate func render(_ lines: [VersionLine], _ language: Language, into grid: inout Grid, in rect: Rect) {
        let differing = lines.filter(\.differs)
        let box = rect.centered(columns: min(rect.columns, 76), rows: max(2, differing.count) + 6)
        Frame(title: title).render(into: &grid, in: box)
        var area = box.inset(columns: 2, rows: 1)
        let labels = min((differing.map(\.label.displayWidth).max() ?? 0) + 2, area.columns / 3)
        let half = max(1, (area.columns - labels) / 2)
        func draw(_ mine: String, _ theirs: String, in line: Rect, _ style: Style) {
            grid.draw(mine.truncated(toWidth: half - 1), in: line, at: labels, style)
            grid.draw(theirs.truncated(toWidth: half - 1), in: line, at: labels + half, style)
        }
        if lines.isEmpty {
            grid.draw(language[.entryWasDeleted], in: area.takeTop(1))
        } else {
            draw(language[.mine], language[.theirs], in: area.takeTop(1), Styles.heading)
        }
        let buttonLine = area.takeBottom(1)
        for version in differing {
            let line = area.takeTop(1)
            grid.draw(version.label.truncated(toWidth: labels - 1), in: line, Styles.dim)
            draw(version.mine.onOneLine, version.theirs.onOneLine, in: line, Styles.text)
        }
        renderButtons(into: &grid, in: buttonLine)
    }
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
