extension String {
    /// The text without the white space of XML (space, tab, line breaks) at its ends.
    var trimmed: String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        guard let first = utf8.firstIndex(where: { !isSpace($0) }), let last = utf8.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(Substring(utf8[first...last]))
    }
}
