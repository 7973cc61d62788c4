/// The line that shows which keys do what, the most important first; those that do not fit are left out.
struct KeyLine: Hashable, Sendable {
    struct Item: Hashable, Sendable {
        var key: String
        var action: String

        init(_ key: String, _ action: String) {
            self.key = key
            self.action = action
        }
    }

    var items: [Item]

    init(_ items: [Item]) {
        self.items = items
    }

    func render(into grid: inout Grid, in rect: Rect) {
        var offset = 1
        for item in items {
            let width = item.key.displayWidth + 1 + item.action.displayWidth
            if offset + width > rect.columns { break }
            offset += grid.draw(item.key, in: rect, at: offset, Styles.keyName) + 1
            offset += grid.draw(item.action, in: rect, at: offset, Styles.dim) + 2
        }
    }
}

/// A sheet over the screen with all its keys. It scrolls if they do not fit.
struct HelpSheet: Hashable, Sendable {
    var title: String
    var items: [KeyLine.Item]
    private var top = 0
    /// The largest `top`, at which the last item is visible; determined when the sheet was last drawn.
    private var lastTop = 0

    init(title: String, items: [KeyLine.Item]) {
        self.title = title
        self.items = items
    }

    /// Scrolls; returns `false` if the key does not scroll, or everything is visible.
    mutating func handle(_ event: InputEvent) -> Bool {
        guard lastTop > 0, case .key(let key) = event else { return false }
        switch key {
        case .down, .character("j"): top += 1
        case .up, .character("k"): top -= 1
        case .pageDown, .space: top += max(1, items.count - lastTop)
        case .pageUp: top -= max(1, items.count - lastTop)
        default: return false
        }
        top = min(max(0, top), lastTop)
        return true
    }

    mutating func render(into grid: inout Grid, in rect: Rect) {
        let keyColumns = items.map(\.key.displayWidth).max() ?? 0
        let actionColumns = items.map(\.action.displayWidth).max() ?? 0
        let box = rect.centered(
            columns: max(title.displayWidth + 8, keyColumns + actionColumns + 7), rows: items.count + 2)
        Frame(title: title).render(into: &grid, in: box)
        var area = box.inset(columns: 2, rows: 1)
        lastTop = max(0, items.count - area.rows)
        top = min(top, lastTop)
        for item in items.dropFirst(top).prefix(area.rows) {
            let line = area.takeTop(1)
            grid.draw(item.key, in: line, Styles.keyName)
            grid.draw(
                item.action.truncated(toWidth: max(0, line.columns - keyColumns - 2)), in: line, at: keyColumns + 2)
        }
        if top < lastTop { grid.draw(" ↓ ", in: box.line(box.rows - 1), at: box.columns - 5, Styles.accent) }
        if top > 0 { grid.draw(" ↑ ", in: box.line(0), at: box.columns - 5, Styles.accent) }
        grid.cursor = nil
    }
}

/// A short message above the line of keys, until it is replaced or removed.
struct Toast: Hashable, Sendable {
    var text: String
    var isError = false

    func render(into grid: inout Grid, in rect: Rect) {
        let text = " \(text.onOneLine) ".truncated(toWidth: rect.columns)
        let offset = max(0, (rect.columns - text.displayWidth) / 2)
        let error = Style(.rgb(255, 255, 255), on: .rgb(180, 30, 30), .bold)
        grid.draw(text, in: rect, at: offset, isError ? error : Styles.toast)
    }
}
