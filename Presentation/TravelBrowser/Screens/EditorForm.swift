internal import TravelPages

/// What the pages of both editors share: the fields of a form with their problems, the pictures that could not be taken, the
/// two versions of a conflict, and the question before leaving.
struct EditorForm<Draft: EditorDraft> {
    typealias State = EditorFlow<Draft>.State
    typealias Action = EditorFlow<Draft>.Action

    private let state: State
    private let controls: Controls
    private let context: PageContext

    /// The ID of the form. All its fields are sent with each of its controls.
    static var id: String { "editor" }
    /// The ID of the field for pictures.
    static var files: String { "editor-files" }

    init(_ state: State, _ controls: Controls) {
        (self.state, self.controls, context) = (state, controls, controls.context)
    }

    // MARK: Inputs

    /// The actions of the controls that both editors have.
    ///
    /// - Parameter field: Returns the field of a form by the name of its control.
    static func actions(
        for control: PageInput.Control, in state: State, field: (String) -> Draft.Field?
    ) -> [Action]? {
        switch control.name {
        case "save": return [.saveTapped]
        case "back": return [.backTapped]
        case "answer":
            // Without the script, the form is new for each request, and has not asked yet.
            let isYes = control.argument == "yes"
            return (isYes && !state.asksToDiscard ? [.backTapped] : []) + [.discardAnswered(isYes)]
        // The same: what the page has shown is what the form is merged with, unless another version is stored since.
        case "merge":
            guard state.conflict == nil else { return [.mergeTapped] }
            // Of a trip that was deleted itself, a page has shown no version.
            guard let seen = TripVersion(number: Int(control.argument) ?? 0) else {
                return [state.isTripDeleted ? .mergeTapped : .saveTapped]
            }
            if state.isTripDeleted { return [.saveTapped] }
            return [.resumed(from: seen, original: original(of: state)), .mergeTapped]
        case "keep-both": return [.keepBothTapped]
        case "take-theirs": return [.takeTheirsTapped]
        case "close-conflict": return [.conflictClosed]
        case "retry": return [.retryTapped]
        case "left": return field(control.argument).map { [.fieldLeft($0)] } ?? []
        case "picked": return StagedPicture(path: control.argument).map { pick($0, in: state) } ?? []
        case "close-failure": return [.imageFailureClosed(control.argument)]
        // Without the script: the files of the form have been picked before.
        case "upload": return []
        default: return nil
        }
    }

    /// Picks a picture, which has the same ID in the form: once.
    static func pick(_ picture: StagedPicture, in state: State) -> [Action] {
        (state.waitingImages + state.failedImages.map(\.path)).contains(picture.path)
            ? [] : [.imagePicked(picture.path)]
    }

    /// Begins where a page without the script has begun, with the number of the version that it has shown, and with what its
    /// form began with.
    static func resume(from version: Int?, original: String, in state: State) -> [Action] {
        guard let version = version.flatMap({ TripVersion(number: $0) }),
            version != state.seenVersion || original != state.restorableOriginal
        else { return [] }
        return [.resumed(from: version, original: Draft(restorable: original))]
    }

    private static func original(of state: State) -> Draft? { Draft(restorable: state.restorableOriginal) }

    /// What was chosen among the versions of a part, by the name of its field and its value.
    static func choices(for name: String, _ value: String, in state: State) -> [Action]? {
        guard name.hasPrefix("version-") else { return nil }
        guard let part = Draft.Part(name: name.dropFirst("version-".count)), let side = VersionSide(rawValue: value),
            side != (state.chosen.contains(part) ? .theirs : .mine)
        else { return [] }
        return [.versionChosen(part, side)]
    }

    // MARK: View

