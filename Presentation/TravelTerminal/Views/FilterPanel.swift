/// The filter sheet: one filter at a time, with a list of its values.
@MainActor
struct FilterPanel {
    private let context: AppContext
    private var options = RowList()
    private var kind: FilterKind?

    init(_ context: AppContext) {
        self.context = context
    }

    var keys: [KeyLine.Item] {
        [
            context.item("Space", .choose), context.item("↑↓", .move), context.item("←→", .filters),
            context.item("↵", .applyFilters), context.item("c", .clearFilters), context.item("Esc", .cancel),
        ]
    }

    mutating func handle(
        _ event: InputEvent, _ sheet: HomeFlow.FilterSheet, send: (HomeFlow.Action) -> Void
    ) -> Bool {
        follow(sheet)
        guard case .key(let key) = event else { return true }
        let kinds = FilterKind.allCases
        let index = kinds.firstIndex(of: sheet.kind) ?? 0
        switch key {
        case .enter: send(.filter(.applied))
        case .escape, .character("q"): send(.filter(.closed))
        case .space, .character("x"):
            if sheet.kind.options.indices.contains(options.current) {
                send(.filter(.optionTapped(sheet.kind.options[options.current])))
            }
        case .left, .backTab, .character("h"):
            send(.filter(.kindPicked(kinds[(index + kinds.count - 1) % kinds.count])))
        case .right, .tab, .character("l"): send(.filter(.kindPicked(kinds[(index + 1) % kinds.count])))
        case .character("c"): send(.filter(.sheetCleared))
        default:
            if let digit = key.typed?.wholeNumberValue, kinds.indices.contains(digit - 1) {
                send(.filter(.kindPicked(kinds[digit - 1])))
            } else {
                _ = options.handle(key)
            }
        }
        return true
    }

    private mutating func follow(_ sheet: HomeFlow.FilterSheet) {
        if sheet.kind != kind { options = RowList() }
        kind = sheet.kind
        options.setCount(sheet.kind.options.count)
    }

    mutating func render(_ sheet: HomeFlow.FilterSheet, into grid: inout Grid, in rect: Rect) {
        follow(sheet)
        let box = rect.centered(columns: min(rect.columns, 64), rows: min(rect.rows, 22))
        Frame(title: context.language[.filters]).render(into: &grid, in: box)
        var area = box.inset(columns: 2, rows: 1)
        let tabs = Tabs(
            sheet.chips.map { $0.kind.name(in: context.language) + ($0.isOn ? " •" : "") },
            current: FilterKind.allCases.firstIndex(of: sheet.kind) ?? 0)
        tabs.render(into: &grid, in: area.takeTop(1))
        _ = area.takeTop(1)
        options.setVisible(area.rows)
        let values = sheet.kind.options
        options.render(into: &grid, in: area) { index, row, isCurrent, grid in
            let box = CheckBox(values[index].name(in: context.language), isOn: sheet.criteria.contains(values[index]))
            if isCurrent { grid.fill(row, Styles.selection) }
            box.render(into: &grid, in: row, isFocused: isCurrent)
        }
        grid.cursor = nil
    }
}
