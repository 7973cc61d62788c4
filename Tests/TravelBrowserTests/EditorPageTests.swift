import Foundation
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting
import TravelFileSamples
import TravelPages
@testable import TravelBrowser

/// States of the editors, made by their reducers, and their pages.
enum EditorStates {
    static let texts = [
        "<script>alert(1)</script>", "\" onload=\"alert(1)", "' style='color:red", "</style><style>*{display:none}",
        "</textarea><script>", "javascript:alert(1)", "a\u{202E}drow\u{2066}b", "&lt;b&gt;&#60;i&#62;&amp;", "👩‍👩‍👧‍👦🏳️‍🌈",
        "]]><![CDATA[<b>", "<!-- --><img src=x onerror=1>",
    ]

    static func context(_ language: Language = .english) -> PageContext {
        PageContext(
            language: language, user: nil, site: PageSite(base: "/app"), now: Date(timeIntervalSince1970: 0),
            token: "secret", address: "/app/trips/new")
    }

    static var useCases: ScreenUseCases {
        let session = InMemorySession()
        return ScreenUseCases(
            store: InMemoryTripRepository(), session: session, identity: session,
            recentKeywords: InMemoryRecentKeywordRepository(), readImage: { _ in throw CancellationError() },
            saveLanguage: { _ in })
    }

    static func recorded(_ text: String = "Busan") throws -> RecordedTrip {
        try TripBuilder(seed: 1).with {
            $0.title = text
            $0.numberOfDays = 3
            $0.timeline = [
                try TimelineEntry(
                    seed: 7, title: text, text: "\n\(text)\nend",
                    place: try Place(name: text, address: text, coordinate: Coordinate(latitude: 35, longitude: 129)),
                    image: TripImage.ID(seed: 3))
            ]
        }.build()
    }

    static func picture(_ seed: UInt64, daysLater: Int = 0) throws -> PickedImage {
        PickedImage(
            try TripImage(seed: seed),
            taken: PhotoDate(
                day: try recorded().content.days.first.adding(days: daysLater), time: try TimeOfDay("10:30")),
            coordinate: try Coordinate(latitude: 35, longitude: 129))
    }

    static func trip(_ actions: [TripEditorFlow.Action], isNew: Bool = true) -> TripEditorFlow.State {
        let flow =
            isNew
            ? TripEditorFlow(useCases, newTrip: Trip.ID(seed: 9)) : TripEditorFlow(useCases, trip: Trip.ID(seed: 1))
        return actions.reduce(into: flow.initialState) { _ = flow.reduce(&$0, $1) }
    }

    static func entry(_ actions: [EntryPlaceFlow.Action], isNew: Bool = false) throws -> EntryPlaceFlow.State {
        let trip = try recorded().id
        let flow =
            isNew
            ? EntryEditorFlow(useCases, newEntryIn: trip, day: 2, id: TimelineEntry.ID(seed: 8))
            : EntryEditorFlow(useCases, entry: TimelineEntry.ID(seed: 7), in: trip)
        return actions.reduce(into: flow.initialState) { _ = flow.reduce(&$0, $1) }
    }

    /// Trips in their form, by what there is to see.
    static func trips(_ text: String = "Busan") throws -> [(name: String, state: TripEditorFlow.State)] {
        let stored = try recorded(text)
        let changed: [TripEditorFlow.Action] = [.loaded(.success(stored)), .edited(.titleTyped(text + "!"))]
        let theirs = try TripBuilder(seed: 1).with { $0.title = "Elsewhere" }.build()
        let failure = ScreenFailure.domain(.unavailable(.init("The store is busy.", canRetry: true)))
        return [
            ("loading", trip([], isNew: false)), ("failed", trip([.loaded(.failure(failure))], isNew: false)),
            ("new", trip([])), ("stored", trip([.loaded(.success(stored))], isNew: false)),
            (
                "problems",
                trip([
                    .edited(.titleTyped("")), .edited(.firstDayTyped("x")), .fieldLeft(.region),
                    .edited(.lastDayTyped(text)),
                ])
            ),
            ("one day", trip([.edited(.titleTyped(text)), .edited(.firstDayTyped("2026-05-01"))])),
            ("saving", trip(changed + [.saveTapped], isNew: false)),
            ("asks", trip(changed + [.backTapped], isNew: false)),
            ("conflict", trip(changed + [.saveTapped, .saved(.failure(.domain(.outdated(theirs))))], isNew: false)),
            ("reading", trip([.imagePicked(StagedPicture(TripImage.ID(seed: 4), name: text).path)])),
            ("cover", trip([.imagePicked("x"), .imageRead(.success(try picture(4)))])),
            (
                "no cover",
                trip([
                    .imagePicked(StagedPicture(TripImage.ID(seed: 4), name: text).path),
                    .imageRead(.failure(.domain(.invalid(.init(.image, .empty))))),
                ])
            ),
        ]
    }

