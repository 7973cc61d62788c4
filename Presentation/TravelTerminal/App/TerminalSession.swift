public import TravelPresentation

/// The interactive app on the terminal of this process.
///
/// ```swift
/// let session = TerminalSession(screens, language: .korean, restoring: saved, environment: environment)
/// try await session.run { open in save(open) }    // returns when the person has left
/// ```
@MainActor
public final class TerminalSession {
    private let app: TerminalApp
    private let environment: [String: String]

    /// Creates a session that opens these screens.
    ///
    /// - Parameters:
    ///   - screens: What the screens ask of the domain.
    ///   - language: The language to begin with.
    ///   - open: The open screens, as ``run(leaving:)`` returned them; by default the list of travels.
    ///   - link: The link of a screen to open above them, such as `traveline://travel/ID`.
    ///   - environment: The variables that describe the colours of the terminal: `NO_COLOR`, `COLORTERM` and `TERM`.
    public init(
        _ screens: TerminalScreens, language: Language, restoring open: String = "", opening link: String? = nil,
        environment: [String: String]
    ) {
        app = TerminalApp(screens, language: language, restoring: OpenScreens(text: open))
        if let link { app.open(link: link) }
        self.environment = environment
    }

    /// Shows the app until the person leaves it, the terminal is closed, or a signal asks the process to end.
    ///
    /// The terminal is restored: when this returns or throws, when the process ends or crashes, and while it is
    /// stopped.
    ///
    /// - Parameter leaving: Called once, when the terminal is restored, with the open screens as text: for
    ///   ``init(_:language:restoring:opening:environment:)``. After that, a process that a signal asked to end ends as if by the
    ///   signal; otherwise this returns.
    /// - Throws: An error that describes why, if standard input or output is no terminal; `leaving` is not called then.
    public func run(leaving: @MainActor (_ open: String) async -> Void) async throws {
        let device = try TerminalDevice()
        let encoder = FrameEncoder(
            colorDepth: ColorDepth(environment: environment), marksFrames: environment["TERM"] != "linux")
        var shown: Grid?
        var signal: Int32?
        app.changed = { device.requestFrame() }
        func draw() {
            device.takeRequest()
            let frame = app.frame(device.size)
            device.write(encoder.encode(frame, from: shown))
            shown = frame
        }
        draw()
        events: for await event in device.events {
            device.prepareThread()
            switch event {
            case .input(let inputs):
                for input in inputs {
                    switch input {
                    case .key(.control("z")): device.suspend()
                    case .key(.control("l")): shown = nil
                    default: app.handle(input)
                    }
                    if app.hasEnded { break events }
                }
            case .resized, .changed: break
            case .resumed: shown = nil
            case .ended(let number):
                signal = number
                break events
            case .closed: break events
            }
            if app.hasEnded { break }
            draw()
        }
        let open = app.openScreens
        app.changed = {}
        app.close()
        device.close()
        await leaving(open)
        if let signal { device.end(by: signal) }
    }
}
