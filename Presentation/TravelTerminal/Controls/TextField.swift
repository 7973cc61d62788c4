/// Text of one line that a person edits, cluster by cluster.
///
/// The text before and behind the cursor are kept apart, so that the cursor never stands inside of a cluster: a
/// combining mark that arrives after its letter joins it.
struct TextField: Hashable, Sendable {
    private(set) var before: String
    private(set) var after: String
    /// Shown while the field is empty.
    var placeholder: String

    init(_ text: String = "", placeholder: String = "") {
        before = text.onOneLine
        after = ""
        self.placeholder = placeholder
    }

    var text: String { before + after }

    /// Replaces the text, with the cursor at its end; keeps the cursor if the text does not change.
    mutating func set(_ text: String) {
        guard text != self.text else { return }
        before = text.onOneLine
        after = ""
    }

    /// Replaces the text and the place of the cursor.
    mutating func load(before: String, after: String) {
        self.before = before
        self.after = after
    }

    /// Inserts text at the cursor; line breaks become spaces.
    mutating func insert(_ text: String) {
        before += text.onOneLine
    }

    /// Edits the text; returns `false` if the key has no effect in a field.
    mutating func handle(_ key: Key) -> Bool {
        if let character = key.typed {
            before.append(character)
            return true
        }
        switch (key.code, key.modifiers) {
        case (.backspace, []): if !before.isEmpty { before.removeLast() }
        case (.backspace, .alt), (.character("w"), .control): before.removeLastWord()
        case (.delete, []), (.character("d"), .control): if !after.isEmpty { after.removeFirst() }
        case (.left, []), (.character("b"), .control): moveLeft()
        case (.right, []), (.character("f"), .control): moveRight()
        case (.left, _), (.character("b"), .alt): moveWordLeft()
        case (.right, _), (.character("f"), .alt): moveWordRight()
        case (.home, _), (.character("a"), .control): (before, after) = ("", text)
        case (.end, _), (.character("e"), .control): (before, after) = (text, "")
        case (.character("u"), .control): before = ""
        case (.character("k"), .control): after = ""
        default: return false
        }
        return true
    }

    private mutating func moveLeft() {
        if let last = before.popLast() { after.insert(last, at: after.startIndex) }
    }

    private mutating func moveRight() {
        if !after.isEmpty { before.append(after.removeFirst()) }
    }

    private mutating func moveWordLeft() {
        while before.last?.isWhitespace == true { moveLeft() }
        while let last = before.last, !last.isWhitespace { moveLeft() }
    }

    private mutating func moveWordRight() {
        while after.first?.isWhitespace == true { moveRight() }
        while let first = after.first, !first.isWhitespace { moveRight() }
    }

    /// Draws the field in the first line of `rect`, scrolled so that the cursor is visible.
    func render(into grid: inout Grid, in rect: Rect, isFocused: Bool) {
        let line = rect.line(0)
        guard !line.isEmpty else { return }
        grid.fill(line, Styles.field)
        let before = before.terminalSafe
        let cursor = before.displayWidth
        // The cursor takes a column of its own at the end of the text.
        let scroll = isFocused ? max(0, cursor - line.columns + 1) : 0
        if text.isEmpty {
            grid.draw(placeholder, in: line, Style(.grey, on: .standard, .underline))
        } else {
            grid.draw(before + after.terminalSafe, in: line, at: -scroll, Styles.field)
        }
        if isFocused { grid.cursor = Position(column: line.column + cursor - scroll, row: line.row) }
    }
}

extension String {
    /// Removes the last word, and the spaces behind it.
    fileprivate mutating func removeLastWord() {
        while last?.isWhitespace == true { removeLast() }
        while let last, !last.isWhitespace { removeLast() }
    }
}
