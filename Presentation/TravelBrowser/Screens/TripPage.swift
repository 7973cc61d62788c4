internal import TravelPages

/// One trip: what it is, its map, the tabs of its days, and the entries of a day.
struct TripPage: ScreenPage {
    private let context: PageContext
    private let controls: Controls

    init(_ context: PageContext) {
        self.context = context
        controls = Controls(context)
    }

    func title(of state: TimelineFlow.State) -> String { state.header?.trip.title.text ?? context[.homeTitle] }
    func isLoading(_ state: TimelineFlow.State) -> Bool { state.phase == .loading || state.working != nil }
    func screen(of state: TimelineFlow.State) -> Screen? { .trip(state.id, day: state.day) }
    func action(for result: ScreenResult) -> TimelineFlow.Action? { .returned(result) }

    // MARK: Inputs

    func actions(for input: PageInput, in state: TimelineFlow.State) -> [TimelineFlow.Action]? {
        switch input {
        case .link(let address), .history(let address):
            guard case .trip(state.id, let day) = address.screen else { return nil }
            return [.dayPicked(day)]
        case .field: return nil
        case .control(let control): return actions(for: control)
        }
    }

    private func actions(for control: PageInput.Control) -> [TimelineFlow.Action]? {
        switch control.name {
        case "previous-day": [.previousDayPicked]
        case "next-day": [.nextDayPicked]
        case "like": [.likeTapped]
        case "report": [.reportTapped]
        case "block": [.blockTapped]
        case "edit": [.editTapped]
        case "delete": [.deleteTapped]
        case "add-entry": [.addEntryTapped]
        case "edit-entry": control.id().map { [.editEntryTapped($0)] } ?? []
        case "delete-entry": control.id().map { [.deleteEntryTapped($0)] } ?? []
        case "move-up": control.id().map { [.moveEntryUpTapped($0)] } ?? []
        case "move-down": control.id().map { [.moveEntryDownTapped($0)] } ?? []
        case "answer":
            (control.answer.asking.flatMap { $0.name == "answer" ? nil : actions(for: $0) } ?? [])
                + [.answered(control.answer.isYes)]
        case "retry": [.retryTapped]
        default: nil
        }
    }

    // MARK: View

    @HTML.Builder
    func view(of state: TimelineFlow.State) -> HTML {
        switch state.phase {
        case .loading: controls.loading()
        case .gone: controls.gone(.tripGone)
        case .failed(let failure): controls.failure(failure, retry: .init("retry"))
        case .shown:
            if let card = state.header {
                header(card, state)
                controls.map(of: state, caption: mapLink(state))
                if let tabs = state.tabs { DayLinks(tabs, of: state.id, day: state.day, controls).html }
                day(state)
            }
        }
        if let question = state.question {
            controls.question(
                (state.titleToDelete.map { "\($0.text)\n" } ?? "") + context[question.text], yes: question.yes,
                asking: Self.control(question))
        }
    }

    /// The control that asks a question.
    private static func control(_ question: TimelineFlow.Question) -> PageInput.Control {
        switch question {
        case .report: .init("report")
        case .block: .init("block")
        case .deleteTrip: .init("delete")
        case .deleteEntry(let entry): .init("delete-entry", "\(entry)")
        }
    }

    private func header(_ card: TripCard, _ state: TimelineFlow.State) -> HTML {
        let row = TripRow(card, in: context.language)
        let cover = card.trip.thumbnail.flatMap { chosen in
            // A picture of the timeline is shown there.
            state.timeline.contains { $0.pictures.contains { $0.id == chosen } } ? nil : chosen
        }
        return HTML("header", ["id": "trip"]) {
            HTML("h1", ["dir": "auto"]) { row.title }
            HTML("p", ["class": "dates"]) { context.language[.dates(card.trip.days)] }
            HTML("ul", ["class": "facts"]) {
                if card.trip.isHidden { HTML("li") { context[.hiddenTrip] } }
                for trait in card.trip.content.traits(in: context.language) { HTML("li") { trait } }
                HTML("li") { HTML("bdi") { row.author } }
            }
            if let cover {
                HTML(
                    "img",
                    [
                        "class": "banner", "src": context.picture(cover, .middle, of: card.trip),
                        "alt": context[.coverOfTrip],
                    ])
            }
            if state.isMine { sharing(card.trip) }
            HTML("p", ["class": "buttons"]) {
                controls.like(card)
                if state.isMine {
                    controls.button(.init("add-entry"), .addEntry, key: "a")
                    controls.button(.init("edit"), .editTrip, key: "t", style: "plain")
                    controls.button(.init("delete"), .deleteTrip, key: "D", style: "plain")
                } else {
                    controls.button(.init("report"), .report, key: "x", style: "plain")
                    controls.button(.init("block"), .block, key: "b", style: "plain")
                }
            }
            if state.isMine { HTML("div", ["class": "chips"]) { controls.fileImport(into: state.id) } }
        }
    }

