/// A row of tabs, one of them current; it scrolls so that the current one is visible.
struct Tabs: Hashable, Sendable {
    var titles: [String]
    private(set) var current: Int

    init(_ titles: [String], current: Int = 0) {
        self.titles = titles
        self.current = min(max(0, current), max(0, titles.count - 1))
    }

    /// Makes a tab current.
    mutating func select(_ index: Int) {
        current = min(max(0, index), max(0, titles.count - 1))
    }

    /// Changes the tab by left, right, or a digit; returns `false` for a key without an effect here.
    mutating func handle(_ key: Key) -> Bool {
        guard key.modifiers.isEmpty, !titles.isEmpty else { return false }
        switch key.code {
        case .left, .character("h"): select(current - 1)
        case .right, .character("l"): select(current + 1)
        case .character(let digit):
            guard let number = digit.wholeNumberValue, number > 0, number <= titles.count else { return false }
            select(number - 1)
        default: return false
        }
        return true
    }

    /// Draws the tabs in the first line of `rect`.
    func render(into grid: inout Grid, in rect: Rect) {
        guard !titles.isEmpty, !rect.isEmpty else { return }
        let widths = titles.map { $0.displayWidth + 3 }
        let start = widths[..<current].reduce(0, +)
        let end = start + widths[current]
        let scroll = max(0, min(start, end - rect.columns + (current < titles.count - 1 ? 1 : 0)))
        var offset = -scroll
        for (index, title) in titles.enumerated() {
            grid.draw(" \(title) ", in: rect.line(0), at: offset, index == current ? Styles.chipOn : Styles.chip)
            offset += widths[index]
        }
        if scroll > 0 { grid.draw("‹", in: rect.line(0), Styles.accent) }
        if offset - 1 > rect.columns { grid.draw("›", in: rect.line(0), at: rect.columns - 1, Styles.accent) }
    }
}
