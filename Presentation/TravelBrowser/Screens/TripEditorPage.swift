import Foundation
internal import TravelPages

/// The form of a trip, new or stored.
struct TripEditorPage: ScreenPage {
    private let context: PageContext
    private let controls: Controls

    private typealias Form = EditorForm<TripDraft>

    init(_ context: PageContext) {
        self.context = context
        controls = Controls(context)
    }

    func title(of state: TripEditorFlow.State) -> String { context[state.isNew ? .writeTrip : .editTrip] }
    func isLoading(_ state: TripEditorFlow.State) -> Bool { state.isWorking }
    func hasUnsavedChanges(_ state: TripEditorFlow.State) -> Bool { state.wouldLoseInput }

    // MARK: Inputs

    func actions(for input: PageInput, in state: TripEditorFlow.State) -> [TripEditorFlow.Action]? {
        switch input {
        case .field(let name, let value): return actions(for: name, value, state)
        case .control(.init("remove-image")): return [.imageRemoved]
        case .control(let control): return Form.actions(for: control, in: state, field: Self.field)
        case .link, .history: return nil
        }
    }

    private static func field(_ name: String) -> TripDraft.Field? {
        switch name {
        case "title": .title
        case "first-day": .firstDay
        case "last-day": .lastDay
        case "region": .region
        default: nil
        }
    }

    /// A field that says what the form has changes nothing: all fields are sent with each control.
    private func actions(for name: String, _ value: String, _ state: TripEditorFlow.State) -> [TripEditorFlow.Action]? {
        let draft = state.draft
        switch name {
        case "title": return value == draft.title ? [] : [.edited(.titleTyped(value))]
        case "first-day": return value == draft.firstDay ? [] : [.edited(.firstDayTyped(value))]
        case "last-day":
            let shown = draft.impliedLastDay ?? draft.lastDay
            return value == shown ? [] : [.edited(.lastDayTyped(value))]
        case "audience":
            return Audience.Level(rawValue: value).flatMap { level in
                level == draft.audience.level ? nil : [.edited(.audienceTapped(level))]
            } ?? []
        case "restore": return restored(value, state)
        default: if let choices = Form.choices(for: name, value, in: state) { return choices }
        }
        // One value of a kind has a field with the name of the kind; several have one each, such as `theme-food`.
        let parts = name.split(separator: "-", maxSplits: 1).map(String.init)
        guard let first = parts.first, let kind = TripDraft.choices.first(where: { $0.rawValue == first }) else {
            return nil
        }
        if parts.count == 2 {
            guard let option = kind.options.first(where: { $0.value == parts[1] }) else { return [] }
            return draft.contains(option) == !value.isEmpty ? [] : [.edited(.optionTapped(option))]
        }
        let chosen = kind.options.first { draft.contains($0) }
        guard chosen?.value ?? "" != value else { return [] }
        // The chosen one is left by a tap; a region can only be replaced.
        let tapped = value.isEmpty ? chosen : kind.options.first { $0.value == value }
        return tapped.map { [.edited(.optionTapped($0))] } ?? []
    }

    private static func takesSeveral(_ kind: FilterKind) -> Bool { kind.allowsSeveral && kind != .region }

    // MARK: Without the script

    /// What only the page knows when the form is posted without the script: the version of the trip that was seen, the picture
    /// that was sent before, or that the stored one was removed, and what the form began with.
    private static func restorable(_ state: TripEditorFlow.State) -> String {
        let image =
            switch state.draft.image {
            case .stored: "stored"
            case .picked(let image): StagedPicture(image.id, name: "").path
            case nil: "none"
            }
        return "\(state.seenVersion?.number ?? 0) \(image) \(state.restorableOriginal)"
    }

