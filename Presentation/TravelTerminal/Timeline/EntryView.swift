/// The view of one entry of a travel: its whole text, and its place.
@MainActor
final class EntryView: ScreenView {
    private let context: AppContext
    private let store: BoundStore<TimelineFlow.State, TimelineFlow.Action>
    private var top = 0
    private var visible = 1
    private var lineCount = 0
    private var question = QuestionDialog()

    init(_ store: BoundStore<TimelineFlow.State, TimelineFlow.Action>, in context: AppContext) {
        self.store = store
        self.context = context
        store.send(.appeared)
    }

    private var entry: TimelineEntry? { store.state.entry?.entry }

    var title: String { store.state.header?.travel.title.text.onOneLine ?? "" }

    var keys: [KeyLine.Item] {
        if store.state.question != nil { return QuestionDialog.keys(context) }
        let own =
            store.state.isMine && entry != nil
            ? [context.item("e", .editEntry), context.item("d", .deleteEntry)] : []
        return [context.item("↑↓", .scroll)] + own + [context.item("Esc", .back)]
    }

    func receive(_ result: ScreenResult) { store.send(.returned(result)) }
    func close() { store.dismiss() }

    func handle(_ event: InputEvent) -> Bool {
        guard case .key(let key) = event else { return false }
        if store.state.question != nil {
            if let answer = question.answer(to: key, store.state, context) { store.send(.answered(answer)) }
            return true
        }
        switch key {
        case .up, .character("k"): top = max(0, top - 1)
        case .down, .character("j"): top = min(max(0, lineCount - visible), top + 1)
        case .pageUp: top = max(0, top - visible)
        case .pageDown, .space: top = min(max(0, lineCount - visible), top + visible)
        case .character("e"): if let entry { store.send(.editEntryTapped(entry.id)) }
        case .character("d"): if let entry { store.send(.deleteEntryTapped(entry.id)) }
        case .character("r"): store.send(.retryTapped)
        case .escape, .character("q"), .backspace: store.send(.backTapped)
        default: return false
        }
        return true
    }

    func render(into grid: inout Grid, in rect: Rect) {
        var area = rect.inset(columns: 2)
        defer { question.render(store.state, into: &grid, in: rect, context) }
        guard let entry else {
            _ = area.takeTop(1)
            switch store.state.phase {
            case .loading: grid.draw(context.language[.loading], in: area, Styles.dim)
            case .failed(let failure):
                grid.draw(failure.message(in: context.language).text, in: area, Styles.error)
            case .gone, .shown: grid.draw(context.language[.entryGone], in: area, Styles.heading)
            }
            return
        }
        let days = store.state.header?.travel.days
        let day = days.map { " · \($0.first.adding(days: entry.day - 1).tabText(in: context.language))" } ?? ""
        grid.draw("\(context.language[.day(entry.day)])\(day) · \(entry.time)", in: area.takeTop(1), Styles.accent)
        grid.draw(entry.title.text.onOneLine.truncated(toWidth: area.columns), in: area.takeTop(1), Styles.heading)
        if let place = entry.place {
            let address = place.address.isEmpty ? "" : ", \(place.address.onOneLine)"
            grid.draw(
                "\(place.coordinate == nil ? "" : "⌖ ")\(place.name.onOneLine)\(address)".truncated(
                    toWidth: area.columns), in: area.takeTop(1), Styles.dim)
        }
        if entry.image != nil { grid.draw("▣ \(context.language[.image])", in: area.takeTop(1), Styles.dim) }
        _ = area.takeTop(1)
        let lines = entry.text.text.wrapped(toWidth: max(1, area.columns))
        (lineCount, visible) = (lines.count, max(1, area.rows))
        top = min(top, max(0, lineCount - visible))
        for line in lines.dropFirst(top).prefix(area.rows) { grid.draw(line, in: area.takeTop(1)) }
    }
}
