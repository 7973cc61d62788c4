/// A picture of dots, two columns and four rows of them in each cell, drawn with the braille characters U+2800 to
/// U+28FF.
package struct BrailleCanvas: Sendable {
    /// The size in cells.
    package let columns: Int
    package let rows: Int
    private var patterns: [UInt8]

    /// An empty canvas of that many cells.
    package init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        patterns = Array(repeating: 0, count: self.columns * self.rows)
    }

    /// The size in dots.
    package var width: Int { columns * 2 }
    package var height: Int { rows * 4 }

    /// Sets a dot; does nothing outside of the canvas.
    package mutating func set(_ x: Int, _ y: Int) {
        guard x >= 0, y >= 0, x < width, y < height else { return }
        patterns[y / 4 * columns + x / 2] |= Self.bits[y % 4][x % 2]
    }

    /// Sets the dots of a straight line, ends included (Bresenham's algorithm).
    package mutating func line(from a: (x: Int, y: Int), to b: (x: Int, y: Int)) {
        let (dx, dy) = (abs(b.x - a.x), -abs(b.y - a.y))
        let (stepX, stepY) = (a.x < b.x ? 1 : -1, a.y < b.y ? 1 : -1)
        var (x, y) = a
        var error = dx + dy
        while true {
            set(x, y)
            if x == b.x && y == b.y { return }
            let doubled = 2 * error
            if doubled >= dy {
                error += dy
                x += stepX
            }
            if doubled <= dx {
                error += dx
                y += stepY
            }
        }
    }

    /// The character of a cell; a space where no dot is set.
    package func character(column: Int, row: Int) -> Character {
        let pattern = patterns[row * columns + column]
        return pattern == 0 ? " " : Character(Unicode.Scalar(0x2800 + UInt32(pattern)) ?? " ")
    }

    /// The bits of the dots of a cell, by row and column (Unicode, chapter 21.1).
    private static let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]
}
