/// A column of labelled controls. One has the focus, and the message for an invalid value is below its control.
///
/// Tab, shift-tab, up and down move between controls, unless the control itself has a use for the key. The form scrolls
/// so that the control with the keys is visible.
struct Form<ID: Hashable & Sendable>: Sendable {
    struct Row: Sendable {
        var id: ID
        var label: String
        var control: any FormControl
        var message: String?

        init(_ id: ID, _ label: String, _ control: any FormControl, message: String? = nil) {
            self.id = id
            self.label = label
            self.control = control
            self.message = message
        }
    }

    enum Outcome: Hashable, Sendable {
        case ignored
        case moved
        /// The value of a row may have changed.
        case changed(ID)
        case pressed(ID)
    }

    var rows: [Row]
    private(set) var current: Int

    init(_ rows: [Row]) {
        self.rows = rows
        current = rows.firstIndex { $0.control.isFocusable } ?? 0
    }

    /// The row that has the keys.
    var focus: ID? { rows.indices.contains(current) ? rows[current].id : nil }

    /// Gives the keys to a row, if it is there and takes them.
    mutating func focus(_ id: ID) {
        if let index = rows.firstIndex(where: { $0.id == id && $0.control.isFocusable }) { current = index }
    }

    subscript(id: ID) -> (any FormControl)? {
        get { rows.first { $0.id == id }?.control }
        set {
            guard let newValue, let index = rows.firstIndex(where: { $0.id == id }) else { return }
            rows[index].control = newValue
        }
    }

    func text(_ id: ID) -> String { (self[id] as? TextField)?.text ?? (self[id] as? TextArea)?.text ?? "" }

    func chosen(_ id: ID) -> [Int] { (self[id] as? ChipRow)?.chosen ?? [] }

    mutating func handle(_ key: Key) -> Outcome {
        guard rows.indices.contains(current) else { return .ignored }
        let id = rows[current].id
        if rows[current].control.handle(key) { return rows[current].control is Button ? .pressed(id) : .changed(id) }
        switch key {
        case .tab, .down, .enter: return move(by: 1)
        case .backTab, .up: return move(by: -1)
        default: return .ignored
        }
    }

    /// Inserts pasted text into the control that has the keys.
    mutating func paste(_ text: String) -> Outcome {
        guard rows.indices.contains(current), rows[current].control.paste(text) else { return .ignored }
        return .changed(rows[current].id)
    }

    private mutating func move(by step: Int) -> Outcome {
        var index = current + step
        while rows.indices.contains(index) {
            if rows[index].control.isFocusable {
                current = index
                return .moved
            }
            index += step
        }
        return .ignored
    }

    /// Draws the form, scrolled so that the control with the keys is visible.
    mutating func render(into grid: inout Grid, in rect: Rect, isFocused: Bool = true) {
        let labelColumns = min((rows.map(\.label.displayWidth).max() ?? 0) + 2, rect.columns / 2)
        let columns = rect.columns - labelColumns
        for index in rows.indices {
            if var area = rows[index].control as? TextArea {
                area.columns = columns
                rows[index].control = area
            }
        }
        let heights = rows.map { $0.control.height(columns: columns) + ($0.message == nil ? 0 : 1) }
        var top = 0
        if rows.indices.contains(current) {
            let end = heights[...current].reduce(0, +)
            top = max(0, min(end - heights[current], end - rect.rows))
            if end <= rect.rows { top = 0 }
        }
        // Drawn at full height, and then clipped: a row may be partly visible.
        var whole = Grid(Size(columns: rect.columns, rows: heights.reduce(0, +)))
        var area = whole.bounds
        for (index, row) in rows.enumerated() {
            let hasKeys = isFocused && index == current
            var place = area.takeTop(heights[index])
            var label = place.takeLeft(labelColumns)
            let control = place.takeTop(heights[index] - (row.message == nil ? 0 : 1))
            whole.draw(
                row.label.truncated(toWidth: labelColumns - 1), in: label.takeTop(1),
                hasKeys ? Styles.accent : Styles.text)
            row.control.render(into: &whole, in: control, isFocused: hasKeys)
            if let message = row.message {
                whole.draw("! \(message)".truncated(toWidth: place.columns), in: place, Styles.error)
            }
        }
        grid.copy(whole, from: top, into: rect)
        if isFocused { grid.cursor = whole.cursor.map { $0.moved(columns: rect.column, rows: rect.row - top) } }
        if let cursor = grid.cursor, isFocused, !rect.contains(cursor) { grid.cursor = nil }
    }
}

extension Position {
    fileprivate func moved(columns: Int, rows: Int) -> Position {
        Position(column: column + columns, row: row + rows)
    }
}

/// A control that edits a row of a form.
protocol FormControl: Sendable {
    var isFocusable: Bool { get }
    func height(columns: Int) -> Int
    /// Edits the value; returns `false` for a key that the control does not use.
    mutating func handle(_ key: Key) -> Bool
    /// Inserts pasted text; returns `false` if the control takes none.
    mutating func paste(_ text: String) -> Bool
    func render(into grid: inout Grid, in rect: Rect, isFocused: Bool)
}

extension FormControl {
    var isFocusable: Bool { true }
    func height(columns: Int) -> Int { 1 }
    mutating func paste(_ text: String) -> Bool { false }
}

/// Text that is shown and cannot be edited.
struct Note: FormControl {
    var text: String

    init(_ text: String) {
        self.text = text
    }

    var isFocusable: Bool { false }
    func height(columns: Int) -> Int { text.wrapped(toWidth: columns).count }
    func handle(_ key: Key) -> Bool { false }

    func render(into grid: inout Grid, in rect: Rect, isFocused: Bool) {
        var area = rect
        for line in text.wrapped(toWidth: rect.columns) { grid.draw(line, in: area.takeTop(1), Styles.dim) }
    }
}
