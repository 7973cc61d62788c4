/// An event of a terminal.
enum TerminalEvent: Sendable {
    /// Keys and pasted text, as many as arrived together.
    case input([InputEvent])
    /// The size has changed.
    case resized
    /// The program continues after it was stopped: the contents of the terminal are unknown.
    case resumed
    /// Something on the screen has changed.
    case changed
    /// A signal requests the end of the program.
    case ended(signal: Int32)
    /// The terminal is gone.
    case closed
}
