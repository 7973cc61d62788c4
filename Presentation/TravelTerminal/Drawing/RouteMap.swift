/// Places, in their order, projected to a box of dots.
///
/// The projection is equirectangular: longitudes are shortened by the cosine of the latitude in the middle, so that
/// distances have the same scale in both directions. It is suitable for the places of one day, but not near the poles.
package struct RouteMap: Sendable {
    /// A number at a cell of the map.
    package struct Stop: Hashable, Sendable {
        /// The number of the first stop at this cell.
        package let number: Int
        package let column: Int
        package let row: Int
        package let isShared: Bool
    }

    package let canvas: BrailleCanvas
    package let stops: [Stop]

    /// Projects the places into so many cells, with north at the top; coordinates that are not finite are omitted, but
    /// counted.
    ///
    /// - Parameters:
    ///   - places: Latitude and longitude in degrees.
    ///   - numbers: The numbers of the places, as many as there are; `nil` to count from one.
    ///   - track: The recorded path, in place of the lines from place to place.
    ///   - isWhole: Whether the map shows the whole path, or only the part of it that is near the places.
    ///   - columns: The width in cells.
    ///   - rows: The height in cells.
    package init(
        _ places: [(latitude: Double, longitude: Double)], numbers: [Int]? = nil, along track: TrackGeometry? = nil,
        isWhole: Bool = true, columns: Int, rows: Int
    ) {
        var canvas = BrailleCanvas(columns: columns, rows: rows)
        guard columns > 0, rows > 0 else {
            self.canvas = canvas
            stops = []
            return
        }
        let finite = places.enumerated().filter { $0.element.latitude.isFinite && $0.element.longitude.isFinite }
        let path = track?.segments ?? []
        let positions = finite.map(\.element) + path.joined().map { ($0.latitude, $0.longitude) }
        let shown = isWhole || finite.isEmpty ? positions.count : finite.count
        let dots = Projection(positions, showing: shown, in: canvas).dots
        let dotsOfPlaces = dots.prefix(finite.count).map { $0 ?? (x: 0, y: 0) }
        if path.isEmpty {
            for (from, to) in zip(dotsOfPlaces, dotsOfPlaces.dropFirst()) { canvas.line(from: from, to: to) }
        }
        var rest = dots.dropFirst(finite.count)
        for segment in path {
            for (from, to) in zip(rest, rest.prefix(segment.count).dropFirst()) {
                // The positions of a track are close to each other, and many have the same dot.
                if let from, let to, from != to { canvas.line(from: from, to: to) }
            }
            rest = rest.dropFirst(segment.count)
        }
        var cells: [(number: Int, column: Int, row: Int, isShared: Bool)] = []
        for (place, dot) in zip(finite, dotsOfPlaces) {
            let (column, row) = (min(columns - 1, max(0, dot.x / 2)), min(rows - 1, max(0, dot.y / 4)))
            if let index = cells.firstIndex(where: { $0.column == column && $0.row == row }) {
                cells[index].isShared = true
            } else {
                cells.append((numbers?[place.offset] ?? place.offset + 1, column, row, false))
            }
        }
        self.canvas = canvas
        stops = cells.map { Stop(number: $0.number, column: $0.column, row: $0.row, isShared: $0.isShared) }
    }

    /// The map as lines of text without styles: the route in braille dots, the stops as numbers, `+` behind the number
    /// of a cell with several.
    ///
    /// ```swift
    /// RouteMap([(35.16, 129.16), (35.10, 129.03)], columns: 20, rows: 5).lines
    /// ```
    package var lines: [String] { rows.map { $0.map(\.text).joined() } }

    /// A part of a row: dots and spaces, or the label of a stop.
    package struct Piece: Hashable, Sendable {
        package let text: String
        /// The number of the stop; `nil` for dots.
        package let number: Int?
    }

    /// The map in rows from the north, each in pieces from the west, as ``lines``.
    package var rows: [[Piece]] {
        (0..<canvas.rows).map { row in
            var cells = (0..<canvas.columns).map { (canvas.character(column: $0, row: row), Int?.none) }
            for stop in stops.reversed() where stop.row == row {
                for (offset, character) in stop.label.enumerated() where stop.column + offset < cells.count {
                    cells[stop.column + offset] = (character, stop.number)
                }
            }
            var pieces: [Piece] = []
            var rest = cells[...]
            while let first = rest.first {
                let run = rest.prefix { $0.1 == first.1 }
                pieces.append(Piece(text: String(run.map(\.0)), number: first.1))
                rest = rest.dropFirst(run.count)
            }
            return pieces
        }
    }
}

