/// A colour of text or its background.
enum Color: Hashable, Sendable {
    /// The default colour of the terminal.
    case standard
    /// One of the sixteen colours of the user's theme: 0–7, and 8–15 for the bright ones.
    case ansi(UInt8)
    /// An entry of the palette of 256 colours.
    case palette(UInt8)
    /// Red, green and blue.
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

    /// This style with further attributes.
    func adding(_ more: Attributes) -> Style {
        Style(foreground, on: background, attributes.union(more))
    }
}
