internal import TravelPages

/// The page of a run: the bar, the screen on top, and messages. Its parts are what patches consist of.
struct AppPage: Equatable {
    let context: PageContext
    /// The title of the screen; empty for none.
    let screenTitle: String
    let screen: AppRun.OpenModel.ID
    let screenAddress: ScreenAddress
    let body: PageBody
    let notices: [BrowserRun.Notice]
    /// What is being imported.
    let imports: [Text]
    let hasUnsavedChanges: Bool
    let sync: SyncStatus

    var title: String { screenTitle.isEmpty ? "Traveline" : "\(screenTitle) – Traveline" }
    var address: String { screenAddress.text }

    /// What is in the body of the document.
    var html: HTML {
        HTML(
            "div",
            [
                "id": "page", "lang": context.language.tag, "data-unsaved": hasUnsavedChanges ? "" : nil,
                "data-pictures": context[.pictures], "data-picture-count": context[.pictureCount],
                "data-previous-picture": context[.previousPicture], "data-next-picture": context[.nextPicture],
                "data-close-picture": context[.close],
            ]
        ) {
            HTML("a", ["class": "skip", "href": "#screen"]) { context[.skip] }
            bar
            HTML("main", ["id": "screen", "tabindex": "-1"]) {
                HTML("div", ["id": "screen-\(screen)"]) { body.html }
            }
            messages
        }
    }

    private var bar: HTML {
        func link(_ screen: Screen, _ text: Text, key: String) -> HTML {
            HTML("a", ["href": ScreenAddress(screen).text, "data-key": key]) { context[text] }
        }
        return HTML("header", ["id": "bar"]) {
            HTML("a", ["class": "brand", "href": ScreenAddress(.home).text]) { "Traveline" }
            if let status = sync.text(at: context.now) {
                HTML(
                    "a",
                    [
                        "id": "sync", "class": sync.needsDecision ? "status urgent" : "status",
                        "href": ScreenAddress(.changes).text,
                    ]
                ) { context[status] }
            }
            HTML("nav", ["aria-label": context[.menu]]) {
                link(.newTrip, .writeTrip, key: "n")
                link(.myPage, .myPage, key: "m")
                link(.settings, .settings, key: ",")
                if context.user == nil { link(.signIn, .signIn, key: "i") }
            }
        }
    }

    private var messages: HTML {
        HTML("div", ["id": "messages"]) {
            // Readers announce what appears in these two, which are always there.
            for (role, isFailure) in [("status", false), ("alert", true)] {
                HTML("div", ["id": "messages-\(role)", "role": "\(role)"]) {
                    if !isFailure, let files = imports.first {
                        HTML("p", ["id": "message-import", "class": "message"]) {
                            context[.importing(files)]
                            Controls(context).button(.init("cancel-import"), .cancel)
                        }
                    }
                    for notice in notices where notice.isFailure == isFailure {
                        HTML("p", ["id": "message-\(notice.id)", "class": isFailure ? "message failure" : "message"]) {
                            notice.notice.text(in: context.language)
                            if let deletion = notice.notice.deletion {
                                Controls(context).button(.init("undo", deletion.text), .undo, key: "z")
                            }
                            Controls(context).button(.init("close-notice", "\(notice.id)"), .close, symbol: "×")
                        }
                    }
                }
            }
        }
    }

    /// The whole document of a run, in UTF-8.
    ///
    /// - Parameter hasAccount: Whether the session is that of an account, which begins again by signing in.
    func document(run: String, token: String, version: Int, hasAccount: Bool) -> Data {
        let language = context.language
        return Self.document(
            title: title, in: language,
            body: [
                "data-run": run, "data-version": "\(version)", "data-lost": language[.connectionLost],
                "data-leave": language[.discardQuestion], "data-keys": language[.keyboard],
                "data-close": language[.close], "data-ended": language[hasAccount ? .sessionOver : .runEnded],
                "data-quit": language[.appEnded], "data-back": language[.back],
                "data-account": hasAccount ? "" : nil, "data-drop": language[.dropFiles],
            ]
        ) {
            // What every control outside of another form belongs to. The first button of a form is what Return presses.
            HTML("form", ["id": "controls", "method": "post", "action": address]) {
                HTML("input", ["type": "hidden", "name": "token", "value": token])
                HTML("input", ["type": "hidden", "name": "page", "value": run])
            }
            html
        }
    }

