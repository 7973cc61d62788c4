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
    /// highlighted.
    func nearest(_ style: Style) -> Style {
        if self == .trueColor { return style }
        var result = Style(nearest(style.foreground), on: nearest(style.background), style.attributes)
        if self == .none && style.background != .standard { result.attributes.formUnion(.reverse) }
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
