/// The view of one trip: its header, the tabs of its days, the cards of a day, and beside them the map of that day.
@MainActor
final class TimelineView: ScreenView {
    private let context: AppContext
    private let store: BoundStore<TimelineFlow>
    private var list = RowList()
    private var current: TimelineEntry.ID?
    /// A saved entry, which becomes the current one when it appears in the list.
    private var awaited: TimelineEntry.ID?
    private var dialog: Dialog?

    init(_ store: BoundStore<TimelineFlow>, in context: AppContext) {
        self.store = store
        self.context = context
        store.send(.appeared)
    }

    var title: String { "Traveline" }

    var keys: [KeyLine.Item] {
        let state = store.state
        if state.question != nil { return context.dialogKeys(.cancel) }
        guard state.phase == .shown else {
            return state.canRetry
                ? [context.item("r", .retry), context.item("Esc", .back)] : [context.item("Esc", .back)]
        }
        let common = [
            context.item("←→", .day), context.item("↑↓", .move), context.item("↵", .open), context.item("m", .map),
            context.item("l", state.header?.like.isLiked == true ? .unlike : .like),
        ]
        let canMove = (current ?? state.cards.first?.id).map { state.timeline.canMove($0) } ?? false
        let own: [KeyLine.Item] =
            state.isMine
            ? [context.item("n", .addEntry), context.item("e", .editEntry), context.item("d", .deleteEntry)]
                + (canMove ? [context.item("JK", .moveEntry)] : [])
                + [context.item("t", .editTrip), context.item("D", .deleteTrip)]
            : [context.item("x", .report), context.item("b", .block)]
        return common + own + [context.item("r", .refresh), context.item("Esc", .back)]
    }

    func receive(_ result: ScreenResult) {
        if case .savedEntry(let entry, _) = result { awaited = entry }
        store.send(.returned(result))
    }

    // MARK: Keys

    func handle(_ event: InputEvent) -> Bool {
        guard case .key(let key) = event else { return false }
        dialog.ask(context.dialog(store.state.question, about: store.state.titleToDelete))
        if dialog != nil {
            if let isYes = dialog.handle(key).isYes { store.send(.answered(isYes)) }
            return true
        }
        let cards = synchronize()
        awaited = nil
        if list.handle(key) {
            current = cards[list.current].id
            return true
        }
        let entry = cards.indices.contains(list.current) ? cards[list.current].id : nil
        guard let action = action(for: key, entry) else { return false }
        store.send(action)
        return true
    }

    private func action(for key: Key, _ entry: TimelineEntry.ID?) -> TimelineFlow.Action? {
        switch key {
        case .left, .character("h"): return .previousDayPicked
        case .right: return .nextDayPicked
        case .enter: return entry.map { .entryTapped($0) }
        case .character("l"): return .likeTapped
        case .character("m"): return .mapTapped
        case .character("n"): return .addEntryTapped
        case .character("e"): return entry.map { .editEntryTapped($0) }
        case .character("d"): return entry.map { .deleteEntryTapped($0) }
        case .character("K"): return entry.map { .moveEntryUpTapped($0) }
        case .character("J"): return entry.map { .moveEntryDownTapped($0) }
        case .character("t"): return .editTapped
        case .character("D"): return .deleteTapped
        case .character("x"): return .reportTapped
        case .character("b"): return .blockTapped
        case .character("r"): return .retryTapped
        case .escape, .character("q"), .backspace: return .backTapped
        default:
            return key.typed?.wholeNumberValue.flatMap { $0 > 0 ? .dayPicked($0) : nil }
        }
    }

    /// Adjusts the list to the cards of the state: the current entry stays current while it is on the day.
    private func synchronize() -> [EntryCard] {
        let cards = store.state.cards
        list.setCount(cards.count)
        if let awaited, cards.contains(where: { $0.id == awaited }) {
            current = awaited
            self.awaited = nil
        }
        if let current, let index = cards.firstIndex(where: { $0.id == current }) {
            if index != list.current { list.select(index) }
        } else if !cards.isEmpty {
            // Another day starts at the top of its list.
            if current != nil { list.select(0) }
            current = cards[list.current].id
        }
        return cards
    }

    // MARK: Drawing

    func render(into grid: inout Grid, in rect: Rect) {
        let state = store.state
        var area = rect
        if let (text, style) = state.placeholder(in: context.language) {
            grid.draw(text, in: area.inset(columns: 2, rows: 1), style)
        } else {
            if let header = state.header { renderHeader(header, into: &grid, in: area.takeTop(2)) }
            if let tabs = state.tabs { DayLine(tabs, day: state.day).render(into: &grid, in: area.takeTop(1), context) }
            _ = area.takeTop(1)
            renderDay(into: &grid, in: area)
        }
        dialog.ask(context.dialog(state.question, about: state.titleToDelete))
        dialog?.render(into: &grid, in: rect)
    }