    /// A whole document of the app, in UTF-8.
    static func document(
        title: String, in language: Language, body: HTML.Attributes, @HTML.Builder _ content: () -> HTML
    ) -> Data {
        HTML("html", ["lang": language.tag, "xmlns": "http://www.w3.org/1999/xhtml"]) {
            HTML("head") {
                HTML("meta", ["charset": "utf-8"])
                HTML("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
                HTML("meta", ["name": "color-scheme", "content": "light dark"])
                HTML("title") { title }
                HTML("link", ["rel": "icon", "href": "\(ScreenAddress.base)/icon.svg", "type": PageIcon.mediaType])
                HTML("link", ["rel": "stylesheet", "href": "\(ScreenAddress.base)/style.css"])
                // Not deferred: it sets the theme before anything is drawn.
                HTML("script", ["src": "\(ScreenAddress.base)/script.js"])
            }
            HTML.line
            HTML("body", body) { content() }
        }.document(.html)
    }
}

/// The elements that all screens share.
struct Controls {
    let context: PageContext

    init(_ context: PageContext) {
        self.context = context
    }

    /// A button that presses a control.
    ///
    /// - Parameters:
    ///   - symbol: What the button shows instead of its text, which is then its name for readers.
    ///   - isPressed: Whether a switch is on; `nil` for a button that is none.
    ///   - key: The key that presses it where nothing is typed.
    func button(
        _ control: PageInput.Control, _ text: Text, symbol: String? = nil, isPressed: Bool? = nil,
        isEnabled: Bool = true, key: String? = nil, style: String? = nil, form: String? = "controls"
    ) -> HTML {
        HTML(
            "button",
            [
                "type": "submit", "form": form, "name": "do", "value": control.text, "class": style,
                "aria-label": symbol == nil ? nil : context[text], "aria-pressed": isPressed.map { "\($0)" },
                "disabled": isEnabled ? nil : "disabled", "data-key": key,
            ]
        ) {
            if let symbol {
                HTML("span", ["aria-hidden": "true"]) { symbol }
            } else {
                context[text]
            }
        }
    }

    /// A line of text in a form, with its label above it and its problem or a note below it.
    ///
    /// - Parameters:
    ///   - name: The name of the field, and its ID.
    ///   - value: The text; `nil` for one that the browser keeps, such as a password.
    ///   - autocomplete: What the browser may fill in (HTML, 4.10.18.7).
    ///   - note: What the field says while it has no problem.
    ///   - isLive: Whether the model follows what is typed.
    ///   - isRequired: Whether the form needs it.
    func field(
        _ name: String, _ label: Text, value: String?, type: FieldType = .text, autocomplete: String,
        problem: String? = nil, note: Text? = nil, isLive: Bool = false, isRequired: Bool = false
    ) -> HTML {
        HTML("div", ["class": "field"]) {
            HTML("label", ["for": name]) { context[label] }
            HTML(
                "input",
                [
                    "id": name, "type": type.rawValue, "name": name, "value": value, "autocomplete": autocomplete,
                    "data-live": isLive ? "" : nil, "required": isRequired ? "required" : nil,
                    "aria-describedby": "\(name)-note", "aria-invalid": problem == nil ? nil : "true", "dir": "auto",
                    "autocapitalize": "none", "spellcheck": "false",
                ])
            // It is always there, so that readers announce what appears in it.
            HTML("p", ["id": "\(name)-note", "class": problem == nil ? "note" : "problem", "aria-live": "polite"]) {
                problem ?? note.map { context[$0] } ?? ""
            }
        }
    }

