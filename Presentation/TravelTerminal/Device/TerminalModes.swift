/// The bytes that prepare a terminal for a full screen, and those that undo it.
///
/// A terminal ignores the private modes that it does not know.
enum TerminalModes {
    /// To the other screen (1049), lines not wrapped (7), pasted text in brackets (2004), cursor hidden (25), cleared.
    static let enter = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?25l\u{1B}[2J\u{1B}[H"

    /// What ``enter`` changed, in the other direction, and the end of a frame that was cut off.
    static let leave = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
}