    /// Entries in their form, by what there is to see.
    static func entries(_ text: String = "Busan") throws -> [(name: String, state: EntryPlaceFlow.State)] {
        let stored = try recorded(text)
        let loaded = EntryPlaceFlow.Action.form(.loaded(.success(stored)))
        let changed: [EntryPlaceFlow.Action] = [loaded, .form(.edited(.titleTyped(text + "!")))]
        let theirs = try TripBuilder(seed: 1).with { $0.title = "Elsewhere" }.build()
        func read(_ seed: UInt64, _ daysLater: Int) throws -> [EntryPlaceFlow.Action] {
            [
                .form(.imagePicked("\(TripImage.ID(seed: seed))")),
                .form(.imageRead(.success(try picture(seed, daysLater: daysLater)))),
            ]
        }
        let pictures = try read(4, 0) + read(5, 1) + read(6, 9)
        let described = EntryPlaceFlow.Action.form(.edited(.pictureDescribed(try picture(4).image.id, text)))
        let shown = EntryPlaceFlow.Action.form(.edited(.picturePositionTapped(try picture(4).image.id)))
        let known = try KnownPlace(
            place: Place(name: text, address: text, coordinate: Coordinate(latitude: 35.5, longitude: 129.25)),
            englishName: "x", region: .busan)
        let failed = EntryPlaceFlow.Action.form(.imageRead(.failure(.domain(.invalid(.init(.image, .empty))))))
        return [
            ("loading", try entry([])), ("new", try entry([loaded], isNew: true)), ("stored", try entry([loaded])),
            (
                "problems",
                try entry([
                    loaded, .form(.edited(.titleTyped(""))), .form(.edited(.timeTyped(text))),
                    .form(.edited(.dayPicked(9))),
                ])
            ),
            ("saving", try entry(changed + [.form(.saveTapped)])), ("asks", try entry(changed + [.form(.backTapped)])),
            (
                "deleted",
                try entry(changed + [.form(.saveTapped), .form(.saved(.failure(.domain(.outdated(theirs)))))])
            ),
            ("pictures", try entry([loaded] + pictures + [described, shown])),
            (
                "failures",
                try entry(
                    [loaded, .form(.imagePicked(StagedPicture(TripImage.ID(seed: 5), name: text).path)), failed]
                        + read(4, 0))
            ),
            ("places", try entry([loaded, .placeTyped(text), .placesFound(text, .success([known]))], isNew: true)),
            ("no places", try entry([loaded, .placeTyped(text), .placesFound(text, .success([]))], isNew: true)),
            ("typed place", try entry([loaded, .placeRemoved, .placeTyped(text)])),
        ]
    }

    static func parsed(_ html: HTML) -> CheckedXML {
        CheckedXML(HTML("body") { html }.document(.svg))
    }

    /// What a browser sends with a form, without its controls.
    static func fields(_ page: CheckedXML) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        for element in page.elements {
            guard ["input", "select", "option", "textarea"].contains(element.name), element.attributes["type"] != "file"
            else { continue }
            if element.name == "option", element.attributes["selected"] != nil, let value = element.attributes["value"]
            {
                fields[fields.count - 1].value = value
            }
            guard let name = element.attributes["name"] else { continue }
            if ["checkbox", "radio"].contains(element.attributes["type"]), element.attributes["checked"] == nil {
                continue
            }
            fields.append(
                (
                    name,
                    element.name == "textarea" ? String(element.text.dropFirst()) : element.attributes["value"] ?? ""
                ))
        }
        return fields.filter { $0.name != "token" }
    }
}