    enum FieldType: String { case text, password }

    /// A control that asks before it acts, also without the script: what it opens has the question and the button.
    func confirmed(_ control: PageInput.Control, _ text: Text, question: Text, id: String) -> HTML {
        HTML("details", ["id": id, "class": "confirm"]) {
            HTML("summary") { context[text] }
            HTML("p") { context[question] }
            button(control, text, style: "danger")
        }
    }

    func link(_ screen: Screen, _ text: Text, key: String? = nil, style: String? = nil) -> HTML {
        HTML("a", ["href": ScreenAddress(screen).text, "class": style, "data-key": key]) { context[text] }
    }

    /// The cover of a trip beside its title, or the name of its region.
    @HTML.Builder
    func cover(of card: TripCard) -> HTML {
        if let cover = card.trip.thumbnail {
            // The title beside it says what it shows.
            HTML(
                "img", ["class": "cover", "src": context.site.picture(cover, .small), "alt": "", "loading": "lazy"])
        } else {
            HTML("span", ["class": "cover", "aria-hidden": "true"]) { card.trip.region.name(in: context.language) }
        }
    }

    /// Region, length and dates of a trip.
    func facts(of row: TripRow) -> HTML {
        let length = context.language[.nights(row.trip.days)]
        return HTML.facts(
            [row.trip.region.name(in: context.language), length, row.dates].map { HTML(text: $0) })
    }

    /// What is shown instead of content that loads.
    @HTML.Builder
    func loading() -> HTML {
        HTML("p", ["class": "loading", "aria-busy": "true"]) { context[.loading] }
    }

    /// What is shown instead of content that could not be loaded.
    func failure(_ failure: ScreenFailure, retry: PageInput.Control) -> HTML {
        HTML("div", ["class": "failure", "role": "alert"]) {
            HTML("p") { failure.text(in: context.language) }
            if failure.canRetry { button(retry, .retry, key: "r") }
        }
    }

    /// A form that is posted to the page that it is on, with the secret of the session. Without the script all its fields
    /// are sent with the control that was pressed; with it, they are as well, in one input.
    func form(id: String, _ attributes: FormAttributes = FormAttributes(), @HTML.Builder _ content: () -> HTML) -> HTML
    {
        HTML(
            "form",
            [
                "id": id, "method": "post", "action": context.address, "class": attributes.style,
                "novalidate": "novalidate",
                "enctype": attributes.takesFiles ? "multipart/form-data" : nil,
                "aria-busy": attributes.isBusy ? "true" : nil,
            ]
        ) {
            HTML("input", ["type": "hidden", "name": "token", "value": context.token])
            HTML("input", ["type": "hidden", "name": "page", "value": context.run])
            content()
        }
    }

    /// What imports photos and tracks that are chosen, or dropped anywhere on the page; without the script, those that are sent
    /// with the form.
    ///
    /// - Parameter trip: The trip of the user to which they are added; `nil` for a new one.
    @HTML.Builder
    func fileImport(into trip: Trip.ID? = nil) -> HTML {
        if context.canImportFiles, context.user != nil {
            HTML("details", ["id": "import-menu", "class": "sheet"]) {
                HTML("summary", ["data-key": "u"]) { context[trip == nil ? .importFiles : .addFiles] }
                form(id: "import", .init(style: "import", takesFiles: true)) {
                    HTML("label", ["for": "import-files"]) { context[.photosAndTracks] }
                    HTML(
                        "input",
                        [
                            "id": "import-files", "type": "file", "name": "import", "multiple": "multiple",
                            "accept": ".gpx,.kml,.kmz,.tcx,.geojson,.json,.gz,\(Self.pictureTypes)",
                            "data-upload": "files", "data-trip": trip.map { "\($0)" },
                            "data-limit": "\(PickedFile.maximumSize)", "data-failed": context[.fileNotSent],
                            "data-retry": context[.retry], "data-close": context[.close],
                            "aria-describedby": "import-note import-limit",
                        ])
                    HTML("p", ["id": "import-note", "class": "note"]) {
                        context[trip == nil ? .dropForTrip : .dropIntoTrip]
                    }
                    HTML("p", ["id": "import-limit", "class": "note unscripted"]) { context[.formLimit] }
                    button(.init("import"), .importChosen, style: "unscripted", form: "import")
                    // The script lists here what it sends.
                    HTML("ul", ["id": "uploads-files", "class": "uploads"])
                    HTML("button", ["id": "cancel-import", "type": "button", "class": "plain"]) { context[.cancel] }
                }
            }
        }
    }

