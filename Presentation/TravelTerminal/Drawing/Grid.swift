/// One cell of the screen: a grapheme cluster, its width, and its style.
struct Cell: Hashable, Sendable {
    var cluster: Character
    /// The width in columns, one or two; zero for the second half of a wide cluster.
    var width: UInt8
    var style: Style

    static let blank = Cell(cluster: " ", width: 1, style: .plain)

    /// The second half of a wide cluster.
    static func continuation(_ style: Style) -> Cell { Cell(cluster: " ", width: 0, style: style) }

    var isBlank: Bool { cluster == " " && width == 1 && style == .plain }
}

/// The contents of a screen: cells in rows, and the position of the cursor, if it is visible.
///
/// A wide cluster is always followed by its continuation: drawing over one half replaces the other by a space, and a
/// wide cluster that the clipping rectangle would cut is replaced by a space.
struct Grid: Hashable, Sendable {
    let size: Size
    private(set) var cells: [Cell]
    /// The position of the cursor in the field that is being edited; `nil` while the cursor is hidden.
    var cursor: Position?

    init(_ size: Size) {
        self.size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
        cells = Array(repeating: .blank, count: self.size.columns * self.size.rows)
    }

    var bounds: Rect { Rect(size) }

    subscript(column: Int, row: Int) -> Cell {
        cells[row * size.columns + column]
    }

    /// Draws text in one line from the first column of `rect`, clipped to it, with control characters made visible;
    /// returns the number of columns used.
    ///
    /// - Parameter offset: The number of columns between the first column of `rect` and the text.
    @discardableResult
    mutating func draw(_ text: String, in rect: Rect, at offset: Int = 0, _ style: Style = .plain) -> Int {
        let clip = rect.intersection(bounds)
        guard !clip.isEmpty, clip.row == rect.row else { return 0 }
        var column = rect.column + offset
        for cluster in text.terminalSafe {
            if column >= clip.endColumn { break }
            let width = cluster.displayWidth
            if width == 0 { continue }
            put(cluster, width: width, column: column, row: rect.row, style, in: clip)
            column += width
        }
        return max(0, min(column, clip.endColumn) - rect.column - offset)
    }

    mutating func fill(_ rect: Rect, _ style: Style) {
        let clip = rect.intersection(bounds)
        guard !clip.isEmpty else { return }
        for row in clip.row..<clip.endRow {
            for column in clip.column..<clip.endColumn { put(" ", width: 1, column: column, row: row, style, in: clip) }
        }
    }

    /// Copies the rows of another grid, from the one at `top`, into `rect`.
    mutating func copy(_ other: Grid, from top: Int, into rect: Rect) {
        let clip = rect.intersection(bounds)
        for row in 0..<clip.rows where top + row < other.size.rows && top + row >= 0 {
            for column in 0..<min(clip.columns, other.size.columns) {
                let cell = other[column, top + row]
                guard cell.width > 0 else { continue }
                put(
                    cell.cluster, width: Int(cell.width), column: clip.column + column, row: clip.row + row, cell.style,
                    in: clip)
            }
        }
    }

    private mutating func put(_ cluster: Character, width: Int, column: Int, row: Int, _ style: Style, in clip: Rect) {
        let first = max(column, clip.column)
        let last = min(column + width, clip.endColumn) - 1
        guard first <= last else { return }
        let start = row * size.columns
        separate(start + first)
        if last > first { separate(start + last) }
        if last < size.columns - 1 { separateAfter(start + last) }
        if first == column && last == column + width - 1 {
            cells[start + first] = Cell(cluster: cluster, width: UInt8(width), style: style)
            if width == 2 { cells[start + last] = .continuation(style) }
        } else {
            for index in first...last { cells[start + index] = Cell(cluster: " ", width: 1, style: style) }
        }
    }

    /// Replaces the wide cluster whose second half is at `index` by spaces.
    private mutating func separate(_ index: Int) {
        guard cells[index].width == 0 else { return }
        cells[index - 1] = Cell(cluster: " ", width: 1, style: cells[index - 1].style)
        cells[index] = Cell(cluster: " ", width: 1, style: cells[index].style)
    }

    /// Replaces the second half after `index` by a space.
    private mutating func separateAfter(_ index: Int) {
        guard cells[index + 1].width == 0 else { return }
        cells[index + 1] = Cell(cluster: " ", width: 1, style: cells[index + 1].style)
    }

    /// The text of the screen: a line for each row, without trailing spaces, as one copies it from a terminal.
    var text: String {
        (0..<size.rows).map(line).joined(separator: "\n")
    }

    func line(_ row: Int) -> String {
        var line = ""
        for column in 0..<size.columns where self[column, row].width > 0 { line.append(self[column, row].cluster) }
        while line.last == " " { line.removeLast() }
        return line
    }
}

/// A colour of text or its background.
enum Color: Hashable, Sendable {
    /// The default colour of the terminal.
    case standard
    /// One of the sixteen colours of the user's theme: 0–7, and 8–15 for the bright ones.
    case ansi(UInt8)
    /// An entry of the palette of 256 colours.
    case palette(UInt8)
    case rgb(UInt8, UInt8, UInt8)

    static let red = Color.ansi(1)
    static let green = Color.ansi(2)
    static let blue = Color.ansi(4)
    static let cyan = Color.ansi(6)
    static let grey = Color.ansi(8)
}

/// The colours and attributes of a cell.
struct Style: Hashable, Sendable {
    struct Attributes: OptionSet, Hashable, Sendable {
        let rawValue: UInt8
        static let bold = Attributes(rawValue: 1)
        static let dim = Attributes(rawValue: 2)
        static let italic = Attributes(rawValue: 4)
        static let underline = Attributes(rawValue: 8)
        static let reverse = Attributes(rawValue: 16)
    }

    var foreground = Color.standard
    var background = Color.standard
    var attributes: Attributes = []

    static let plain = Style()

    init(_ foreground: Color = .standard, on background: Color = .standard, _ attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }
}
