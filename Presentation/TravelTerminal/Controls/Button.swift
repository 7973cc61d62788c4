/// A button: enter or space presses it.
struct Button: Hashable, Sendable {
    var title: String
    var isEnabled = true

    init(_ title: String, isEnabled: Bool = true) {
        self.title = title
        self.isEnabled = isEnabled
    }

    /// Whether the key presses the button.
    func isPressed(by key: Key) -> Bool {
        isEnabled && (key == .enter || key == .space)
    }

    var columns: Int { title.displayWidth + 4 }

    /// Draws the button in the first line of `rect`; returns the columns used.
    @discardableResult
    func render(into grid: inout Grid, in rect: Rect, at offset: Int = 0, isFocused: Bool) -> Int {
        let style = !isEnabled ? Styles.dim : isFocused ? Styles.selection : Styles.chip
        return grid.draw("[ \(title) ]", in: rect, at: offset, style)
    }
}

/// A box that is checked or not: space or enter changes it.
struct CheckBox: Hashable, Sendable {
    var title: String
    var isOn: Bool

    init(_ title: String, isOn: Bool = false) {
        self.title = title
        self.isOn = isOn
    }

    /// Checks or unchecks the box; returns `false` for a key without an effect here.
    mutating func handle(_ key: Key) -> Bool {
        guard key == .space || key == .enter else { return false }
        isOn.toggle()
        return true
    }

    /// Draws the box in the first line of `rect`.
    func render(into grid: inout Grid, in rect: Rect, isFocused: Bool) {
        grid.draw((isOn ? "[x] " : "[ ] ") + title, in: rect, isFocused ? Styles.selection : Styles.text)
    }
}
