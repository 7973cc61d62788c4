/// A button: enter or space presses it.
struct Button: FormControl, Hashable {
    var title: String
    var isEnabled = true

    init(_ title: String, isEnabled: Bool = true) {
        self.title = title
        self.isEnabled = isEnabled
    }

    var isFocusable: Bool { isEnabled }

    /// Whether the key presses the button.
    func handle(_ key: Key) -> Bool {
        isEnabled && (key == .enter || key == .space)
    }

    func render(into grid: inout Grid, in rect: Rect, isFocused: Bool) {
        _ = render(into: &grid, in: rect, at: 0, isFocused: isFocused)
    }

    /// Draws the button in the first line of `rect`; returns the columns used.
    func render(into grid: inout Grid, in rect: Rect, at offset: Int, isFocused: Bool) -> Int {
        let style = !isEnabled ? Styles.dim : isFocused ? Styles.selection : Styles.chip
        return grid.draw("[ \(title) ]", in: rect, at: offset, style)
    }
}

struct CheckBox: Hashable, Sendable {
    var title: String
    var isOn: Bool

    init(_ title: String, isOn: Bool = false) {
        self.title = title
        self.isOn = isOn
    }

    func render(into grid: inout Grid, in rect: Rect, isFocused: Bool) {
        grid.draw((isOn ? "[x] " : "[ ] ") + title, in: rect, isFocused ? Styles.selection : Styles.text)
    }
}

/// A number that left and right change by one, shown as a text.
struct Stepper: FormControl, Hashable {
    private(set) var value: Int
    let range: ClosedRange<Int>
    var text: String

    init(_ value: Int, in range: ClosedRange<Int>, text: String) {
        self.value = min(max(value, range.lowerBound), range.upperBound)
        self.range = range
        self.text = text
    }

    /// Changes the value; returns `false` if the key has no effect here.
    mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .left: value = max(range.lowerBound, value - 1)
        case .right: value = min(range.upperBound, value + 1)
        case .home: value = range.lowerBound
        case .end: value = range.upperBound
        default: return false
        }
        return true
    }

    func render(into grid: inout Grid, in rect: Rect, isFocused: Bool) {
        let left = value > range.lowerBound ? "‹ " : "  "
        let right = value < range.upperBound ? " ›" : ""
        grid.draw(left + text + right, in: rect, isFocused ? Styles.selection : Styles.text)
    }
}

/// A row of tabs, one of them current; it scrolls so that the current one is visible.
struct Tabs: Hashable, Sendable {
    var titles: [String]
    let current: Int

    init(_ titles: [String], current: Int = 0) {
        self.titles = titles
        self.current = min(max(0, current), max(0, titles.count - 1))
    }

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

/// The styles of the app, by meaning. Text uses the colours of the user's own theme, so that it is readable on a dark
/// and on a light terminal; where a background is set, its text is, too.
enum Styles {
    static let title = Style(.rgb(255, 255, 255), on: .rgb(0, 105, 130), .bold)
    static let heading = Style(.standard, .bold)
    static let text = Style.plain
    static let dim = Style(.grey)
    static let accent = Style(.cyan, .bold)
    static let like = Style(.red)
    static let error = Style(.red, .bold)
    static let success = Style(.green)
    /// The row or control that the keys act on.
    static let selection = Style(.rgb(255, 255, 255), on: .rgb(0, 90, 160), .bold)
    static let chip = Style(.rgb(230, 230, 230), on: .rgb(70, 70, 80))
    static let chipOn = Style(.rgb(0, 0, 0), on: .rgb(90, 200, 180), .bold)
    static let field = Style(.standard, .underline)
    static let keyName = Style(.standard, .bold)
    static let toast = Style(.rgb(0, 0, 0), on: .rgb(240, 200, 80))
    static let skeleton = Style(.grey, .dim)
    static let border = Style(.grey)

    /// The backgrounds of numbers on a map; further days repeat them.
    static let days: [Color] = [
        .rgb(108, 178, 255), .rgb(255, 154, 92), .rgb(87, 217, 138), .rgb(207, 160, 255), .rgb(255, 128, 152),
        .rgb(60, 208, 230), .rgb(242, 201, 76), .rgb(169, 182, 198),
    ]

    /// The number of a stop on a map, by its day, 1-based.
    static func number(ofDay day: Int) -> Style {
        Style(.rgb(0, 0, 0), on: days[max(day - 1, 0) % days.count], .bold)
    }
}

extension Style {
    fileprivate init(_ foreground: Color, _ attributes: Attributes) {
        self.init(foreground, on: .standard, attributes)
    }
}

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
                item.action.truncated(toWidth: line.columns - keyColumns - 2), in: line, at: keyColumns + 2)
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
