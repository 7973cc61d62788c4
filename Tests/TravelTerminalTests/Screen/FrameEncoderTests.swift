import TestReporting
import TestConcurrency
import Testing

@testable import TravelTerminal

@Suite("Frames", .limitedConcurrency)
struct FrameEncoderTests {
    private static let words = [
        "a", "bc", " ", "   ", "부산", "밤바다", "👨‍👩‍👧", "🇰🇷", "☀️", "e\u{301}", "…", "│", "7", "\u{1112}\u{1161}\u{11AB}", "한a글",
    ]
    private static let styles = [
        Style.plain, Style(.red), Style(.rgb(1, 2, 3), on: .rgb(250, 250, 250), .bold), Style(.palette(99)),
        Style(.standard, on: .standard, .reverse),
    ]

    /// A grid with random text, some of it as in `base`.
    private static func grid(_ size: Size, base: Grid?, using random: inout SeededGenerator) -> Grid {
        var grid = base ?? Grid(size)
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let rect = Rect(
                column: Int.random(in: -2...size.columns, using: &random),
                row: Int.random(in: 0..<size.rows, using: &random),
                columns: Int.random(in: 0...size.columns, using: &random), rows: 1)
            let style = styles.randomElement(using: &random) ?? .plain
            switch Int.random(in: 0..<6, using: &random) {
            case 0: grid.fill(rect, .plain)
            case 1: grid.fill(rect, style)
            default:
                let text = (0..<Int.random(in: 1...5, using: &random)).map { _ in words.randomElement(using: &random)! }
                grid.draw(text.joined(), in: rect, at: Int.random(in: -1...1, using: &random), style)
            }
        }
        grid.cursor =
            Bool.random(using: &random)
            ? Position(
                column: Int.random(in: 0..<size.columns, using: &random),
                row: Int.random(in: 0..<size.rows, using: &random)) : nil
        return grid
    }

    @Test("a terminal that receives the changes shows the new frame", arguments: 0..<UInt64(20))
    func equalsGrid(seed: UInt64) {
        for round in 0..<UInt64(5 * SeededGenerator.factor) {
            var random = SeededGenerator(seed: seed << 32 | round)
            let size = Size(
                columns: Int.random(in: 1...14, using: &random), rows: Int.random(in: 1...5, using: &random))
            var terminal = TerminalEmulator(size)
            let encoder = FrameEncoder(colorDepth: .trueColor)
            var old: Grid?
            for _ in 0..<8 {
                let new = Self.grid(size, base: Bool.random(using: &random) ? old : nil, using: &random)
                terminal.receive(encoder.encode(new, from: old))
                #expect(terminal.errors == [])
                let isShown = terminal.shows(new)
                #expect(isShown, "seed \(seed), round \(round)")
                if !isShown || !terminal.errors.isEmpty { return }
                old = new
            }
        }
    }

    @Test("wide clusters in a grid keep both halves", arguments: 0..<UInt64(10))
    func halves(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let size = Size(columns: 9, rows: 3)
        var grid = Grid(size)
        for _ in 0..<40 {
            grid = Self.grid(size, base: grid, using: &random)
            for row in 0..<size.rows {
                for column in 0..<size.columns {
                    let cell = grid[column, row]
                    let next = column + 1 < size.columns ? grid[column + 1, row] : nil
                    #expect((cell.width == 2) == (next?.width == 0))
                    if cell.width == 2 { #expect(next?.style == cell.style) }
                }
                #expect(grid[0, row].width != 0)
            }
        }
    }

    @Test("an equal frame is no bytes, and one changed cell a few")
    func smallChanges() {
        var old = Grid(Size(columns: 80, rows: 24))
        old.draw("부산 여행", in: Rect(column: 3, row: 4, columns: 70, rows: 1))
        let encoder = FrameEncoder(colorDepth: .palette)
        #expect(encoder.encode(old, from: old) == [])
        var new = old
        new.draw("!", in: Rect(column: 40, row: 20, columns: 1, rows: 1))
        #expect(String(decoding: encoder.encode(new, from: old), as: UTF8.self) == "\u{1B}[21;41H!")
    }

    @Test("a frame of another size, or the first, clears the terminal")
    func otherSize() {
        let encoder = FrameEncoder(colorDepth: .ansi, marksFrames: false)
        let small = Grid(Size(columns: 2, rows: 1))
        let first = String(decoding: encoder.encode(small, from: nil), as: UTF8.self)
        #expect(first == "\u{1B}[?25l\u{1B}[0m\u{1B}[2J")
        #expect(encoder.encode(Grid(Size(columns: 3, rows: 1)), from: small) == Array(first.utf8))
    }

    @Test("a wide cluster at the edge becomes a space")
    func clipping() {
        var grid = Grid(Size(columns: 5, rows: 1))
        grid.draw("가나다", in: Rect(columns: 5, rows: 1))
        #expect(grid.line(0) == "가나")
        #expect(grid[4, 0] == Cell(cluster: " ", width: 1, style: .plain))
        grid.draw("x", in: Rect(column: 1, columns: 1, rows: 1))
        #expect(grid.line(0) == " x나")
        grid.draw("각", in: Rect(column: 0, columns: 5, rows: 1), at: -1)
        #expect(grid.line(0) == " x나")
    }

    @Test("control characters in text never reach the terminal")
    func controls() {
        var grid = Grid(Size(columns: 12, rows: 1))
        grid.draw("\u{1B}[2J\u{7}\r\n\u{9B}1m", in: grid.bounds)
        let bytes = FrameEncoder(colorDepth: .none, marksFrames: false).encode(grid, from: Grid(grid.size))
        #expect(bytes.filter { $0 < 0x20 }.count == 1)
        #expect(grid.line(0) == "␛[2J␇␍␊�1m")
    }
}

