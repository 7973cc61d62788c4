import TravelTerminal

/// The text that a terminal shows: knows the sequences that move the cursor and erase, and ignores styles.
struct ScreenText {
    private let columns: Int
    private let rows: Int
    private var cells: [[Character?]]
    private var column = 0
    private var row = 0
    /// What is incomplete at the end of the bytes so far.
    private var pending: [UInt8] = []
    /// Whether the other screen is shown, the one of full-screen programs.
    private(set) var isFullScreen = false
    /// Whether the cursor is shown.
    private(set) var showsCursor = true

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    private init(columns: Int, rows: Int, pending: [UInt8]) {
        self.init(columns: columns, rows: rows)
        self.pending = pending
    }

    /// The lines, without spaces at the end.
    var lines: [String] {
        cells.map { row in
            var line = String(row.compactMap { $0 })
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    var text: String { lines.joined(separator: "\n") }

    mutating func receive(_ bytes: some Sequence<UInt8>) {
        pending += bytes
        // A character or a sequence may be cut in two: it is kept for the next time.
        var end = pending.count
        if let lead = pending.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) {
            let length = max(1, (~pending[lead]).leadingZeroBitCount)
            if lead + length > pending.count { end = lead }
        }
        let text = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeFirst(end)
        var rest = text.unicodeScalars[...]
        var printed = String.UnicodeScalarView()
        while let scalar = rest.first {
            if scalar == "\u{1B}" {
                guard let sequence = Self.sequence(rest) else {
                    pending.insert(contentsOf: Array(String(rest).utf8), at: 0)
                    break
                }
                print(String(printed))
                printed = .init()
                rest = rest.dropFirst(sequence.count)
                control(String(String.UnicodeScalarView(sequence.dropFirst(2))))
                continue
            }
            rest.removeFirst()
            if scalar.value >= 0x20 {
                printed.append(scalar)
                continue
            }
            print(String(printed))
            printed = .init()
            if scalar == "\r" { column = 0 }
            if scalar == "\n" { row = min(row + 1, rows - 1) }
        }
        print(String(printed))
    }

    /// The complete sequence at the beginning; nil if its end is missing.
    private static func sequence(_ scalars: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView? {
        guard scalars.dropFirst().first == "[" else { return scalars.count > 1 ? scalars.prefix(2) : nil }
        guard let end = scalars.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0.value) }) else { return nil }
        return scalars[...end]
    }

    private mutating func print(_ text: String) {
        for cluster in text {
            let width = cluster.displayWidth
            guard width > 0, column + width <= columns, row < rows else { continue }
            cells[row][column] = cluster
            if width == 2 { cells[row][column + 1] = nil }
            column += width
        }
    }

    private mutating func control(_ sequence: String) {
        guard let final = sequence.last else { return }
        let numbers = sequence.dropLast().split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        switch final {
        case "H":
            row = min(rows, max(1, numbers.first ?? 1)) - 1
            column = min(columns, max(1, numbers.count > 1 ? numbers[1] : 1)) - 1
        case "C": column = min(columns - 1, column + max(1, numbers.first ?? 1))
        case "A": row = max(0, row - max(1, numbers.first ?? 1))
        case "J":
            let isWhole = numbers.first == 2
            if !isWhole { for index in column..<columns { cells[row][index] = " " } }
            for index in (isWhole ? 0 : row + 1)..<rows { cells[index] = Array(repeating: " ", count: columns) }
        case "K": for index in column..<columns { cells[row][index] = " " }
        default:
            switch sequence {
            case "?1049h": isFullScreen = true
            case "?1049l":
                isFullScreen = false
                // What was there before is not kept: an empty screen stands for it.
                self = ScreenText(columns: columns, rows: rows, pending: pending)
            case "?25h": showsCursor = true
            case "?25l": showsCursor = false
            default: break
            }
        }
    }
}