    /// Who sees the trip, and by which address.
    private func sharing(_ trip: Trip) -> HTML {
        let level = trip.content.audience.level
        return HTML("p", ["id": "sharing", "class": "note"]) {
            HTML("span") { "\(context[.audience]): \(context[level.names])" }
            if level != .onlyMe {
                if let address = context.sharedPage?.address(trip.id, trip.content.audience.key) {
                    HTML("a", ["href": address]) { context[.sharedPage] }
                    HTML(
                        "button",
                        [
                            "type": "button", "class": "plain small", "data-copy": address,
                            "data-copied": context[.linkCopied], "aria-live": "polite",
                        ]
                    ) { context[.copyLink] }
                } else {
                    HTML("span") { context[.needsServer] }
                }
            }
        }
    }

    /// The way to a larger map of the day.
    private func mapLink(_ state: TimelineFlow.State) -> HTML {
        guard !state.stops.isEmpty else { return HTML() }
        return HTML("p", ["class": "note"]) {
            HTML("a", ["href": context.address(of: .map(state.id, day: state.day))]) {
                context[.mapOfDay(state.day)]
            }
        }
    }

    private func day(_ state: TimelineFlow.State) -> HTML {
        HTML("section", ["id": "day", "aria-label": context[.entriesOfDay]]) {
            let cards = state.cards
            if cards.isEmpty { HTML("p", ["class": "empty"]) { context[.noEntries] } }
            for card in cards { entry(card, state) }
        }
    }

    private func entry(_ card: EntryCard, _ state: TimelineFlow.State) -> HTML {
        let entry = card.entry
        // It stays the same element when others come before it, which changes its number.
        return HTML("article", ["id": "entry-\(entry.id)"]) {
            HTML("p", ["class": "when"]) {
                HTML("time") { entry.time.description }
                HTML("span", ["id": "stop-\(card.number)", "class": "stop"]) { "\(card.number)" }
            }
            HTML("h2", ["dir": "auto"]) {
                HTML("a", ["href": context.address(of: .entry(entry.id, in: state.id))]) { entry.title.text }
            }
            EntryBody(entry, of: state.header?.trip, controls).html
            if state.isMine {
                HTML("p", ["class": "buttons"]) {
                    controls.button(
                        .init("edit-entry", "\(entry.id)"), .editEntry, symbol: context[.edit], style: "plain small")
                    if state.timeline.placementAbove(entry.id) != nil {
                        controls.button(
                            .init("move-up", "\(entry.id)"), .moveUp, symbol: "↑", style: "plain small")
                    }
                    if state.timeline.placementBelow(entry.id) != nil {
                        controls.button(
                            .init("move-down", "\(entry.id)"), .moveDown, symbol: "↓", style: "plain small")
                    }
                    controls.button(
                        .init("delete-entry", "\(entry.id)"), .deleteEntry, symbol: context[.delete],
                        style: "plain small")
                }
            }
        }
    }
}

/// The place, the pictures and the text of an entry.
struct EntryBody {
    private let entry: TimelineEntry
    private let trip: Trip?
    private let controls: Controls

    init(_ entry: TimelineEntry, of trip: Trip?, _ controls: Controls) {
        (self.entry, self.trip, self.controls) = (entry, trip, controls)
    }

    private var context: PageContext { controls.context }

    @HTML.Builder
    var html: HTML {
        place
        pictures
        text
    }

    @HTML.Builder
    var place: HTML {
        // What the title says is not said twice.
        if let place = entry.place, place.name != entry.title.text || !place.address.isEmpty {
            HTML("p", ["class": "place", "dir": "auto"]) {
                if place.hasNumbersForName { place.name } else { HTML("b") { place.name } }
                if !place.address.isEmpty { " \(place.address)" }
            }
        }
    }

    @HTML.Builder
    private var pictures: HTML {
        if !entry.pictures.isEmpty {
            HTML("div", ["class": entry.pictures.count == 1 ? "pictures one" : "pictures"]) {
                for picture in entry.pictures {
                    link(to: picture)
                }
            }
        }
    }

    /// A picture that leads to its whole.
    func link(to picture: Picture) -> HTML {
        HTML("a", ["href": context.picture(picture.id, of: trip), "data-picture": ""]) {
            HTML(
                "img",
                [
                    "src": context.picture(picture.id, .middle, of: trip), "loading": "lazy",
                    "alt": picture.text?.text ?? context.language[.picture(of: entry.title)],
                ])
        }
    }