@Suite("Colours")
struct ColorDepthTests {
    @Test(
        "the environment tells how many colours a terminal has",
        arguments: [
            (["TERM": "xterm"], ColorDepth.ansi), (["TERM": "xterm-256color"], .palette), ([:], .none),
            (["TERM": "dumb"], .none), (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .trueColor),
            (["TERM": "xterm-direct"], .trueColor), (["TERM": "xterm-256color", "NO_COLOR": "1"], .none),
            (["TERM": "xterm-256color", "NO_COLOR": ""], .palette), (["TERM": "linux"], .ansi),
            (["TERM": "vt100"], .none),
        ])
    func environment(environment: [String: String], depth: ColorDepth) {
        #expect(ColorDepth(environment: environment) == depth)
    }

    @Test("a colour becomes the nearest that the terminal has")
    func nearest() {
        #expect(ColorDepth.palette.nearest(.rgb(255, 0, 0)) == .palette(196))
        #expect(ColorDepth.palette.nearest(.rgb(128, 128, 128)) == .palette(244))
        #expect(ColorDepth.ansi.nearest(.rgb(250, 10, 10)) == .ansi(9))
        #expect(ColorDepth.ansi.nearest(.palette(21)) == .ansi(4))
        #expect(ColorDepth.ansi.nearest(.palette(3)) == .ansi(3))
        #expect(ColorDepth.trueColor.nearest(.rgb(1, 2, 3)) == .rgb(1, 2, 3))
        for depth in ColorDepth.allCases { #expect(depth.nearest(.standard) == .standard) }
    }

    @Test("without colours, text with a background is shown in reverse")
    func noColor() {
        let style = ColorDepth.none.nearest(Style(.red, on: .blue, .bold))
        #expect(style == Style(.standard, on: .standard, [.bold, .reverse]))
        #expect(ColorDepth.none.nearest(Style(.red)) == .plain)
        #expect(ColorDepth.none.nearest(Style(.grey)) == Style(.standard, .dim))
    }
}
