public import TravelPresentation

/// The interactive app on the terminal of this process.
///
/// ```swift
/// let session = TerminalSession(screens, language: .korean, restoring: saved, environment: environment)
/// try await session.run { open in save(open) }    // returns when the person has left
/// ```
@MainActor
public final class TerminalSession {
    private let session: HeadlessSession

    /// Creates a session that opens these screens.
    ///
    /// - Parameters:
    ///   - screens: The use cases of the screens.
    ///   - language: The language to begin with.
    ///   - open: The open screens, as ``run(leaving:)`` returned them; by default the list of travels.
    ///   - link: The link of a screen to open above them, such as `traveline://travel/ID`.
    ///   - environment: The variables that describe the colours of the terminal: `NO_COLOR`, `COLORTERM` and `TERM`.
    public init(
        _ screens: TerminalScreens, language: Language, restoring open: String = "", opening link: String? = nil,
        environment: [String: String]
    ) {
        session = HeadlessSession(
            screens, language: language, columns: 80, rows: 24, restoring: open, environment: environment)
        if let link { session.app.open(link: link) }
    }

    /// Shows the app until the person leaves it, the terminal is closed, or a signal requests the end of the process.
    ///
    /// The terminal is restored: when this returns or throws, when the process ends or crashes, and while it is
    /// stopped. The signal handlers that see to it stay until the process ends, and run the actions that were there
    /// before.
    ///
    /// - Parameter leaving: Called once, when the terminal is restored, with the open screens as text, the form of a new
    ///   trip included: for ``init(_:language:restoring:opening:environment:)``. Afterwards, if a signal requested the
    ///   end of the process, the process ends by that signal; otherwise this returns.
    /// - Throws: An error with a description if standard input or output is not a terminal; `leaving` is not called
    ///   then.
    public func run(leaving: @MainActor (_ open: String) async -> Void) async throws {
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