@Suite("Pages of the editors", .limitedConcurrency)
struct EditorPageTests {
    private static func pages(_ language: Language, _ text: String = "Busan") throws -> [(
        name: String, page: CheckedXML
    )] {
        let context = EditorStates.context(language)
        return try EditorStates.trips(text).map {
            ("trip: \($0.name)", EditorStates.parsed(TripEditorPage(context).view(of: $0.state)))
        }
            + EditorStates.entries(text).map {
                ("entry: \($0.name)", EditorStates.parsed(EntryEditorPage(context).view(of: $0.state)))
            }
    }

    @Test(
        "a page is well-formed, and every field has a label and describes itself by what is there",
        arguments: Language.allCases)
    func wellFormed(language: Language) throws {
        for (name, page) in try Self.pages(language) {
            #expect(page.defects { $0.hasPrefix("/app/") } == [], "\(name)")
            let ids = Set(page.elements.compactMap { $0.attributes["id"] })
            let labelled = Set(page.all("label").compactMap { $0.attributes["for"] })
            for element in page.elements {
                if let described = element.attributes["aria-describedby"] {
                    #expect(ids.contains(described), "\(name): \(described)")
                }
                let type = element.attributes["type"]
                let needsLabel =
                    ["input", "select", "textarea"].contains(element.name)
                    && !["hidden", "checkbox", "radio"].contains(type)
                if needsLabel {
                    #expect(labelled.contains(element.attributes["id"] ?? ""), "\(name): \(element.attributes)")
                }
                if element.name == "form" {
                    #expect(element.attributes["method"] == "post" && element.attributes["action"] == "/app/trips/new")
                }
            }
        }
    }

    @Test("every control of a page is understood by it")
    func controls() throws {
        let context = EditorStates.context()
        var names: Set<String> = []
        for (name, state) in try EditorStates.trips() {
            for button in EditorStates.parsed(TripEditorPage(context).view(of: state)).all("button") {
                let control = PageInput.Control(text: try #require(button.attributes["value"]))
                #expect(
                    TripEditorPage(context).actions(for: .control(control), in: state) != nil, "\(name): \(control)")
                names.insert(control.name)
            }
        }
        for (name, state) in try EditorStates.entries() {
            for button in EditorStates.parsed(EntryEditorPage(context).view(of: state)).all("button") {
                let control = PageInput.Control(text: try #require(button.attributes["value"]))
                let actions = EntryEditorPage(context).actions(for: .control(control), in: state)
                #expect(actions != nil, "\(name): \(control)")
                // What acts on a picture or a place acts on one that is there.
                if control.name.hasPrefix("move") || control.name.hasPrefix("remove") || control.name == "pick-place" {
                    #expect(actions?.isEmpty == false, "\(name): \(control)")
                }
                names.insert(control.name)
            }
        }
        #expect(
            names == [
                "save", "back", "answer", "merge", "take-theirs", "close-conflict", "retry",
                "close-failure",
                "upload",
                "remove-image", "remove-place", "search-places", "pick-place", "move-left", "move-right",
                "show-position",
                "remove-position", "remove-time", "remove-picture",
            ])
    }

    @Test("posting a page as it is changes nothing")
    func unchanged() throws {
        let context = EditorStates.context()
        // The state after each field, as a run has it.
        for (name, state) in try EditorStates.trips() where name != "reading" {
            let page = EditorStates.parsed(TripEditorPage(context).view(of: state))
            for input in Self.inputs(page) {
                #expect(TripEditorPage(context).actions(for: input, in: state) == [], "\(name): \(input)")
            }
        }
        for (name, state) in try EditorStates.entries() where name != "problems" {
            let page = EditorStates.parsed(EntryEditorPage(context).view(of: state))
            for input in Self.inputs(page) {
                #expect(EntryEditorPage(context).actions(for: input, in: state) == [], "\(name): \(input)")
            }
        }
    }

    /// Of several fields of one name, the last one counts.
    private static func inputs(_ page: CheckedXML) -> [PageInput] {
        // Which page it is means nothing to the screen.
        let fields = EditorStates.fields(page).filter { $0.name != "page" }
        return fields.enumerated().compactMap { index, field in
            fields[(index + 1)...].contains { $0.name == field.name }
                ? nil : PageInput(name: field.name, value: field.value)
        }
    }

