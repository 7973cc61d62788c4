/// The place in a list of rows: which one is current, and which one is at the top.
///
/// The caller draws the rows, and only the visible ones, so that a list of a hundred thousand rows costs no more than
/// one of twenty.
struct RowList: Hashable, Sendable {
    private(set) var current = 0
    private(set) var top = 0
    private(set) var count = 0
    /// The rows that were visible when the list was drawn last, by which a page is measured.
    private(set) var visible = 1

    init(count: Int = 0) {
        self.count = count
    }

    /// Changes the number of rows and keeps the current one, or the last if there are fewer.
    mutating func setCount(_ count: Int) {
        self.count = max(0, count)
        current = min(current, max(0, self.count - 1))
        top = min(top, max(0, self.count - visible))
    }

    mutating func select(_ index: Int) {
        current = min(max(0, index), max(0, count - 1))
        scrollToCurrent()
    }

    /// Sets how many rows fit. Call it before drawing.
    mutating func setVisible(_ rows: Int) {
        visible = max(1, rows)
        scrollToCurrent()
    }

    private mutating func scrollToCurrent() {
        if current < top { top = current }
        if current >= top + visible { top = current - visible + 1 }
        top = min(top, max(0, count - visible))
    }

    /// Whether fewer than a page of rows follow the current one.
    var isNearEnd: Bool { current + visible >= count }

    /// Moves by a key; returns `false` if the key does not move in a list, or the list has no rows.
    mutating func handle(_ key: Key) -> Bool {
        guard count > 0, key.modifiers.isEmpty else { return false }
        switch key.code {
        case .up, .character("k"): select(current - 1)
        case .down, .character("j"): select(current + 1)
        case .pageUp: select(current - visible)
        case .pageDown, .character(" "): select(current + visible)
        case .home, .character("g"): select(0)
        case .end, .character("G"): select(count - 1)
        default: return false
        }
        return true
    }

    /// Draws the visible rows, each `rowHeight` high, and a scroll bar if there are more.
    ///
    /// - Parameter draw: Draws the row of an index into a rectangle; `isCurrent` says whether it is the current row.
    func render(
        into grid: inout Grid, in rect: Rect, rowHeight: Int = 1,
        draw: (_ index: Int, _ rect: Rect, _ isCurrent: Bool, _ grid: inout Grid) -> Void
    ) {
        var area = rect
        let fitting = max(1, rect.rows / max(1, rowHeight))
        let bar = count > fitting ? area.takeRight(1) : nil
        for index in top..<min(count, top + fitting) {
            draw(index, area.takeTop(rowHeight), index == current, &grid)
        }
        guard let bar, bar.rows > 0 else { return }
        let length = max(1, bar.rows * fitting / count)
        let start = (bar.rows - length) * top / max(1, count - fitting)
        for row in 0..<bar.rows {
            let isThumb = row >= start && row < start + length
            grid.draw(isThumb ? "┃" : "│", in: bar.line(row), isThumb ? Styles.accent : Styles.border)
        }
    }
}

extension Grid {
    /// Draws a row of a list, highlighted where it is the current one.
    mutating func drawRow(_ text: String, in row: Rect, _ isCurrent: Bool) {
        if isCurrent { fill(row, Styles.selection) }
        draw((isCurrent ? "▸ " : "  ") + text, in: row, isCurrent ? Styles.selection : Styles.text)
    }
}

/// A row of choices, wrapped into lines: one of them or several can be on.
struct ChipRow: FormControl, Hashable {
    struct Chip: Hashable, Sendable {
        var label: String
        var isOn: Bool
    }

    var chips: [Chip]
    /// Whether turning one on turns the others off.
    var isExclusive: Bool
    private(set) var current = 0

    init(_ chips: [Chip], isExclusive: Bool = false) {
        self.chips = chips
        self.isExclusive = isExclusive
        if isExclusive, let chosen = chips.firstIndex(where: \.isOn) { current = chosen }
    }

    var chosen: [Int] { chips.indices.filter { chips[$0].isOn } }

    mutating func focus(_ index: Int) {
        current = min(max(0, index), max(0, chips.count - 1))
    }

    /// Moves, or turns the current chip on or off; returns `false` if the key has no effect here.
    mutating func handle(_ key: Key) -> Bool {
        guard !chips.isEmpty, key.modifiers.isEmpty else { return false }
        switch key.code {
        case .left: current = max(0, current - 1)
        case .right: current = min(chips.count - 1, current + 1)
        case .home: current = 0
        case .end: current = chips.count - 1
        case .character(" "), .enter: toggle(current)
        default: return false
        }
        return true
    }

    mutating func toggle(_ index: Int) {
        guard chips.indices.contains(index) else { return }
        let isOn = !chips[index].isOn
        if isExclusive { for other in chips.indices { chips[other].isOn = false } }
        chips[index].isOn = isOn
        current = index
    }

    /// Where each chip is: line and column, in lines of `columns`.
    private func places(columns: Int) -> [Position] {
        var position = Position(column: 0, row: 0)
        return chips.map { chip in
            let width = chip.label.displayWidth + 2
            if position.column > 0 && position.column + width > columns {
                position = Position(column: 0, row: position.row + 1)
            }
            defer { position.column += width + 1 }
            return position
        }
    }

    /// The lines of the chips; one where there are none.
    func height(columns: Int) -> Int {
        (places(columns: columns).last?.row ?? 0) + 1
    }

    /// Draws the chips; marks the chosen ones in their text as well, for terminals without colours.
    func render(into grid: inout Grid, in rect: Rect, isFocused: Bool) {
        for (index, place) in places(columns: rect.columns).enumerated() {
            let chip = chips[index]
            let isCurrent = isFocused && index == current
            let style = isCurrent ? Styles.selection : chip.isOn ? Styles.chipOn : Styles.chip
            let line = rect.line(place.row)
            let text = (chip.isOn ? "✓" : " ") + chip.label + " "
            grid.draw(text.truncated(toWidth: rect.columns), in: line, at: place.column, style)
            if isCurrent { grid.cursor = nil }
        }
    }
}
