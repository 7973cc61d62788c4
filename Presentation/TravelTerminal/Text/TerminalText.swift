extension String {
    /// The text without control characters, which an imported file may contain, and which could move the cursor or
    /// change the colours of the terminal.
    var terminalSafe: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}