    /// The form in its phases, below a heading and an introduction.
    @HTML.Builder
    func html(_ title: String, introduction: HTML = HTML(), @HTML.Builder fields: () -> HTML) -> HTML {
        HTML("h1") { title }
        introduction
        switch state.phase {
        case .loading: controls.loading()
        case .failed(let failure): controls.failure(failure, retry: .init("retry"))
        case .editing, .saving:
            controls.form(
                id: Self.id, .init(style: "editor", takesFiles: true, isBusy: isSaving)
            ) {
                // What Return presses in a field.
                HTML(
                    "button",
                    [
                        "type": "submit", "name": "do", "value": "save", "class": "hidden", "tabindex": "-1",
                        "aria-hidden": "true",
                    ]
                ) {
                    context[.save]
                }
                fields()
                HTML("p", ["id": "editor-buttons", "class": "buttons"]) {
                    controls.button(.init("save"), isSaving ? .saving : .save, isEnabled: !isSaving, form: Self.id)
                    controls.button(.init("back"), .cancel, style: "plain", form: Self.id)
                }
            }
        }
        if state.asksToDiscard {
            controls.question(context[.discardQuestion], yes: .discard, no: .keepEditing, form: Self.id)
        } else if state.conflict != nil {
            versions()
        }
    }

    private var isSaving: Bool { state.phase == .saving }

    /// A control with its label and the problem of its field, if it shows.
    ///
    /// - Parameters:
    ///   - name: The name of the field, by which its inputs come.
    ///   - problem: What is said instead of the problem of the field.
    ///   - control: Makes the control from its ID, the ID of what describes it, and whether its value has a problem.
    func field(
        _ name: String, _ label: String, _ field: Draft.Field?, hint: String? = nil, problem: String? = nil,
        @HTML.Builder control: (_ id: String, _ description: String, _ isInvalid: String?) -> HTML
    ) -> HTML {
        let problem = problem ?? self.problem(of: field)
        return HTML("div", ["id": "field-\(name)", "class": "field"]) {
            HTML("label", ["for": "edit-\(name)"]) { label }
            control("edit-\(name)", "problem-\(name)", problem == nil ? nil : "true")
            note(name, problem, hint)
        }
    }

    /// Several controls with one label.
    func group(_ name: String, _ label: String, _ field: Draft.Field?, @HTML.Builder controls: () -> HTML) -> HTML {
        let problem = problem(of: field)
        return HTML(
            "fieldset",
            [
                "id": "field-\(name)", "class": "field", "aria-describedby": "problem-\(name)",
                "aria-invalid": problem == nil ? nil : "true", "disabled": isSaving ? "disabled" : nil,
            ]
        ) {
            HTML("legend") { label }
            controls()
            note(name, problem, nil)
        }
    }

    private func problem(of field: Draft.Field?) -> String? {
        field.flatMap { state.problem(of: $0) }.map { $0.text(in: context.language) }
    }

    /// The problem, in an element that is always there, so that it is announced when it appears.
    private func note(_ name: String, _ problem: String?, _ hint: String?) -> HTML {
        HTML("p", ["id": "problem-\(name)", "class": problem == nil ? "note" : "problem", "aria-live": "polite"]) {
            problem ?? hint ?? ""
        }
    }

    /// A line of text, followed while it is typed.
    func input(
        _ name: String, _ label: Text, _ value: String, _ field: Draft.Field, type: String? = nil, hint: String? = nil,
        placeholder: String? = nil, minimum: String? = nil, maximum: String? = nil
    ) -> HTML {
        // What is missing in a control of the browser is chosen there, and never typed as an example shows.
        let choose: Text? = type == "date" ? .chooseDate : type == "time" ? .chooseTime : nil
        let problem = value.isEmpty && problem(of: field) != nil ? choose.map { context[$0] } : nil
        return self.field(name, context[label], field, hint: hint, problem: problem) { id, description, isInvalid in
            HTML(
                "input",
                [
                    "id": id, "type": type ?? "text", "name": name, "value": value, "data-live": "", "data-left": "",
                    "aria-describedby": description, "aria-invalid": isInvalid, "placeholder": placeholder,
                    "min": minimum, "max": maximum, "autocomplete": "off", "readonly": isSaving ? "readonly" : nil,
                    "dir": type == nil ? "auto" : nil,
                ])
        }
    }

