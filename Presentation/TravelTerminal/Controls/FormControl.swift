/// The control that edits a row of a form.
enum FormControl: Hashable, Sendable {
    case text(TextField)
    /// Several lines of text, shown in so many rows.
    case area(TextArea, rows: Int)
    case chips(ChipRow)
    case check(CheckBox)
    case stepper(Stepper)
    case button(Button)
    /// Text that is shown and cannot be edited.
    case note(String)

    var isFocusable: Bool {
        switch self {
        case .note: false
        case .button(let button): button.isEnabled
        case .text, .area, .chips, .check, .stepper: true
        }
    }

    /// The rows that the control takes.
    func height(columns: Int) -> Int {
        switch self {
        case .area(_, let rows): rows
        case .chips(let row): max(1, row.height(columns: columns))
        case .note(let text): text.wrapped(toWidth: columns).count
        case .text, .check, .button, .stepper: 1
        }
    }

    /// Edits the value; returns `false` for a key that the control does not use.
    mutating func handle(_ key: Key) -> Bool {
        switch self {
        case .text(var field):
            guard field.handle(key) else { return false }
            self = .text(field)
        case .area(var area, let rows):
            guard area.handle(key) else { return false }
            self = .area(area, rows: rows)
        case .chips(var row):
            guard row.handle(key) else { return false }
            self = .chips(row)
        case .check(var box):
            guard box.handle(key) else { return false }
            self = .check(box)
        case .stepper(var stepper):
            guard stepper.handle(key) else { return false }
            self = .stepper(stepper)
        case .button(let button): return button.isPressed(by: key)
        case .note: return false
        }
        return true
    }

    mutating func insert(_ text: String) -> Bool {
        switch self {
        case .text(var field):
            field.insert(text)
            self = .text(field)
        case .area(var area, let rows):
            area.insert(text)
            self = .area(area, rows: rows)
        case .chips, .check, .button, .stepper, .note: return false
        }
        return true
    }

    func render(into grid: inout Grid, in rect: Rect, isFocused: Bool) {
        switch self {
        case .text(let field): field.render(into: &grid, in: rect, isFocused: isFocused)
        case .area(let area, _): area.render(into: &grid, in: rect, isFocused: isFocused)
        case .chips(let row): row.render(into: &grid, in: rect, isFocused: isFocused)
        case .check(let box): box.render(into: &grid, in: rect, isFocused: isFocused)
        case .button(let button): button.render(into: &grid, in: rect, isFocused: isFocused)
        case .stepper(let stepper): stepper.render(into: &grid, in: rect, isFocused: isFocused)
        case .note(let text):
            var area = rect
            for line in text.wrapped(toWidth: rect.columns) { grid.draw(line, in: area.takeTop(1), Styles.dim) }
        }
    }
}