    var text: HTML { HTML("p", ["class": "text", "dir": "auto"]) { controls.paragraphs(entry.text.text) } }
}

/// The links to the days of a trip around the chosen one: a trip may have thousands of days.
struct DayLinks {
    private let tabs: DayTabs
    private let day: Int
    private let trip: Trip.ID
    private let controls: Controls
    private let isMap: Bool

    private static let reach = 15

    init(_ tabs: DayTabs, of trip: Trip.ID, day: Int, isMap: Bool = false, _ controls: Controls) {
        (self.tabs, self.trip, self.day, self.isMap, self.controls) = (tabs, trip, day, isMap, controls)
    }

    private func link(_ number: Int) -> String {
        controls.context.address(of: isMap ? .map(trip, day: number) : .trip(trip, day: number))
    }

    var html: HTML {
        let shown = tabs[max(0, day - 1 - Self.reach)..<min(tabs.count, day + Self.reach)]
        return HTML("nav", ["id": "days", "class": "days", "aria-label": controls.context[.days]]) {
            for tab in shown {
                HTML(
                    "a",
                    [
                        "href": link(tab.number), "aria-current": tab.number == day ? "page" : nil,
                        "data-key": tab.number == day - 1 ? "ArrowLeft" : tab.number == day + 1 ? "ArrowRight" : nil,
                    ]
                ) {
                    HTML("b") { controls.context.language[.day(tab.number)] }
                    " \(tab.text(in: controls.context.language))"
                }
            }
        }
    }
}

extension Controls {
    /// What is shown instead of something that is not there, or not for this user.
    func gone(_ text: Text) -> HTML {
        HTML("div", ["class": "empty"]) {
            HTML("h1") { context[text] }
            HTML("p") { link(.home, .homeTitle) }
        }
    }
}

/// The map of a day.
struct MapPage: ScreenPage {
    private let context: PageContext
    private let controls: Controls

    init(_ context: PageContext) {
        self.context = context
        controls = Controls(context)
    }

    func title(of state: TimelineFlow.State) -> String {
        context[.map] + (state.header.map { " · \($0.trip.title.text)" } ?? "")
    }

    func isLoading(_ state: TimelineFlow.State) -> Bool { state.phase == .loading }
    func screen(of state: TimelineFlow.State) -> Screen? { .map(state.id, day: state.day) }
    func action(for result: ScreenResult) -> TimelineFlow.Action? { .returned(result) }

    func actions(for input: PageInput, in state: TimelineFlow.State) -> [TimelineFlow.Action]? {
        switch input {
        case .link(let address), .history(let address):
            guard case .map(state.id, let day) = address.screen else { return nil }
            return [.dayPicked(day)]
        case .control(.init("retry")): return [.retryTapped]
        case .control, .field: return nil
        }
    }

    @HTML.Builder
    func view(of state: TimelineFlow.State) -> HTML {
        switch state.phase {
        case .loading: controls.loading()
        case .gone: controls.gone(.tripGone)
        case .failed(let failure): controls.failure(failure, retry: .init("retry"))
        case .shown:
            HTML("h1", ["dir": "auto"]) { title(of: state) }
            if let tabs = state.tabs { DayLinks(tabs, of: state.id, day: state.day, isMap: true, controls).html }
            if state.stops.isEmpty { HTML("p", ["class": "empty"]) { context[.noPlaces] } }
            controls.map(of: state, on: state.day, style: "large")
            HTML("ol", ["id": "stops"]) {
                for stop in state.stops {
                    HTML("li", ["id": "stop-\(stop.number)", "value": "\(stop.number)"]) {
                        HTML("a", ["href": context.address(of: .entry(stop.id, in: state.id)), "dir": "auto"]) {
                            stop.place.name == stop.entry.title.text
                                ? stop.place.name : "\(stop.entry.title) · \(stop.place.name)"
                        }
                    }
                }
            }
        }
    }
}

extension Text {
    fileprivate static let coverOfTrip = Text("Cover photo", "대표 사진")
    fileprivate static let sharedPage = Text("The page that others see", "다른 사람이 보는 페이지")
    fileprivate static let copyLink = Text("Copy link", "링크 복사")
    fileprivate static let linkCopied = Text("Copied", "복사했습니다")
    fileprivate static let needsServer = Text(
        "Others see it once this device is connected to a server.", "이 기기를 서버에 연결하면 다른 사람이 볼 수 있습니다.")

    fileprivate static func mapOfDay(_ day: Int) -> Text { Text("Map of day \(day)", "\(day)일차 지도") }
}