    /// The pictures that a field for files takes: by their types, and by the names of those whose types not all browsers know.
    static let pictureTypes =
        "image/jpeg,image/png,image/gif,image/webp,image/heic,image/heif,image/avif,.heic,.heif,.avif"
    /// The bytes of a form with files, which only browsers without the script send.
    static let largestForm = 30 << 20

    struct FormAttributes {
        var style: String?
        var takesFiles = false
        var isBusy = false
    }

    /// A question above everything else, with two answers.
    ///
    /// - Parameters:
    ///   - asking: The control that has asked, which "yes" names (``PageInput/Control/answer``).
    ///   - form: The form whose fields an answer is sent with.
    func question(
        _ text: String, yes: Text, no: Text = .cancel, asking: PageInput.Control? = nil, form: String = "controls"
    ) -> HTML {
        HTML(
            "div",
            ["class": "question", "role": "alertdialog", "aria-modal": "true", "aria-labelledby": "question-text"]
        ) {
            HTML("div") {
                HTML("p", ["id": "question-text"]) { text }
                HTML("p", ["class": "buttons"]) {
                    button(.init("answer", "no"), no, key: "Escape", style: "plain", form: form)
                    button(.init("answer", asking.map { "yes \($0.text)" } ?? "yes"), yes, style: "danger", form: form)
                }
            }
        }
    }

    /// Text of a person, with its line breaks.
    @HTML.Builder
    func paragraphs(_ text: String) -> HTML {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            if index > 0 { HTML("br") }
            String(line)
        }
    }
}

extension Text {
    fileprivate static let importFiles = Text("Import photos or tracks", "사진·이동 기록 가져오기")
    fileprivate static let addFiles = Text("Add photos or tracks", "사진·이동 기록 더하기")
    fileprivate static let photosAndTracks = Text("Photos and track files", "사진과 이동 기록 파일")
    fileprivate static let dropForTrip = Text(
        "Photos, and GPX, KML, KMZ, TCX or GeoJSON, also packed by gzip. Together they become a trip. You can also drop files anywhere on this page.",
        "사진과 GPX, KML, KMZ, TCX, GeoJSON 파일이며 gzip으로 압축해도 됩니다. 함께 고른 파일은 여행 하나가 됩니다. 이 페이지 아무 곳에나 끌어다 놓아도 됩니다.")
    fileprivate static let dropIntoTrip = Text(
        "Photos, and GPX, KML, KMZ, TCX or GeoJSON, also packed by gzip. They join the days on which they were taken. You can also drop files anywhere on this page.",
        "사진과 GPX, KML, KMZ, TCX, GeoJSON 파일이며 gzip으로 압축해도 됩니다. 찍은 날의 기록에 들어갑니다. 이 페이지 아무 곳에나 끌어다 놓아도 됩니다.")
    fileprivate static let formLimit = Text(
        "At most \(Controls.largestForm >> 20) MiB at once.", "한 번에 \(Controls.largestForm >> 20)MiB까지 됩니다.")
    fileprivate static let importChosen = Text("Import the chosen files", "고른 파일 가져오기")
    fileprivate static let fileNotSent = Text("This file could not be sent.", "파일을 보내지 못했습니다.")

    fileprivate static func importing(_ files: Text) -> Text {
        Text("Importing \(files.english)…", "\(files.korean) 가져오는 중…")
    }
}
