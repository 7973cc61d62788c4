public import TravelPresentation

/// The interactive app on the terminal of this process.
///
/// ```swift
/// let session = TerminalSession(screens, language: .korean, restoring: savedScreens)
/// let open = try await session.run()    // returns when the person has left; `open` restores the screens later
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
    ///   - open: The open screens, as ``run()`` returned them; by default the list of travels.
    ///   - environment: Where the colours of the terminal are told: `NO_COLOR`, `COLORTERM` and `TERM`.
    public init(
        _ screens: TerminalScreens, language: Language, restoring open: String = "", environment: [String: String]
    ) {
        app = TerminalApp(screens, language: language, restoring: OpenScreens(text: open))
        self.environment = environment
    }

    /// Shows the app until the person leaves it, the terminal is closed, or the task is cancelled.
    ///
    /// The terminal is given back as it was: when this returns or throws, when the process ends or crashes, and while it is
    /// stopped. A signal that asks the process to end does so when the screens are closed.
    ///
    /// - Returns: The open screens as text, for ``init(_:language:restoring:environment:)``.
    /// - Throws: An error that describes why, if standard input or output is no terminal.
    public func run(closing: @escaping @MainActor () async -> Void = {}) async throws -> String {
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
        if let signal {
            await closing()
            device.end(by: signal)
        }
        return open
    }
}
