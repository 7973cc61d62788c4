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

/// The keys of a screen, all of them, over the screen.
struct HelpSheet: Hashable, Sendable {
    var title: String
    var items: [KeyLine.Item]

    func render(into grid: inout Grid, in rect: Rect) {
        let keyColumns = items.map(\.key.displayWidth).max() ?? 0
        let actionColumns = items.map(\.action.displayWidth).max() ?? 0
        let box = rect.centered(
            columns: max(title.displayWidth + 8, keyColumns + actionColumns + 7), rows: items.count + 2)
        Frame(title: title).render(into: &grid, in: box)
        var area = box.inset(columns: 2, rows: 1)
        for item in items {
            let line = area.takeTop(1)
            grid.draw(item.key, in: line, Styles.keyName)
            grid.draw(
                item.action.truncated(toWidth: max(0, line.columns - keyColumns - 2)), in: line, at: keyColumns + 2)
        }
        grid.cursor = nil
    }
}

/// A short message above the line of keys, until it is replaced or taken away.
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
