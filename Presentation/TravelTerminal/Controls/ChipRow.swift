/// A row of choices, wrapped into lines: one of them or several can be on.
struct ChipRow: Hashable, Sendable {
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

    /// The indices of the chips that are on.
    var chosen: [Int] { chips.indices.filter { chips[$0].isOn } }

    /// Makes a chip current.
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

    /// Turns a chip on or off.
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

    /// The lines that the chips take.
    func height(columns: Int) -> Int {
        (places(columns: columns).last?.row ?? -1) + 1
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
