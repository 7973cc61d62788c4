/// Encodes a frame as the bytes that change a terminal from the previous frame to this one.
///
/// Only cells that differ are written, with the shortest movement of the cursor between them. Automatic line wrapping
/// must be off, as ``TerminalModes`` sets it.
struct FrameEncoder: Sendable {
    /// The colours that the terminal can show; all others are replaced by the nearest.
    var colorDepth: ColorDepth
    /// Whether a frame is marked as one unit (mode 2026), so that terminals that know the mode show it at once; others
    /// ignore the mark.
    var marksFrames: Bool

    init(colorDepth: ColorDepth, marksFrames: Bool = true) {
        self.colorDepth = colorDepth
        self.marksFrames = marksFrames
    }

    /// The bytes that change a terminal that shows `old` into one that shows `new`; none if they are equal.
    ///
    /// Without `old`, or with one of another size, the contents of the terminal are unknown: it is cleared first.
    func encode(_ new: Grid, from old: Grid?) -> [UInt8] {
        var writer = FrameWriter(depth: colorDepth, columns: new.size.columns)
        if let old, old.size == new.size {
            if old == new { return [] }
            writer.writeChanges(from: old, to: new)
            // The cursor is hidden while cells are written, so that it does not flicker over the screen.
            let hides = old.cursor != nil && (!writer.bytes.isEmpty || new.cursor == nil)
            if hides { writer.bytes.insert(contentsOf: "\u{1B}[?25l".utf8, at: 0) }
            writer.resetStyle()
            if let cursor = new.cursor {
                writer.place(cursor)
                if old.cursor == nil || hides { writer.append("\u{1B}[?25h") }
            }
        } else {
            writer.append("\u{1B}[?25l\u{1B}[0m\u{1B}[2J")
            writer.writeChanges(from: Grid(new.size), to: new)
            writer.resetStyle()
            if let cursor = new.cursor {
                writer.place(cursor)
                writer.append("\u{1B}[?25h")
            }
        }
        guard marksFrames, writer.bytes.count > 64 else { return writer.bytes }
        return Array("\u{1B}[?2026h".utf8) + writer.bytes + Array("\u{1B}[?2026l".utf8)
    }
}

/// Writes the cells of one frame, and tracks the position of the cursor and the current style.
struct FrameWriter {
    private let depth: ColorDepth
    private let columns: Int
    var bytes: [UInt8] = []
    /// The position of the cursor; `nil` where terminals differ.
    private var position: Position?
    private var style = Style.plain

    init(depth: ColorDepth, columns: Int) {
        self.depth = depth
        self.columns = columns
    }

    mutating func writeChanges(from old: Grid, to new: Grid) {
        for row in 0..<new.size.rows { writeRow(row, from: old, to: new) }
    }

    private mutating func writeRow(_ row: Int, from old: Grid, to new: Grid) {
        let start = row * columns
        guard old.cells[start..<start + columns] != new.cells[start..<start + columns] else { return }
        // The rest of the row is empty, and can be erased with one sequence.
        var blankStart = columns
        while blankStart > 0 && new.cells[start + blankStart - 1].isBlank { blankStart -= 1 }
        var column = 0
        while column < columns {
            let cell = new.cells[start + column]
            if cell.width == 0 || cell == old.cells[start + column] && !isSplit(start, column, old, new) {
                column += 1
                continue
            }
            if column >= blankStart && columns - column > 4 {
                move(to: Position(column: column, row: row), in: new)
                set(.plain)
                append("\u{1B}[K")
                return
            }
            move(to: Position(column: column, row: row), in: new)
            write(cell)
            column += max(1, Int(cell.width))
        }
    }

    /// Whether an unchanged wide cluster must be written again because its second half was overwritten; never in grids
    /// that keep both halves together.
    private func isSplit(_ start: Int, _ column: Int, _ old: Grid, _ new: Grid) -> Bool {
        new.cells[start + column].width == 2 && old.cells[start + column + 1] != new.cells[start + column + 1]
    }

    private mutating func write(_ cell: Cell) {
        set(depth.nearest(cell.style))
        bytes.append(contentsOf: cell.cluster.utf8)
        guard let current = position else { return }
        let next = current.column + Int(cell.width)
        // In the last column the cursor stays, or waits to wrap; after some clusters terminals differ.
        let isCertain = next < columns && !cell.cluster.hasUncertainWidth
        position = isCertain ? Position(column: next, row: current.row) : nil
    }

    private mutating func move(to target: Position, in grid: Grid) {
        defer { position = target }
        guard let current = position else { return place(target) }
        if current == target { return }
        if current.row == target.row && target.column > current.column {
            if rewrite(from: current, to: target.column, in: grid) { return }
            let distance = target.column - current.column
            append(distance == 1 ? "\u{1B}[C" : "\u{1B}[\(distance)C")
        } else if target.row == current.row + 1 && target.column == 0 {
            append("\r\n")
        } else if target.row == current.row && target.column == 0 {
            append("\r")
        } else {
            place(target)
        }
    }

    /// Writes up to three unchanged cells again, where that is shorter than moving over them.
    private mutating func rewrite(from current: Position, to column: Int, in grid: Grid) -> Bool {
        guard column - current.column <= 3 else { return false }
        let cells = (current.column..<column).map { grid[$0, current.row] }
        guard cells.allSatisfy({ $0.width == 1 && $0.cluster.utf8.count == 1 && depth.nearest($0.style) == style })
        else {
            return false
        }
        for cell in cells { bytes.append(contentsOf: cell.cluster.utf8) }
        return true
    }

    /// Moves the cursor, wherever it is (CUP).
    mutating func place(_ target: Position) {
        append(target.column == 0 ? "\u{1B}[\(target.row + 1)H" : "\u{1B}[\(target.row + 1);\(target.column + 1)H")
        position = target
    }

    mutating func resetStyle() {
        set(.plain)
    }

    private mutating func set(_ new: Style) {
        guard new != style else { return }
        style = new
        append(new.selectGraphicRendition)
    }

    mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }
}

extension Style {
    /// The sequence that sets this style and nothing else (SGR).
    var selectGraphicRendition: String {
        var codes = ["0"]
        if attributes.contains(.bold) { codes.append("1") }
        if attributes.contains(.dim) { codes.append("2") }
        if attributes.contains(.italic) { codes.append("3") }
        if attributes.contains(.underline) { codes.append("4") }
        if attributes.contains(.reverse) { codes.append("7") }
        codes += foreground.codes(base: 30) + background.codes(base: 40)
        return "\u{1B}[" + (codes == ["0"] ? "" : codes.joined(separator: ";")) + "m"
    }
}

extension Color {
    fileprivate func codes(base: Int) -> [String] {
        switch self {
        case .standard: []
        case .ansi(let index) where index < 8: ["\(base + Int(index))"]
        case .ansi(let index): ["\(base + 60 + Int(index & 7))"]
        case .palette(let index): ["\(base + 8)", "5", "\(index)"]
        case .rgb(let red, let green, let blue): ["\(base + 8)", "2", "\(red)", "\(green)", "\(blue)"]
        }
    }
}
