extension String {
    /// The text as it may be sent to a terminal: without control characters, which could move the cursor or change
    /// the colours, and which text from an imported file may hold.
    var terminalSafe: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}
