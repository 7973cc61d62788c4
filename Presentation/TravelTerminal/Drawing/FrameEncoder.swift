/// Encodes a frame as the bytes that change a terminal from the previous frame to this one.
///
/// Only cells that differ are written, with the shortest movement of the cursor between them. Automatic line wrapping
/// must be off, as ``TerminalModes`` sets it.
struct FrameEncoder: Sendable {
    /// The colours that the terminal can show; all others are replaced by the nearest.
    var colorDepth: ColorDepth
    /// Whether a frame is marked as one unit (mode 2026), so that terminals that know the mode show it at once; others
    /// ignore the mark.
    var marksFrames = true

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

/// The number of colours that a terminal can show.
enum ColorDepth: Int, Comparable, Sendable, CaseIterable {
    /// None; attributes such as bold and reverse remain.
    case none
    /// Sixteen, of the user's theme.
    case ansi
    /// A palette of 256.
    case palette
    /// Red, green and blue, eight bits each.
    case trueColor

    static func < (a: ColorDepth, b: ColorDepth) -> Bool { a.rawValue < b.rawValue }

    /// The depth that the environment specifies: `NO_COLOR` (no-color.org), `COLORTERM` and `TERM`.
    init(environment: [String: String]) {
        let term = environment["TERM"] ?? ""
        let colorTerm = environment["COLORTERM"] ?? ""
        if let noColor = environment["NO_COLOR"], !noColor.isEmpty {
            self = .none
        } else if term.isEmpty || term == "dumb" || term.hasSuffix("-m") || term.hasPrefix("vt1") {
            self = .none
        } else if colorTerm == "truecolor" || colorTerm == "24bit" || term.hasSuffix("-direct") {
            self = .trueColor
        } else if term.contains("256color") || !colorTerm.isEmpty {
            self = .palette
        } else {
            self = .ansi
        }
    }

    /// The nearest colour that this depth can show.
    func nearest(_ color: Color) -> Color {
        switch (self, color) {
        case (_, .standard): .standard
        case (.none, _): .standard
        case (_, .ansi), (.palette, .palette), (.trueColor, _): color
        case (.palette, .rgb(let red, let green, let blue)): .palette(Palette.nearest(red, green, blue))
        case (.ansi, .palette(let index)):
            index < 16 ? .ansi(index) : .ansi(Palette.nearestAnsi(Palette.components(of: index)))
        case (.ansi, .rgb(let red, let green, let blue)): .ansi(Palette.nearestAnsi((Int(red), Int(green), Int(blue))))
        }
    }

    /// The style with the nearest colours.
    ///
    /// If the depth cannot show the background of a text, the text is shown in reverse instead, so that it stays
    /// highlighted; grey text is shown dim, so that an example in an empty field is not taken for its text.
    func nearest(_ style: Style) -> Style {
        if self == .trueColor { return style }
        var result = Style(nearest(style.foreground), on: nearest(style.background), style.attributes)
        if self == .none && style.background != .standard { result.attributes.formUnion(.reverse) }
        if self == .none && style.foreground == .grey { result.attributes.formUnion(.dim) }
        return result
    }
}

/// The palette of 256 colours, as xterm defines it: sixteen named ones, a cube of 6×6×6, and 24 greys.
enum Palette {
    typealias Components = (red: Int, green: Int, blue: Int)

    static let levels = [0, 95, 135, 175, 215, 255]
    static let ansi: [Components] = [
        (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
        (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
        (255, 255, 255),
    ]

    static func components(of index: UInt8) -> Components {
        switch Int(index) {
        case 0..<16: return ansi[Int(index)]
        case 16..<232:
            let cube = Int(index) - 16
            return (levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6])
        default:
            let grey = 8 + 10 * (Int(index) - 232)
            return (grey, grey, grey)
        }
    }

    /// The index, 16 or more, of the nearest colour.
    static func nearest(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
        let wanted = (Int(red), Int(green), Int(blue))
        let steps = [wanted.0, wanted.1, wanted.2].map { value in
            levels.indices.min { abs(levels[$0] - value) < abs(levels[$1] - value) } ?? 0
        }
        let cube = 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
        let grey = 232 + min(23, max(0, ((wanted.0 + wanted.1 + wanted.2) / 3 - 3) / 10))
        let candidates = [UInt8(cube), UInt8(grey)]
        return candidates.min { distance(components(of: $0), wanted) < distance(components(of: $1), wanted) } ?? 16
    }

    static func nearestAnsi(_ wanted: Components) -> UInt8 {
        UInt8(ansi.indices.min { distance(ansi[$0], wanted) < distance(ansi[$1], wanted) } ?? 7)
    }

    private static func distance(_ a: Components, _ b: Components) -> Int {
        let (red, green, blue) = (a.red - b.red, a.green - b.green, a.blue - b.blue)
        return 2 * red * red + 4 * green * green + 3 * blue * blue
    }
}
