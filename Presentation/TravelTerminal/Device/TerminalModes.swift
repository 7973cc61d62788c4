/// The byte sequences that prepare a terminal for a full screen, and that restore it.
///
/// A terminal ignores the private modes that it does not know.
enum TerminalModes {
    /// Alternate screen (1049), no automatic wrapping (7), bracketed paste (2004), hidden cursor (25), cleared screen.
    static let enter = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?25l\u{1B}[2J\u{1B}[H"

    /// Reverts ``enter``, and ends a frame that was not written completely.
    static let leave = "\u{1B}[?2026l\u{1B}[0m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
}
