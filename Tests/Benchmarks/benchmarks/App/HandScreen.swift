import TravelDomain
import TravelPresentation

/// The list of the app as it is written by hand for this one screen: composes all cells, and writes those that differ.
///
/// It has what the list shows, and nothing else: no other screens, no measuring of clusters of several scalars, no
/// colour depths.
@MainActor
final class HandScreen {
    private struct Cell: Equatable {
        var scalar: UInt32 = 0x20
        var style: UInt8 = 0
        /// Zero for the second half of a wide cluster.
        var width: UInt8 = 1
    }

    private static let selected: UInt8 = 1
    private static let dim: UInt8 = 2
    private static let bold: UInt8 = 3
    private static let title: UInt8 = 4
    private static let styles = [
        "\u{1B}[m", "\u{1B}[0;1;38;2;255;255;255;48;2;0;90;160m", "\u{1B}[0;90m", "\u{1B}[0;1m",
        "\u{1B}[0;1;38;2;255;255;255;48;2;0;105;130m",
    ]

    private let columns = AppBenchmarks.columns
    private let rows = AppBenchmarks.rows
    private let search: SearchTrips
    private let criteria = TripCriteria()
    /// The lines above the list, and the line of keys below it, which do not change.
    private let head: [String]
    private let foot: String
    private var trips: [Trip] = []
    private var next: TripCursor?
    private var current = 0
    private var top = 0
    private var cells: [Cell]
    private var shown: [Cell]
    private var times: [Double] = []

    /// A screen whose lines around the list are those of a text.
    init(like text: String, _ search: SearchTrips) async throws {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let first = lines.firstIndex { $0.hasPrefix("▸") } ?? 0
        head = Array(lines[..<first])
        foot = lines[lines.count - 1]
        cells = Array(repeating: Cell(), count: columns * rows)
        shown = cells
        self.search = search
        try await load()
        _ = draw()
    }

    private func load() async throws {
        let page = try await search(criteria, after: next)
        trips += page.trips
        next = page.next
    }

    private var visible: Int { (rows - head.count - 2) / 2 }

    /// Moves, draws, and keeps the processor's time of both. The next page is part of the press that asks for it.
    func press(_ key: Key) async {
        let start = Report.Clock.processor.now
        switch key {
        case .up: current = max(0, current - 1)
        case .down: current = min(trips.count - 1, current + 1)
        case .pageUp: current = max(0, current - visible)
        case .pageDown: current = min(trips.count - 1, current + visible)
        }
        top = min(max(top, current - visible + 1), current)
        // A page that cannot be read leaves the list as it is, and the texts of both screens differ.
        if current + visible >= trips.count, next != nil { try? await load() }
        _ = draw()
        times.append(Double(Report.Clock.processor.now - start))
    }

    func takeTimes() -> [Double] {
        defer { times = [] }
        return times
    }

    // MARK: Drawing

    private func put(_ text: String, _ row: Int, _ column: Int, limit: Int, _ style: UInt8) {
        var column = column
        for scalar in text.unicodeScalars {
            let value = scalar.value
            let width = value < 0x1100 || value > 0xD7A3 && value < 0xF900 || value >= 0x2000 && value < 0x2E80 ? 1 : 2
            if column + width > limit { return }
            cells[row * columns + column] = Cell(
                scalar: value < 0x20 ? 0x20 : value, style: style, width: UInt8(width))
            if width == 2 { cells[row * columns + column + 1] = Cell(style: style, width: 0) }
            column += width
        }
    }

    private func fill(_ row: Int, _ style: UInt8) {
        for index in row * columns..<(row + 1) * columns { cells[index] = Cell(style: style) }
    }

    private func compose() {
        for index in cells.indices { cells[index] = Cell() }
        for (row, line) in head.enumerated() { put(line, row, 0, limit: columns, row == 0 ? Self.title : Self.dim) }
        let area = head.count..<rows - 2
        for offset in 0..<min(visible, trips.count - top) {
            let row = TripRow(trips[top + offset], in: .english)
            let line = area.lowerBound + 2 * offset
            let isCurrent = top + offset == current
            if isCurrent {
                fill(line, Self.selected)
                fill(line + 1, Self.selected)
            }
            let limit = columns - (trips.count > visible ? 1 : 0)
            let likes = "\(row.isLiked ? "♥" : "♡") \(row.likeCount)"
            put(isCurrent ? "▸ " : "  ", line, 0, limit: limit, Self.selected)
            put(row.title, line, 2, limit: limit, isCurrent ? Self.selected : Self.bold)
            put(likes, line, limit - likes.unicodeScalars.count - 1, limit: limit, isCurrent ? Self.selected : Self.dim)
            put(
                "\(row.summary) · \(row.dates) · \(row.author)", line + 1, 2, limit: limit,
                isCurrent ? Self.selected : Self.dim)
        }
        bar(area)
        let end = next == nil ? "" : "+"
        let last = current == trips.count - 1 && next == nil ? " · End of the list." : ""
        put("\(current + 1)/\(trips.count)\(end)\(last)", rows - 2, 1, limit: columns, Self.dim)
        put(foot, rows - 1, 0, limit: columns, Self.dim)
    }

    private func bar(_ area: Range<Int>) {
        guard trips.count > visible else { return }
        let length = max(1, area.count * visible / trips.count)
        let start = (area.count - length) * top / max(1, trips.count - visible)
        for row in area {
            let isThumb = row - area.lowerBound >= start && row - area.lowerBound < start + length
            cells[(row + 1) * columns - 1] = Cell(scalar: isThumb ? 0x2503 : 0x2502, style: Self.dim)
        }
    }

    /// The bytes for the cells that differ from those that were drawn before.
    private func draw() -> [UInt8] {
        compose()
        var bytes: [UInt8] = []
        var style: UInt8 = 0
        var position = -1
        for index in cells.indices where cells[index] != shown[index] && cells[index].width > 0 {
            let cell = cells[index]
            if position != index {
                bytes.append(contentsOf: "\u{1B}[\(index / columns + 1);\(index % columns + 1)H".utf8)
            }
            if cell.style != style {
                style = cell.style
                bytes.append(contentsOf: Self.styles[Int(style)].utf8)
            }
            if let scalar = Unicode.Scalar(cell.scalar) { bytes.append(contentsOf: Array(Character(scalar).utf8)) }
            position = index + Int(cell.width)
        }
        if style != 0 { bytes.append(contentsOf: Self.styles[0].utf8) }
        shown = cells
        return bytes
    }

    /// The text of the screen, without spaces at the ends of its lines.
    var text: String {
        (0..<rows).map { row in
            var line = ""
            for cell in cells[row * columns..<(row + 1) * columns] where cell.width > 0 {
                if let scalar = Unicode.Scalar(cell.scalar) { line.unicodeScalars.append(scalar) }
            }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}
