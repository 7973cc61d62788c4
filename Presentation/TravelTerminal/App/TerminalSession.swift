public import TravelPresentation

/// The interactive app on the terminal of this process.
///
/// ```swift
/// let session = TerminalSession(useCases, language: .korean, restoring: saved, environment: environment)
/// try await session.run { open in save(open) }    // returns when the user has left
/// ```
@MainActor
package final class TerminalSession {
    private let session: HeadlessSession

    /// Creates a session that opens these screens.
    ///
    /// - Parameters:
    ///   - useCases: What the app provides to its screens.
    ///   - language: The language to begin with.
    ///   - open: The open screens, as ``run(leaving:)`` returned them; by default the list of trips.
    ///   - link: The link of a screen to open above them, such as `traveline://trip/ID`.
    ///   - environment: The variables that describe the colours of the terminal: `NO_COLOR`, `COLORTERM` and `TERM`.
    package init(
        _ useCases: ScreenUseCases, language: Language, restoring open: String = "", opening link: String? = nil,
        environment: [String: String]
    ) {
        session = HeadlessSession(
            useCases, language: language, columns: 80, rows: 24, restoring: open, environment: environment)
        if let link { session.app.open(link: link) }
    }

    /// Shows the app until the user leaves it, the terminal is closed, or a signal requests the end of the process.
    ///
    /// The terminal is restored: when this returns or throws, when the process ends or crashes, and while it is
    /// stopped. The signal handlers that see to it stay until the process ends, and run the actions that were there
    /// before.
    ///
    /// - Parameter leaving: Called once, when the terminal is restored, with the open screens as text, forms that are not
    ///   saved included: for ``init(_:language:restoring:opening:environment:)``. Afterwards, if a signal requested the
    ///   end of the process, the process ends by that signal; otherwise this returns.
    /// - Throws: An error with a description if standard input or output is not a terminal; `leaving` is not called
    ///   then.
    package func run(leaving: @MainActor (_ open: String) async -> Void) async throws {
        let device = try TerminalDevice()
        var signal: Int32?
        session.changed = { device.requestFrame() }
        func draw() {
            device.takeRequest()
            let size = device.size
            session.resize(columns: size.columns, rows: size.rows)
            device.write(session.draw())
        }
        draw()
        events: for await event in device.events {
            device.prepareThread()
            switch event {
            case .input(let inputs):
                for input in inputs {
                    if input == .key(.control("z")) { device.suspend() } else { session.handle(input) }
                    if session.hasEnded { break events }
                }
            case .resized: break
            // The frame that follows a key contains the changes that the key made.
            case .changed: if !device.takeRequest() { continue }
            case .resumed: session.forgetScreen()
            case .ended(let number):
                signal = number
                break events
            case .closed: break events
            }
            if session.hasEnded { break }
            draw()
        }
        let open = session.app.openScreens
        session.close()
        device.close()
        await leaving(open)
        device.end(by: signal)
    }
}

/// The interactive app without a terminal: takes the bytes of a keyboard, returns the screen as text or as bytes for a
/// terminal.
///
/// For tests of the whole app, recordings and measurements. `TerminalSession` runs the same app on a terminal.
///
/// ```swift
/// let session = HeadlessSession(useCases, language: .english, columns: 80, rows: 24)
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
    ///   - useCases: What the app provides to its screens.
    ///   - language: The language to begin with.
    ///   - columns: The width of the screen, in cells.
    ///   - rows: The height of the screen, in cells.
    ///   - open: The open screens as text; by default the list of trips.
    ///   - environment: The variables that describe the colours of the terminal: `NO_COLOR`, `COLORTERM` and `TERM`.
    public convenience init(
        _ useCases: ScreenUseCases, language: Language, columns: Int, rows: Int, restoring open: String = "",
        environment: [String: String] = [:]
    ) {
        self.init(
            TerminalApp(useCases, language: language, restoring: open),
            Size(columns: columns, rows: rows), environment: environment)
    }

    init(_ app: TerminalApp, _ size: Size, environment: [String: String]) {
        self.app = app
        self.size = size
        encoder = FrameEncoder(
            colorDepth: ColorDepth(environment: environment), marksFrames: environment["TERM"] != "linux")
    }

    /// Whether the user has left the app: further keys have no effect.
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

/// The actions that only a terminal has.
extension Text {
    static let move = Text("Move", "이동")
    static let open = Text("Open", "열기")
    static let choose = Text("Choose", "선택")
    static let nextField = Text("Next field", "다음 칸")
    static let scroll = Text("Scroll", "스크롤")
    static let redraw = Text("Draw the screen again", "화면 다시 그리기")
    static let suspend = Text("Back to the shell (fg returns)", "셸로 잠시 나가기 (fg로 복귀)")
    static let deleteText = Text("Delete the text before the cursor", "커서 앞의 글 지우기")
    static let page = Text("A page up or down", "한 화면씩 이동")
    static let stop = Text("Stop", "장소")
    static let quitUnsaved = Text("Quit; twice without saving", "종료 (두 번 누르면 저장하지 않고)")
    static let unsaved = Text(
        "Not saved yet. Ctrl-C again quits without saving.", "아직 저장하지 않았습니다. Ctrl-C를 다시 누르면 저장하지 않고 종료합니다.")
}
