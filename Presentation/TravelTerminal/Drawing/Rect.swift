/// The size of a terminal or a part of it, in cells.
struct Size: Hashable, Sendable {
    var columns: Int
    var rows: Int
}

/// A cell of the screen: column and row count from zero, at the left and the top.
struct Position: Hashable, Sendable {
    var column: Int
    var row: Int
}

/// A part of the screen. An empty one has no columns or no rows; drawing into it has no effect.
struct Rect: Hashable, Sendable {
    var column: Int
    var row: Int
    var columns: Int
    var rows: Int

    init(column: Int = 0, row: Int = 0, columns: Int, rows: Int) {
        self.column = column
        self.row = row
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }

    init(_ size: Size) {
        self.init(columns: size.columns, rows: size.rows)
    }

    /// The column after the last one.
    var endColumn: Int { column + columns }
    /// The row below the last one.
    var endRow: Int { row + rows }
    var isEmpty: Bool { columns == 0 || rows == 0 }

    func contains(_ position: Position) -> Bool {
        position.column >= column && position.column < endColumn && position.row >= row && position.row < endRow
    }

    func intersection(_ other: Rect) -> Rect {
        let left = max(column, other.column)
        let top = max(row, other.row)
        return Rect(
            column: left, row: top, columns: min(endColumn, other.endColumn) - left,
            rows: min(endRow, other.endRow) - top)
    }

    /// The rectangle without a margin.
    func inset(columns horizontal: Int = 0, rows vertical: Int = 0) -> Rect {
        Rect(
            column: column + horizontal, row: row + vertical, columns: columns - 2 * horizontal,
            rows: rows - 2 * vertical)
    }

    /// The line at `index`, counted from the top; empty outside.
    func line(_ index: Int) -> Rect {
        Rect(column: column, row: row + index, columns: columns, rows: index >= 0 && index < rows ? 1 : 0)
    }

    /// A rectangle of at most that size in the middle of this one.
    func centered(columns wanted: Int, rows wantedRows: Int) -> Rect {
        let width = min(wanted, columns)
        let height = min(wantedRows, rows)
        return Rect(
            column: column + (columns - width) / 2, row: row + (rows - height) / 2, columns: width, rows: height)
    }

    /// Removes and returns rows at the top: that number, or all if there are fewer.
    mutating func takeTop(_ count: Int) -> Rect {
        var taken = self
        taken.rows = min(max(0, count), rows)
        (row, rows) = (row + taken.rows, rows - taken.rows)
        return taken
    }

    /// Removes and returns rows at the bottom: that number, or all if there are fewer.
    mutating func takeBottom(_ count: Int) -> Rect {
        var rest = self
        self = rest.takeTop(rows - min(max(0, count), rows))
        return rest
    }

    /// Removes and returns columns at the left: that number, or all if there are fewer.
    mutating func takeLeft(_ count: Int) -> Rect {
        var taken = self
        taken.columns = min(max(0, count), columns)
        (column, columns) = (column + taken.columns, columns - taken.columns)
        return taken
    }

    /// Removes and returns columns at the right: that number, or all if there are fewer.
    mutating func takeRight(_ count: Int) -> Rect {
        var rest = self
        self = rest.takeLeft(columns - min(max(0, count), columns))
        return rest
    }
}