    @Test("a text is text wherever it is, whatever it contains", arguments: EditorStates.texts, Language.allCases)
    func hostile(text: String, language: Language) throws {
        func skeleton(_ page: CheckedXML) -> String {
            page.elements.map { "\($0.name) \($0.attributes.keys.sorted())" }.joined(separator: "\n")
        }
        for ((name, page), (_, plain)) in zip(try Self.pages(language, text), try Self.pages(language, "plain")) {
            #expect(page.defects { $0.hasPrefix("/app/") } == [], "\(name)")
            #expect(skeleton(page) == skeleton(plain), "\(name)")
        }
    }

    @Test("a problem stands below its field, which refers to it")
    func problems() throws {
        let state = EditorStates.trip([
            .edited(.titleTyped("x")), .edited(.titleTyped("")), .edited(.lastDayTyped("x")),
        ])
        let page = EditorStates.parsed(TripEditorPage(EditorStates.context(.korean)).view(of: state))
        let title = try #require(page.elements.first { $0.attributes["id"] == "edit-title" })
        #expect(title.attributes["aria-invalid"] == "true" && title.attributes["aria-describedby"] == "problem-title")
        #expect(page.elements.first { $0.attributes["id"] == "problem-title" }?.text == "제목을 입력하세요.")
        #expect(page.elements.first { $0.attributes["id"] == "problem-region" }?.text == "")
    }

    @Test("a date that is missing is to be chosen, not typed as an example shows")
    func missingDate() throws {
        let state = EditorStates.trip([.edited(.firstDayTyped("2024-05-01")), .edited(.firstDayTyped(""))])
        let page = EditorStates.parsed(TripEditorPage(EditorStates.context()).view(of: state))
        #expect(page.elements.first { $0.attributes["id"] == "problem-first-day" }?.text == "Choose a date.")
    }

    @Test("the versions of a conflict stand beside each other")
    func conflict() throws {
        let state = try #require(try EditorStates.trips().first { $0.name == "conflict" }).state
        let page = EditorStates.parsed(TripEditorPage(EditorStates.context()).view(of: state))
        let cells = page.all("td").map(\.text)
        #expect(cells.contains("Busan!") && cells.contains("Elsewhere"))
        // What both have changed is chosen; what only the other one has changed is said.
        let choices = page.all("input").filter { $0.attributes["name"] == "version-title" }
        #expect(choices.compactMap { $0.attributes["value"] } == ["mine", "theirs"])
        #expect(choices.map { $0.attributes["checked"] != nil } == [true, false])
        #expect(page.all("ul", class: "arrived").map(\.text).contains { $0.hasPrefix("Last day: ") })
        var chosen = state
        let flow = TripEditorFlow(EditorStates.useCases, trip: Trip.ID(seed: 1))
        let editor = TripEditorPage(EditorStates.context())
        for action in editor.actions(for: .field("version-title", "theirs"), in: state) ?? [] {
            _ = flow.reduce(&chosen, action)
        }
        #expect(chosen.chosen == [.title] && chosen.merge?.result.title == "Elsewhere")
        for field in ["version-nothing", "version-title"] {
            #expect(editor.actions(for: .field(field, "neither"), in: state) == [])
        }
        #expect(page.all("div", class: "question versions").first?.attributes["role"] == "alertdialog")
    }

    @Test("a picture that fails stays named while others are picked, until it is closed")
    func failures() throws {
        let state = try #require(try EditorStates.entries("sea.jpg").first { $0.name == "failures" }).state
        #expect(state.form.draft.pictures.count == 2 && state.form.failedImages.count == 1)
        let page = EditorStates.parsed(EntryEditorPage(EditorStates.context()).view(of: state))
        let failure = try #require(page.all("li", class: "problem").first)
        #expect(failure.text.hasPrefix("sea.jpg: ") && failure.text.count > 15)
        let flow = EntryEditorFlow(EditorStates.useCases, entry: TimelineEntry.ID(seed: 7), in: state.form.trip)
        var closed = state
        _ = flow.reduce(&closed, .form(.imageFailureClosed(state.form.failedImages[0].path)))
        #expect(closed.form.failedImages == [] && closed.form.problem(of: .pictures) == nil)
    }

