/// The map of a day, on the whole screen.
@MainActor
final class MapView: ScreenView {
    private let context: AppContext
    private let store: BoundStore<TimelineFlow.State, TimelineFlow.Action>
    private var list = RowList()

    init(_ store: BoundStore<TimelineFlow.State, TimelineFlow.Action>, in context: AppContext) {
        self.store = store
        self.context = context
        store.send(.appeared)
    }

    var title: String {
        let name = store.state.header.map { " · \($0.travel.title.text.onOneLine)" } ?? ""
        return context.language[.map] + name
    }

    var keys: [KeyLine.Item] {
        [
            context.item("←→", .otherDay), context.item("↑↓", .stop), context.item("↵", .open),
            context.item("Esc", .back),
        ]
    }

    func receive(_ result: ScreenResult) { store.send(.returned(result)) }
    func close() { store.dismiss() }

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
        switch state.phase {
        case .loading: grid.draw(context.language[.loading], in: area.inset(columns: 2, rows: 1), Styles.dim)
        case .gone: grid.draw(context.language[.tripGone], in: area.inset(columns: 2, rows: 1), Styles.heading)
        case .failed(let failure):
            grid.draw(failure.message(in: context.language).text, in: area.inset(columns: 2, rows: 1), Styles.error)
        case .shown:
            if let tabs = state.tabs { DayLine(tabs, day: state.day).render(into: &grid, in: area.takeTop(1), context) }
            let stops = state.stops
            list.setCount(stops.count)
            guard !stops.isEmpty else {
                grid.draw(context.language[.noPlaces], in: area.inset(columns: 2, rows: 1), Styles.dim)
                return
            }
            MapPicture(stops, along: state.track).render(
                into: &grid, in: area.inset(columns: 1), selected: stops[list.current].number)
        }
    }
}
