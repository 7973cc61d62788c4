/// The authors whom the person has blocked.
@MainActor
final class BlockedView: ScreenView {
    private let context: AppContext
    private let store: BoundStore<BlockedFlow.State, BlockedFlow.Action>
    private var list = RowList()

    init(_ store: BoundStore<BlockedFlow.State, BlockedFlow.Action>, in context: AppContext) {
        self.store = store
        self.context = context
        store.send(.appeared)
    }

    private var people: [User] {
        if case .people(let people) = store.state.content { people } else { [] }
    }

    var title: String { context.language[.blockedPeople] }

    var keys: [KeyLine.Item] {
        [
            context.item("↑↓", .move), context.item("↵", .unblock), context.item("r", .refresh),
            context.item("Esc", .back),
        ]
    }

    func receive(_ result: ScreenResult) {}
    func close() { store.dismiss() }

    func handle(_ event: InputEvent) -> Bool {
        guard case .key(let key) = event else { return false }
        let people = people
        list.setCount(people.count)
        switch key {
        case .enter where people.indices.contains(list.current): store.send(.unblockTapped(people[list.current].id))
        case .character("r"): store.send(.appeared)
        case .escape, .character("q"), .backspace: store.send(.backTapped)
        default: return list.handle(key)
        }
        return true
    }

    func render(into grid: inout Grid, in rect: Rect) {
        let area = rect.inset(columns: 2, rows: 1)
        switch store.state.content {
        case .loading: grid.draw(context.language[.loading], in: area, Styles.dim)
        case .failed(let failure): grid.draw(failure.message(in: context.language).text, in: area, Styles.error)
        case .people(let people) where people.isEmpty:
            grid.draw(context.language[.nobodyBlocked], in: area, Styles.dim)
        case .people(let people):
            list.setCount(people.count)
            list.setVisible(area.rows)
            list.render(into: &grid, in: area) { index, row, isCurrent, grid in
                let isWorking = store.state.working.contains(people[index].id)
                if isCurrent { grid.fill(row, Styles.selection) }
                grid.draw(
                    (isCurrent ? "▸ " : "  ") + people[index].nickname.text + (isWorking ? " …" : ""), in: row,
                    isCurrent ? Styles.selection : Styles.text)
            }
        }
    }
}