    private func renderHeader(_ card: TripCard, into grid: inout Grid, in rect: Rect) {
        let row = TripRow(card, in: context.language)
        let likes = "\(row.isLiked ? "♥" : "♡") \(context.language[.likes(row.likeCount)]) "
        let room = rect.columns - likes.displayWidth - 3
        grid.draw(row.title.onOneLine.truncated(toWidth: room), in: rect.line(0), at: 1, Styles.heading)
        grid.draw(likes, in: rect.line(0), at: max(0, room + 2), row.isLiked ? Styles.like : Styles.dim)
        let content = card.trip.content
        let themes = Theme.allCases.filter(content.themes.contains).map { $0.name(in: context.language) }
        // First, because the line may be cut off.
        let hidden = card.trip.isHidden ? [context.language[.hiddenTrip]] : []
        let details = (hidden + [row.summary, row.dates, row.author.onOneLine] + themes).joined(separator: " · ")
        grid.draw(details.truncated(toWidth: rect.columns - 2), in: rect.line(1), at: 1, Styles.dim)
    }

    private func renderDay(into grid: inout Grid, in rect: Rect) {
        var area = rect
        let cards = synchronize()
        let stops = store.state.stops
        if rect.columns >= 76, rect.rows >= 6, !stops.isEmpty {
            let side = area.takeRight(min(44, rect.columns * 2 / 5))
            let selected = cards.indices.contains(list.current) ? cards[list.current].number : nil
            MapPicture(stops, of: store.state.day, along: store.state.track).render(
                into: &grid, in: side.inset(columns: 1), selected: selected)
            _ = area.takeRight(1)
        }
        guard !cards.isEmpty else {
            grid.draw(context.language[.noEntries], in: area.inset(columns: 2), Styles.dim)
            if store.state.isMine { grid.draw("n  \(context.language[.addEntry])", in: area.line(1), at: 2) }
            return
        }
        list.setVisible(area.rows / 3)
        list.render(into: &grid, in: area, rowHeight: 3) { index, row, isCurrent, grid in
            render(cards[index], isCurrent, into: &grid, in: row)
        }
    }

    private func render(_ card: EntryCard, _ isCurrent: Bool, into grid: inout Grid, in rect: Rect) {
        let entry = card.entry
        var rest = rect
        if isCurrent { grid.fill(rest.takeTop(2), Styles.selection) }
        let plain = isCurrent ? Styles.selection : Styles.text
        var offset = grid.draw(isCurrent ? "▸ " : "  ", in: rect.line(0), plain)
        offset += grid.draw("\(entry.time) ", in: rect.line(0), at: offset, isCurrent ? plain : Styles.accent)
        // Reversed for the entries that the map shows.
        let number = isCurrent ? plain : entry.coordinate == nil ? Styles.dim : Styles.chipOn
        offset += grid.draw("\(card.number)", in: rect.line(0), at: offset, number)
        offset += grid.draw(" ", in: rect.line(0), at: offset, plain)
        let place = entry.place.map { " · \($0.name.onOneLine)" } ?? ""
        let photo = entry.pictures.isEmpty ? "" : entry.pictures.count == 1 ? " ▣" : " ▣\(entry.pictures.count)"
        let title = (entry.title.text.onOneLine + place).truncated(
            toWidth: rect.columns - offset - photo.displayWidth - 1)
        grid.draw(title + photo, in: rect.line(0), at: offset, isCurrent ? plain : Styles.heading)
        grid.draw(
            card.preview.truncated(toWidth: rect.columns - 9), in: rect.line(1), at: 8,
            isCurrent ? plain : Styles.dim)
    }
}

extension [TimelineEntry] {
    /// Whether the entry can be moved: there is another one at its time.
    fileprivate func canMove(_ entry: TimelineEntry.ID) -> Bool {
        placementAbove(entry) != nil || placementBelow(entry) != nil
    }
}

extension TimelineFlow.State {
    /// What a screen shows instead of the trip; `nil` while there is one.
    func placeholder(in language: Language) -> (text: String, style: Style)? {
        switch phase {
        case .loading: (language[.loading], Styles.dim)
        case .gone: (language[.tripGone], Styles.heading)
        case .failed(let failure): (failure.text(in: language), Styles.error)
        case .shown: nil
        }
    }

    var canRetry: Bool {
        if case .failed(let failure) = phase { failure.canRetry } else { false }
    }
}

