/// The styles of the app, by meaning. Text uses the colours of the user's own theme, so that it is readable on a dark
/// and on a light terminal; where a background is set, its text is, too.
enum Styles {
    static let title = Style(.rgb(255, 255, 255), on: .rgb(0, 105, 130), .bold)
    static let heading = Style(.standard, .bold)
    static let text = Style.plain
    static let dim = Style(.grey)
    static let accent = Style(.cyan, .bold)
    static let like = Style(.red)
    static let error = Style(.red, .bold)
    static let success = Style(.green)
    /// The row or control that the keys act on.
    static let selection = Style(.rgb(255, 255, 255), on: .rgb(0, 90, 160), .bold)
    static let chip = Style(.rgb(230, 230, 230), on: .rgb(70, 70, 80))
    static let chipOn = Style(.rgb(0, 0, 0), on: .rgb(90, 200, 180), .bold)
    static let field = Style(.standard, .underline)
    static let keyName = Style(.standard, .bold)
    static let toast = Style(.rgb(0, 0, 0), on: .rgb(240, 200, 80))
    static let skeleton = Style(.grey, .dim)
    static let border = Style(.grey)
}

extension Style {
    fileprivate init(_ foreground: Color, _ attributes: Attributes) {
        self.init(foreground, on: .standard, attributes)
    }
}