/// The colours of days on maps that are printed.
package struct DayColors: Sendable {
    private let depth: ColorDepth

    /// The colours that the environment of a terminal specifies: `NO_COLOR`, `COLORTERM` and `TERM`.
    package init(environment: [String: String]) { depth = ColorDepth(environment: environment) }

    /// No colours: for output that is no terminal.
    package static let none = DayColors(depth: .none)

    private init(depth: ColorDepth) { self.depth = depth }

    /// The text with the sequences that give it the colour of a day, 1-based; the same text where there are no colours.
    package func text(_ text: String, ofDay day: Int) -> String {
        guard depth > .none else { return text }
        return depth.nearest(Styles.number(ofDay: day)).selectGraphicRendition + text
            + Style.plain.selectGraphicRendition
    }
}

/// Positions in degrees as dots of a canvas, north at the top.
private struct Projection {
    /// The dot of each position; `nil` for one far outside of the canvas.
    let dots: [(x: Int, y: Int)?]

    /// Projects the positions so that the first `count` fill the canvas, with a margin of a cell for their numbers.
    init(_ positions: [(latitude: Double, longitude: Double)], showing count: Int, in canvas: BrailleCanvas) {
        let ys = positions.map { -min(90, max(-90, $0.latitude)) }
        let (minY, spanY) = Self.extent(ys.prefix(count))
        let shortening = max(0.01, Self.cosine(degrees: minY + spanY / 2))
        let xs = Self.unwrapped(positions.map(\.longitude)).map { $0 * shortening }
        let (minX, spanX) = Self.extent(xs.prefix(count))
        // Dots are square if a cell is twice as high as wide.
        let (width, height) = (Double(max(1, canvas.width - 5)), Double(max(1, canvas.height - 4)))
        let largest = min(spanX > 0 ? width / spanX : .infinity, spanY > 0 ? height / spanY : .infinity)
        let scale = largest.isFinite ? largest : 0
        let marginX = (Double(canvas.width) - 1 - spanX * scale) / 2
        let marginY = (Double(canvas.height) - 1 - spanY * scale) / 2
        dots = zip(xs, ys).map { x, y in
            let (x, y) = (marginX + (x - minX) * scale, marginY + (y - minY) * scale)
            guard (-4_096...4_096).contains(x), (-4_096...4_096).contains(y) else { return nil }
            return (Int(x.rounded()), Int(y.rounded()))
        }
    }

    /// The longitudes without a jump at the antimeridian: each as near as possible to the first.
    private static func unwrapped(_ longitudes: [Double]) -> [Double] {
        guard let first = longitudes.first else { return [] }
        return longitudes.map { first + ($0 - first).remainder(dividingBy: 360) }
    }

    private static func extent(_ values: ArraySlice<Double>) -> (minimum: Double, span: Double) {
        guard let minimum = values.min(), let maximum = values.max() else { return (0, 0) }
        return (minimum, maximum - minimum)
    }

    /// The cosine by its Taylor series, exact to far less than a dot between -90 and 90 degrees.
    private static func cosine(degrees: Double) -> Double {
        let x = degrees * .pi / 180
        var (term, sum) = (1.0, 1.0)
        for index in 1...9 {
            let factors = (2 * index - 1) * 2 * index
            term *= -x * x / Double(factors)
            sum += term
        }
        return sum
    }
}

extension RouteMap.Stop {
    package var label: String { isShared ? "\(number)+" : "\(number)" }
}

extension RouteMap {
    /// Draws the map: the route in one style, the numbers in another.
    ///
    /// - Parameters:
    ///   - day: The day of the stops, which determines the colour of their numbers.
    ///   - selected: The number to highlight.
    func render(into grid: inout Grid, in rect: Rect, ofDay day: Int, selected: Int? = nil) {
        for row in 0..<min(canvas.rows, rect.rows) {
            let dots = String((0..<canvas.columns).map { canvas.character(column: $0, row: row) })
            grid.draw(dots, in: rect.line(row), Style(.cyan))
        }
        for stop in stops.reversed() {
            let style = stop.number == selected ? Styles.selection : Styles.number(ofDay: day)
            grid.draw(stop.label, in: rect.line(stop.row), at: stop.column, style)
        }
    }
}

/// A picture of dots, two columns and four rows of them in each cell, drawn with the braille characters U+2800 to
/// U+28FF.
package struct BrailleCanvas: Sendable {
    /// The size in cells.
    package let columns: Int
    package let rows: Int
    private var patterns: [UInt8]

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