/// The tabs of the days around the chosen one.
struct DayLine {
    private let tabs: DayTabs
    private let day: Int

    init(_ tabs: DayTabs, day: Int) {
        self.tabs = tabs
        self.day = day
    }

    @MainActor
    func render(into grid: inout Grid, in line: Rect, _ context: AppContext) {
        // A trip may have thousands of days: only tabs that can be visible are created.
        let first = max(0, day - 1 - line.columns / 6)
        let visible = tabs[first..<min(tabs.count, day + line.columns / 6 + 1)]
        Tabs(visible.map { $0.text(in: context.language) }, current: day - 1 - first)
            .render(into: &grid, in: line.inset(columns: 1))
    }
}

extension AppContext {
    /// The dialog for the question of a trip screen about what has that title.
    func dialog(_ question: TimelineFlow.Question?, about title: Title?) -> Dialog? {
        question.map { question in
            let subject = title.map { "'\($0.text.onOneLine)'\n" } ?? ""
            return Dialog(
                title: language[question.yes], message: subject + language[question.text],
                buttons: [language[.cancel], language[question.yes]])
        }
    }
}

@MainActor
final class MapView: ScreenView {
    private let context: AppContext
    private let store: BoundStore<TimelineFlow>
    private var list = RowList()

    init(_ store: BoundStore<TimelineFlow>, in context: AppContext) {
        self.store = store
        self.context = context
        store.send(.appeared)
    }

    var title: String {
        let name = store.state.header.map { " · \($0.trip.title.text.onOneLine)" } ?? ""
        return context.language[.map] + name
    }

    var keys: [KeyLine.Item] {
        [
            context.item("←→", .day), context.item("↑↓", .stop), context.item("↵", .open),
            context.item("Esc", .back),
        ]
    }

    func receive(_ result: ScreenResult) { store.send(.returned(result)) }
    func handle(_ event: InputEvent) -> Bool {
        guard case .key(let key) = event else { return false }
        let stops = store.state.stops
        list.setCount(stops.count)
        switch key {
        case .left: store.send(.previousDayPicked)
        case .right: store.send(.nextDayPicked)
        case .enter where stops.indices.contains(list.current): store.send(.entryTapped(stops[list.current].id))
        case .character("r"): store.send(.retryTapped)
        case .escape, .character("q"), .backspace: store.send(.backTapped)
        default: return list.handle(key)
        }
        return true
    }

    func render(into grid: inout Grid, in rect: Rect) {
        let state = store.state
        var area = rect
        if let (text, style) = state.placeholder(in: context.language) {
            grid.draw(text, in: area.inset(columns: 2, rows: 1), style)
            return
        }
        if let tabs = state.tabs { DayLine(tabs, day: state.day).render(into: &grid, in: area.takeTop(1), context) }
        let stops = state.stops
        list.setCount(stops.count)
        guard !stops.isEmpty else {
            grid.draw(context.language[.noPlaces], in: area.inset(columns: 2, rows: 1), Styles.dim)
            return
        }
        MapPicture(stops, of: state.day, along: state.track).render(
            into: &grid, in: area.inset(columns: 1), selected: stops[list.current].number)
    }
}

/// The stops of a day on a map of dots, with their names below.
struct MapPicture {
    private let stops: [MapStop]
    private let day: Int
    private let track: TrackGeometry?

    init(_ stops: [MapStop], of day: Int, along track: TrackGeometry?) {
        (self.stops, self.day, self.track) = (stops, day, track)
    }

    /// Draws the map, and below it the names of as many stops as fit, the selected one among them.
    func render(into grid: inout Grid, in rect: Rect, selected: Int?) {
        var area = rect
        let names = min(stops.count, max(1, rect.rows / 3))
        let list = area.takeBottom(names)
        let places = stops.map { ($0.coordinate.latitude, $0.coordinate.longitude) }
        let map = RouteMap(
            places, numbers: stops.map(\.number), along: track, isWhole: false, columns: area.columns,
            rows: area.rows)
        map.render(into: &grid, in: area, ofDay: day, selected: selected)
        let index = stops.firstIndex { $0.number == selected } ?? 0
        let top = max(0, min(index + 1 - names, stops.count - names))
        for (row, stop) in stops[top..<top + names].enumerated() {
            let isSelected = stop.number == selected
            let number = "\(stop.number)"
            let used = grid.draw(
                number, in: list.line(row), isSelected ? Styles.selection : Styles.number(ofDay: day))
            let text = " \(stop.place.name.onOneLine)".truncated(toWidth: max(list.columns - used, 0))
            grid.draw(text, in: list.line(row), at: used, isSelected ? Styles.accent : Styles.dim)
        }
    }
}
