/// Text of one line that a user edits, cluster by cluster.
///
/// The text before and behind the cursor are kept apart, so that the cursor never stands inside of a cluster: a
/// combining mark that arrives after its letter joins it.
struct TextField: FormControl, Hashable {
    private(set) var before: String
    private(set) var after: String
    var placeholder: String
    /// Whether the text is a password, and not shown.
    private let isSecret: Bool

    init(_ text: String = "", placeholder: String = "", isSecret: Bool = false) {
        before = text.onOneLine
        after = ""
        self.placeholder = placeholder
        self.isSecret = isSecret
    }

    var text: String { before + after }

    /// Replaces the text, with the cursor at its end; keeps the cursor if the text does not change.
    mutating func set(_ text: String) {
        guard text != self.text else { return }
        before = text.onOneLine
        after = ""
    }

    mutating func load(before: String, after: String) {
        self.before = before
        self.after = after
    }

    /// Inserts text at the cursor; line breaks become spaces.
    mutating func paste(_ text: String) -> Bool {
        before += text.onOneLine
        return true
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

    private func shown(_ text: String) -> String {
        isSecret ? String(repeating: "•", count: text.count) : text.terminalSafe
    }

    /// Draws the field in the first line of `rect`, scrolled so that the cursor is visible.
    func render(into grid: inout Grid, in rect: Rect, isFocused: Bool) {
        let line = rect.line(0)
        guard !line.isEmpty else { return }
        grid.fill(line, Styles.field)
        let (before, after) = (shown(before), shown(after))
        let cursor = before.displayWidth
        // The cursor takes a column of its own at the end of the text.
        let scroll = isFocused ? max(0, cursor - line.columns + 1) : 0
        if text.isEmpty {
            grid.draw(placeholder, in: line, Style(.grey, on: .standard, .underline))
        } else {
            grid.draw(before + after, in: line, at: -scroll, Styles.field)
        }
        if isFocused { grid.cursor = Position(column: line.column + cursor - scroll, row: line.row) }
    }
}

extension String {
    fileprivate mutating func removeLastWord() {
        while last?.isWhitespace == true { removeLast() }
        while let last, !last.isWhitespace { removeLast() }
    }
}

/// Text of several lines that a user edits, wrapped to the width that it is shown in.
struct TextArea: FormControl, Hashable {
    private(set) var before: String
    private(set) var after: String
    var placeholder: String
    /// The columns of the last rendering, which moving up and down follows.
    var columns = 40
    private let rows: Int

    /// Creates an area that shows so many rows in a form.
    init(_ text: String = "", placeholder: String = "", rows: Int = 1) {
        before = text
        after = ""
        self.placeholder = placeholder
        self.rows = rows
    }

    func height(columns: Int) -> Int { rows }

    var text: String { before + after }

    /// Replaces the text, with the cursor at its end; keeps the cursor if the text does not change.
    mutating func set(_ text: String) {
        guard text != self.text else { return }
        before = text
        after = ""
    }

    /// Inserts text at the cursor, its line breaks as `\n`.
    mutating func paste(_ text: String) -> Bool {
        before += text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: "\n")
        return true
    }

    /// Edits the text; returns `false` for a key that the area does not use, or that would leave it at the top or the
    /// bottom.
    mutating func handle(_ key: Key) -> Bool {
        switch (key.code, key.modifiers) {
        case (.enter, []): before += "\n"
        case (.up, []): return moveLine(by: -1)
        case (.down, []): return moveLine(by: 1)
        case (.pageUp, []): while moveLine(by: -1) {}
        case (.pageDown, []): while moveLine(by: 1) {}
        case (.home, []): moveInLine(toEnd: false)
        case (.end, []): moveInLine(toEnd: true)
        default:
            // All else is as in a field of one line, which treats a line break as any cluster.
            var field = TextField()
            field.load(before: before, after: after)
            guard field.handle(key) else { return false }
            (before, after) = (field.before, field.after)
        }
        return true
    }

    /// The visible lines, and the position of the cursor in them.
    private func layout(columns: Int) -> (lines: [[Character]], starts: [Int], cursor: Position) {
        let clusters = Array(text)
        let offset = before.count
        // A column is kept for the cursor behind a full line.
        let ranges = LineBreaker(clusters, width: columns - 1).lines
        let row = ranges.lastIndex { $0.lowerBound <= offset } ?? 0
        let line = ranges[row]
        let column = clusters[line.lowerBound..<max(line.lowerBound, min(offset, line.upperBound))]
            .reduce(0) { $0 + $1.displayWidth }
        return (
            ranges.map { Array(clusters[$0]) }, ranges.map(\.lowerBound),
            Position(column: min(column, columns - 1), row: row)
        )
    }

    private mutating func moveLine(by rows: Int) -> Bool {
        let layout = layout(columns: columns)
        let row = layout.cursor.row + rows
        guard layout.lines.indices.contains(row) else { return false }
        var used = 0
        var count = 0
        for cluster in layout.lines[row] {
            used += cluster.displayWidth
            if used > layout.cursor.column { break }
            count += 1
        }
        // Behind the last cluster of a divided line is where the next one begins.
        if count == layout.lines[row].count, row + 1 < layout.starts.count, count > 0,
            layout.starts[row + 1] == layout.starts[row] + count
        {
            count -= 1
        }
        moveCursor(to: layout.starts[row] + count)
        return true
    }

    private mutating func moveInLine(toEnd: Bool) {
        let layout = layout(columns: columns)
        let row = layout.cursor.row
        var end = layout.starts[row] + layout.lines[row].count
        if toEnd, row + 1 < layout.starts.count, layout.starts[row + 1] == end { end -= 1 }
        moveCursor(to: toEnd ? end : layout.starts[row])
    }

    private mutating func moveCursor(to offset: Int) {
        let text = text
        let index = text.index(text.startIndex, offsetBy: min(offset, text.count))
        (before, after) = (String(text[..<index]), String(text[index...]))
    }

    func render(into grid: inout Grid, in rect: Rect, isFocused: Bool) {
        guard !rect.isEmpty else { return }
        if text.isEmpty {
            grid.draw(placeholder, in: rect.line(0), Styles.dim)
            if isFocused { grid.cursor = Position(column: rect.column, row: rect.row) }
            return
        }
        let layout = layout(columns: rect.columns)
        let top = max(0, min(isFocused ? layout.cursor.row - rect.rows + 1 : 0, layout.lines.count - rect.rows))
        for row in 0..<min(rect.rows, layout.lines.count - top) {
            grid.draw(String(layout.lines[top + row]), in: rect.line(row))
        }
        if isFocused {
            grid.cursor = Position(column: rect.column + layout.cursor.column, row: rect.row + layout.cursor.row - top)
        }
    }
}
