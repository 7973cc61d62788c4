public import TravelPresentation

/// The interactive app without a terminal: takes the bytes of a keyboard, returns the screen as text or as bytes for a
/// terminal.
///
/// For tests of the whole app, recordings and measurements. ``TerminalSession`` runs the same app on a terminal.
///
/// ```swift
/// let session = HeadlessSession(screens, language: .english, columns: 80, rows: 24)
/// session.press("/sea".utf8)
/// session.text    // the list of trips with the search field above it, which contains "sea"
/// ```
@MainActor
public final class HeadlessSession {
    let app: TerminalApp
    private var size: Size
    private let encoder: FrameEncoder
    private var decoder = InputDecoder()
    /// The contents of a terminal that has received all results of ``draw()``.
    private(set) var shown: Grid?

    /// Creates a session that opens these screens, on a screen of that size.
    ///
    /// - Parameters:
    ///   - screens: The use cases of the screens.
    ///   - language: The language to begin with.
    ///   - columns: The width of the screen, in cells.
    ///   - rows: The height of the screen, in cells.
    ///   - open: The open screens as text; by default the list of travels.
    ///   - environment: The variables that describe the colours of the terminal: `NO_COLOR`, `COLORTERM` and `TERM`.
    public convenience init(
        _ screens: TerminalScreens, language: Language, columns: Int, rows: Int, restoring open: String = "",
        environment: [String: String] = [:]
    ) {
        self.init(
            TerminalApp(screens, language: language, restoring: open),
            Size(columns: columns, rows: rows), environment: environment)
    }

    init(_ app: TerminalApp, _ size: Size, environment: [String: String]) {
        self.app = app
        self.size = size
        encoder = FrameEncoder(
            colorDepth: ColorDepth(environment: environment), marksFrames: environment["TERM"] != "linux")
    }

    /// Whether the person has left the app: further keys have no effect.
    public var hasEnded: Bool { app.hasEnded }

    /// Called when the screen may have changed: after a key, and when data arrives.
    public var changed: () -> Void {
        get { app.changed }
        set { app.changed = newValue }
    }

    /// Decodes these bytes and handles the keys. No input follows them, so a lone escape byte is the escape key.
    public func press(_ bytes: some Sequence<UInt8>) {
        for event in decoder.decode(bytes) + decoder.flush() { handle(event) }
    }

    func handle(_ event: InputEvent) {
        if hasEnded { return }
        if event == .key(.control("l")) { shown = nil } else { app.handle(event) }
    }

    /// Changes the size of the screen, in character cells, and draws it again.
    public func resize(columns: Int, rows: Int) {
        size = Size(columns: columns, rows: rows)
    }

    /// The bytes that make a terminal show the current screen, provided that it has received the results of all earlier
    /// calls; none if nothing has changed. The first time, and after a change of the size, they clear the terminal.
    public func draw() -> [UInt8] {
        let frame = app.frame(size)
        defer { shown = frame }
        return encoder.encode(frame, from: shown)
    }

    /// Discards the record of what the terminal shows: the next ``draw()`` clears it.
    func forgetScreen() {
        shown = nil
    }

    /// The current text of the screen: a line for each row, without trailing spaces.
    public var text: String { app.frame(size).text }

    /// Ends the work of all screens; the session draws nothing after it.
    public func close() {
        app.changed = {}
        app.close()
    }
}