    /// Lines of text, followed while they are typed.
    func textArea(_ name: String, _ label: Text, _ value: String, _ field: Draft.Field) -> HTML {
        self.field(name, context[label], field) { id, description, isInvalid in
            HTML(
                "textarea",
                [
                    "id": id, "name": name, "rows": "9", "data-live": "", "data-left": "", "dir": "auto",
                    "aria-describedby": description, "aria-invalid": isInvalid, "readonly": isSaving ? "readonly" : nil,
                ]
            ) {
                // A line feed at the start is none (HTML, 13.2.6.4.7).
                HTML.line
                value
            }
        }
    }

    /// The field for pictures: they are chosen, dropped or pasted, and sent at once; without the script, with the form.
    ///
    /// - Parameter chosen: What is shown below the label.
    func files(_ label: Text, _ field: Draft.Field, chosen: HTML = HTML()) -> HTML {
        let failed = state.failedImages
        // What is said beside the picture is not said twice.
        let problem = state.problem(of: field).flatMap { problem in
            failed.contains { $0.problem == problem } ? nil : problem.text(in: context.language)
        }
        return HTML("div", ["id": "field-files", "class": "field"]) {
            HTML("label", ["for": Self.files]) { context[label] }
            chosen
            HTML(
                "input",
                [
                    "id": Self.files, "type": "file", "name": "files",
                    "multiple": Draft.takesSeveralImages ? "multiple" : nil,
                    "accept": Controls.pictureTypes,
                    "data-upload": "pictures",
                    "data-limit": "\(TripImage.maximumSize)", "data-failed": context[.uploadFailed],
                    "data-retry": context[.retry], "data-close": context[.close], "aria-describedby": "problem-files",
                    "aria-invalid": problem == nil && failed.isEmpty ? nil : "true",
                ])
            controls.button(.init("upload"), .addChosen, style: "plain unscripted", form: Self.id)
            note("files", problem, context[Draft.takesSeveralImages ? .dropPictures : .dropPicture])
            // The script lists here what it sends.
            HTML("ul", ["id": "uploads-pictures", "class": "uploads"])
            HTML("p", ["id": "reading", "class": "note", "role": "status"]) {
                if state.isReadingImage { context[.readingPictures(state.waitingImages.count + 1)] }
            }
            HTML("ul", ["id": "failures", "class": "uploads", "aria-live": "polite"]) {
                for failed in failed { failure(failed) }
            }
        }
    }

    private func failure(_ failed: FailedImage) -> HTML {
        HTML("li", ["class": "problem"]) {
            HTML("span") {
                HTML("bdi") { StagedPicture(path: failed.path)?.name ?? "" }
                ": \(failed.problem.text(in: context.language)) "
            }
            controls.button(.init("close-failure", failed.path), .close, symbol: "×", style: "plain", form: Self.id)
        }
    }

    /// What was stored meanwhile: what comes from it, and both versions of what collides, beside each other.
    private func versions() -> HTML {
        HTML(
            "div",
            [
                "class": "question versions", "role": "alertdialog", "aria-modal": "true",
                "aria-labelledby": "question-text",
            ]
        ) {
            HTML("div") {
                HTML("p", ["id": "question-text"]) {
                    context[state.merge == nil ? state.draft.deletion : .conflictTitle]
                }
                if let merge = state.merge {
                    arrived(merge)
                    collisions(merge)
                }
                HTML("p", ["class": "buttons"]) {
                    controls.button(.init("close-conflict"), .keepEditing, key: "Escape", style: "plain", form: Self.id)
                    controls.button(
                        .init("merge", state.conflict?.version.map { "\($0)" } ?? ""),
                        state.merge == nil ? .keepMine : .saveMerge, form: Self.id)
                    if state.canKeepBoth {
                        controls.button(.init("keep-both"), .keepBoth, style: "plain", form: Self.id)
                    }
                    controls.button(
                        .init("take-theirs"), state.merge == nil ? .discard : .takeTheirs, style: "plain", form: Self.id
                    )
                }
            }
        }
    }

