/// Text as XML 1.0 writes it, which HTML reads the same way.
enum XMLText {
    /// The text between tags.
    ///
    /// `<`, `>`, `&` and quotation marks become references, and so does a carriage return, which a parser would
    /// otherwise turn into a line feed. Code points that XML does not have become U+FFFD, the replacement character.
    static func content(_ text: String) -> String { escaped(text, isAttribute: false) }

    /// The text of an attribute, between quotation marks: as ``content(_:)``, and line feeds and tabs are references,
    /// too.
    static func attribute(_ text: String) -> String { escaped(text, isAttribute: true) }

    private static func escaped(_ text: String, isAttribute: Bool) -> String {
        var result = String.UnicodeScalarView()
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            case "'": result.append(contentsOf: "&#39;".unicodeScalars)
            case "\r": result.append(contentsOf: "&#13;".unicodeScalars)
            case "\n" where isAttribute: result.append(contentsOf: "&#10;".unicodeScalars)
            case "\t" where isAttribute: result.append(contentsOf: "&#9;".unicodeScalars)
            case "\n", "\t": result.append(scalar)
            // Extensible Markup Language 1.0, production 2.
            case ..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