    @Test("a picture of another day asks beside itself, also after another one was picked")
    func otherDay() throws {
        let state = try #require(try EditorStates.entries().first { $0.name == "pictures" }).state
        let page = EditorStates.parsed(EntryEditorPage(EditorStates.context()).view(of: state))
        #expect(page.all("p", class: "problem").filter { $0.text.contains("outside of the trip") }.count == 1)
        #expect(state.form.draft.pictures.count == 4)
    }

    @Test("pictures are restored in their order, with what was changed, from the page alone")
    func restored() throws {
        let page = EntryEditorPage(EditorStates.context())
        let loaded = EntryPlaceFlow.Action.form(.loaded(.success(try EditorStates.recorded())))
        let ids = try (4...6).map { try EditorStates.picture(UInt64($0)).image.id }
        let stored = TripImage.ID(seed: 3)
        let flow = EntryEditorFlow(
            EditorStates.useCases, entry: TimelineEntry.ID(seed: 7), in: try EditorStates.recorded().id)
        let full = try #require(try EditorStates.entries().first { $0.name == "pictures" }).state
        var wanted = full
        for change: EntryDraft.Change in [
            .pictureMoved(ids[2], to: 0), .pictureRemoved(stored), .picturePositionRemoved(ids[1]),
            .pictureTimeRemoved(ids[2]), .pictureMoved(ids[0], to: 2), .placeRemoved,
        ] {
            _ = flow.reduce(&wanted, .form(.edited(change)))
        }
        let fields = EditorStates.fields(EditorStates.parsed(page.view(of: wanted)))
        let restore = PageInput.field("restore", try #require(fields.first { $0.name == "restore" }?.value))

        var state = try EditorStates.entry([loaded])
        let picks = try #require(page.actions(for: restore, in: state))
        #expect(picks.count == 3)
        for action in picks {
            _ = flow.reduce(&state, action)
        }
        for id in [ids[2], ids[1], ids[0]] {
            let seed = UInt64(4 + (try #require(ids.firstIndex(of: id))))
            let picked = try EditorStates.picture(seed, daysLater: [4: 0, 5: 1, 6: 9][seed] ?? 0)
            _ = flow.reduce(&state, .form(.imageRead(.success(picked))))
        }
        for action in try #require(page.actions(for: restore, in: state)) { _ = flow.reduce(&state, action) }
        #expect(state.form.draft.pictures.map(\.id) == wanted.form.draft.pictures.map(\.id))
        #expect(state.form.draft.pictures.map(\.position) == wanted.form.draft.pictures.map(\.position))
        #expect(state.form.draft.pictures.map(\.taken) == wanted.form.draft.pictures.map(\.taken))
        #expect(state.form.draft.place == nil)
        #expect(page.actions(for: restore, in: state) == [])
    }

    @Test(
        "a restored text of another origin is harmless",
        arguments: [
            "", "{}", "null", "[]", #"{"pictures":[]}"#,
            #"{"pictures":[{"id":"../../etc/passwd","hasTime":true},{"id":"x y","hasTime":true}]}"#,
            #"{"place":{"name":"","address":"","latitude":1e300,"longitude":0},"pictures":[]}"#,
        ])
    func foreign(text: String) throws {
        let state = try EditorStates.entry([.form(.loaded(.success(try EditorStates.recorded())))])
        let actions = EntryEditorPage(EditorStates.context()).actions(for: .field("restore", text), in: state)
        for action in actions ?? [] {
            if case .form(.imagePicked) = action { Issue.record("\(text) picks a picture") }
        }
        #expect(actions != nil)
    }

    @Test("unsaved changes are what leaving would lose")
    func unsaved() throws {
        let page = TripEditorPage(EditorStates.context())
        let unsaved = try EditorStates.trips().filter { page.hasUnsavedChanges($0.state) }.map(\.name)
        #expect(unsaved == ["problems", "one day", "saving", "asks", "conflict", "reading", "cover"])
        let entryPage = EntryEditorPage(EditorStates.context())
        let entries = try EditorStates.entries().filter { entryPage.hasUnsavedChanges($0.state) }.map(\.name)
        #expect(
            entries == [
                "problems", "saving", "asks", "deleted", "pictures", "failures", "places", "no places", "typed place",
            ])
    }
}