    private func restored(_ text: String, _ state: TripEditorFlow.State) -> [TripEditorFlow.Action] {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return [] }
        let resumed = Form.resume(from: Int(parts[0]), original: parts[2], in: state)
        if parts[1] == "none" { return resumed + (state.draft.image == nil ? [] : [.imageRemoved]) }
        guard let picture = StagedPicture(path: parts[1]), picture.id != state.draft.image?.id, !state.isReadingImage
        else {
            return resumed
        }
        return resumed + Form.pick(picture, in: state)
    }

    // MARK: View

    func view(of state: TripEditorFlow.State) -> HTML {
        let form = Form(state, controls)
        let draft = state.draft
        let introduction = state.isNew ? HTML("div", ["class": "chips"]) { controls.fileImport() } : HTML()
        return form.html(title(of: state), introduction: introduction) {
            HTML("input", ["type": "hidden", "name": "restore", "value": Self.restorable(state)])
            form.input("title", .title, draft.title, .title)
            HTML("div", ["class": "row"]) {
                form.input("first-day", .firstDay, draft.firstDay, .firstDay, type: "date")
                form.input(
                    "last-day", .lastDay, draft.impliedLastDay ?? draft.lastDay, .lastDay, type: "date",
                    minimum: draft.firstDay.isEmpty ? nil : draft.firstDay)
            }
            for kind in TripDraft.choices { choice(kind, draft, form) }
            audience(draft, form)
            cover(draft, form)
        }
    }

    @HTML.Builder
    private func choice(_ kind: FilterKind, _ draft: TripDraft, _ form: Form) -> HTML {
        let name = kind.name(in: context.language)
        if Self.takesSeveral(kind) {
            form.group(kind.rawValue, name, nil) {
                for option in kind.options {
                    HTML("label") {
                        // A box that is not ticked is not sent: the field before it says so.
                        HTML("input", ["type": "hidden", "name": "\(kind.rawValue)-\(option.value)", "value": ""])
                        HTML(
                            "input",
                            [
                                "type": "checkbox", "id": "edit-\(kind.rawValue)-\(option.value)",
                                "name": "\(kind.rawValue)-\(option.value)", "value": "on", "data-live": "",
                                "checked": draft.contains(option) ? "checked" : nil,
                            ])
                        option.name(in: context.language)
                    }
                }
            }
        } else {
            form.field(kind.rawValue, name, kind == .region ? .region : nil) { id, description, isInvalid in
                HTML(
                    "select",
                    [
                        "id": id, "name": kind.rawValue, "data-live": "", "data-left": "",
                        "aria-describedby": description,
                        "aria-invalid": isInvalid,
                    ]
                ) {
                    let isEmpty = !kind.options.contains(where: draft.contains)
                    HTML("option", ["value": "", "selected": isEmpty ? "selected" : nil]) {
                        context[kind == .region ? .choose : .notSaid]
                    }
                    for option in kind.options {
                        HTML("option", ["value": option.value, "selected": draft.contains(option) ? "selected" : nil]) {
                            option.name(in: context.language)
                        }
                    }
                }
            }
        }
    }

    private func audience(_ draft: TripDraft, _ form: Form) -> HTML {
        form.group("audience", context[.audience], nil) {
            for level in Audience.Level.allCases {
                HTML("label") {
                    HTML(
                        "input",
                        [
                            "type": "radio", "id": "edit-audience-\(level.rawValue)", "name": "audience",
                            "value": level.rawValue, "data-live": "",
                            "checked": draft.audience.level == level ? "checked" : nil,
                        ])
                    level.name(in: context.language)
                }
            }
        }
    }

    private func cover(_ draft: TripDraft, _ form: Form) -> HTML {
        let chosen = draft.image.map { image in
            HTML("div", ["id": "cover"]) {
                HTML("img", ["src": context.site.picture(image.id, .small), "alt": context[.cover]])
                controls.button(.init("remove-image"), .removeImage, style: "plain", form: Form.id)
            }
        }
        return form.files(.cover, .image, chosen: chosen ?? HTML())
    }
}

extension Text {
    fileprivate static let choose = Text("Choose…", "선택하세요")
    fileprivate static let notSaid = Text("Not specified", "선택 안 함")
    fileprivate static let cover = Text("Cover photo", "대표 사진")
}
