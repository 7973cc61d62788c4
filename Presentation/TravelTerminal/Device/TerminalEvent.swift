/// What happens at a terminal.
enum TerminalEvent: Sendable {
    /// Keys and pasted text, as many as arrived together.
    case input([InputEvent])
    /// The size has changed.
    case resized
    /// The program continues after it was stopped: what the terminal shows is unknown.
    case resumed
    /// Something on the screen has changed.
    case changed
    /// A signal asks the program to end.
    case ended(signal: Int32)
    /// The terminal is gone.
    case closed
}
