@testable import TravelTerminal

/// A terminal in memory: shows what it is sent, as xterm would.
///
/// It knows the sequences that the encoder writes and records an error for every other. Overwriting a half of a wide
/// cluster blanks the other half, and a character written in the last column leaves the cursor there, waiting to wrap.
struct TerminalEmulator {
    let size: Size
    private(set) var cells: [Cell]
    private(set) var isCursorVisible = true
    private(set) var errors: [String] = []
    private var column = 0
    private var row = 0
    private var style = Style.plain
    private var isFrame = false

    init(_ size: Size) {
        self.size = size
        // What was there before is unknown.
        cells = Array(repeating: Cell(cluster: "?", width: 1, style: Style(.red)), count: size.columns * size.rows)
    }

    var cursor: Position? { isCursorVisible ? Position(column: column, row: row) : nil }

    /// Whether the terminal shows what the grid says.
    func shows(_ grid: Grid) -> Bool { cells == grid.cells && cursor == grid.cursor && !isFrame && style == .plain }

    mutating func receive(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        var rest = text.unicodeScalars[...]
        var printed = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar.value >= 0x20 {
                printed.append(scalar)
                continue
            }
            print(String(printed))
            printed = String.UnicodeScalarView()
            switch scalar {
            case "\r": column = 0
            case "\n": row = min(row + 1, size.rows - 1)
            case "\u{1B}": escape(&rest)
            default: errors.append("control \(scalar.value)")
            }
        }
        print(String(printed))
    }

    private mutating func print(_ text: String) {
        for cluster in text {
            let width = cluster.displayWidth
            guard column + width <= size.columns else {
                errors.append("\(cluster) beyond the last column")
                return
            }
            blankHalves(column, width)
            cells[row * size.columns + column] = Cell(cluster: cluster, width: UInt8(width), style: style)
            if width == 2 { cells[row * size.columns + column + 1] = .continuation(style) }
            column += width
            if cluster.unicodeScalars.count > 1 && column < size.columns {
                // Other terminals put the cursor elsewhere: it must be placed before the next cluster.
                column = size.columns + 1
            }
        }
    }

    private mutating func blankHalves(_ column: Int, _ width: Int) {
        let start = row * size.columns
        if cells[start + column].width == 0 { cells[start + column - 1] = .blank }
        let next = column + width
        if next < size.columns && cells[start + next].width == 0 { cells[start + next] = .blank }
    }

    private mutating func escape(_ rest: inout Substring.UnicodeScalarView) {
        guard rest.popFirst() == "[" else { return errors.append("escape") }
        var parameters = ""
        while let scalar = rest.popFirst() {
            if (0x40...0x7E).contains(scalar.value) { return control(parameters, Character(scalar)) }
            parameters.unicodeScalars.append(scalar)
        }
        errors.append("incomplete \(parameters)")
    }

    private mutating func control(_ parameters: String, _ final: Character) {
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        switch (final, parameters) {
        case ("H", _):
            row = max(1, numbers.first ?? 1) - 1
            column = max(1, numbers.count > 1 ? numbers[1] : 1) - 1
        case ("C", _): column += max(1, numbers.first ?? 1)
        case ("J", "2"): cells = Array(repeating: .blank, count: cells.count)
        case ("K", ""):
            guard column < size.columns else { break }
            if cells[row * size.columns + column].width == 0 { errors.append("erased half a cluster") }
            for index in column..<size.columns { cells[row * size.columns + index] = .blank }
        case ("h", "?25"): isCursorVisible = true
        case ("l", "?25"): isCursorVisible = false
        case ("h", "?2026"): isFrame = true
        case ("l", "?2026"): isFrame = false
        case ("m", _): select(numbers)
        default: errors.append("\(parameters)\(final)")
        }
        let usesCursor = "HCK".contains(final)
        if usesCursor && (column >= size.columns || row >= size.rows) {
            errors.append("cursor outside: \(parameters)\(final)")
        }
    }

    private mutating func select(_ numbers: [Int]) {
        var index = 0
        if numbers.isEmpty { style = .plain }
        while index < numbers.count {
            let number = numbers[index]
            index += 1
            switch number {
            case 0: style = .plain
            case 1: style.attributes.insert(.bold)
            case 2: style.attributes.insert(.dim)
            case 3: style.attributes.insert(.italic)
            case 4: style.attributes.insert(.underline)
            case 7: style.attributes.insert(.reverse)
            case 30...37: style.foreground = .ansi(UInt8(number - 30))
            case 40...47: style.background = .ansi(UInt8(number - 40))
            case 90...97: style.foreground = .ansi(UInt8(number - 82))
            case 100...107: style.background = .ansi(UInt8(number - 92))
            case 38, 48:
                let color: Color
                if numbers[index] == 5 {
                    color = .palette(UInt8(numbers[index + 1]))
                    index += 2
                } else {
                    color = .rgb(
                        UInt8(numbers[index + 1]), UInt8(numbers[index + 2]), UInt8(numbers[index + 3]))
                    index += 4
                }
                if number == 38 { style.foreground = color } else { style.background = color }
            default: errors.append("style \(number)")
            }
        }
    }
}