    @HTML.Builder
    private func arrived(_ merge: DraftMerge<Draft>) -> HTML {
        let lines = merge.arrivedLines(in: context.language)
        if !lines.isEmpty {
            HTML("p") { context[.arrived] }
            HTML("ul", ["class": "arrived"]) {
                for (part, line) in zip(merge.arrived, lines) {
                    HTML("li") {
                        "\(line.label): "
                        HTML("del") { HTML("bdi") { text(line.mine) } }
                        " → "
                        HTML("ins") { HTML("bdi") { text(line.theirs) } }
                        // One that was removed is gone.
                        if !line.theirs.isEmpty { picture(part) }
                    }
                }
            }
        }
    }

    @HTML.Builder
    private func collisions(_ merge: DraftMerge<Draft>) -> HTML {
        let lines = merge.collidingLines(in: context.language)
        if !lines.isEmpty {
            HTML("p") { context[.collisions] }
            HTML("table") {
                HTML("thead") {
                    HTML("tr") {
                        HTML("td")
                        HTML("th", ["scope": "col"]) { context[.mine] }
                        HTML("th", ["scope": "col"]) { context[.theirs] }
                    }
                }
                HTML("tbody") {
                    for (part, line) in lines {
                        HTML("tr") {
                            // A cell with an ID would be a part of a patch, which is no cell outside of its table.
                            HTML("th", ["scope": "row"]) {
                                HTML("span", ["id": "version-\(part.name)"]) { line.label }
                                picture(part)
                            }
                            choice(.mine, of: part, line.mine, isChosen: !merge.chosen.contains(part))
                            choice(.theirs, of: part, line.theirs, isChosen: merge.chosen.contains(part))
                        }
                    }
                }
            }
        }
    }

    /// The picture that a part belongs to, if it does; the text beside it says what it is.
    @HTML.Builder
    private func picture(_ part: Draft.Part) -> HTML {
        if let picture = part.picture {
            HTML("img", ["src": context.site.picture(picture, .small), "alt": ""])
        }
    }

    /// A version of a part, chosen by a radio button of the form.
    private func choice(_ side: VersionSide, of part: Draft.Part, _ value: String, isChosen: Bool) -> HTML {
        let id = "version-\(part.name)-\(side.rawValue)"
        return HTML("td") {
            HTML("label") {
                HTML(
                    "input",
                    [
                        "type": "radio", "id": id, "name": "version-\(part.name)", "value": side.rawValue,
                        "form": Self.id, "checked": isChosen ? "checked" : nil,
                        "aria-labelledby": "version-\(part.name) \(id)-text",
                    ])
                HTML("span", ["id": "\(id)-text", "dir": "auto"]) { text(value) }
            }
        }
    }

    private func text(_ value: String) -> String { value.isEmpty ? context[.noValue] : value }
}

extension EditorFlow.State {
    /// Whether the form changes by itself soon.
    var isWorking: Bool { phase == .loading || phase == .saving || isReadingImage }
    /// Whether leaving would lose input.
    var wouldLoseInput: Bool { hasChanges || isReadingImage }
}

extension Text {
    fileprivate static let chooseDate = Text("Choose a date.", "날짜를 고르세요.")
    fileprivate static let chooseTime = Text("Choose a time.", "시간을 고르세요.")
    fileprivate static let uploadFailed = Text("This photo could not be sent.", "사진을 보내지 못했습니다.")
    fileprivate static let addChosen = Text("Add the chosen photos", "고른 사진 추가")
    fileprivate static let dropPictures = Text(
        "Choose photos, drop them here, or paste them.", "사진을 고르거나, 여기에 끌어다 놓거나, 붙여 넣으세요.")
    fileprivate static let dropPicture = Text(
        "Choose a photo, drop it here, or paste it.", "사진을 고르거나, 여기에 끌어다 놓거나, 붙여 넣으세요.")
}
