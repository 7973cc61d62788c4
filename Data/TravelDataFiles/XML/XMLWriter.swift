/// Writes elements one after another; every element is closed, and every text is escaped.
///
/// ```swift
/// var xml = XMLWriter()
/// xml.element("wpt", ["lat": "37.5"]) { $0.element("name", text: "a < b") }
/// xml.output    // <wpt lat="37.5"><name>a &lt; b</name></wpt>
/// ```
struct XMLWriter {
    private(set) var output = ""

    /// Attributes; one without a value is omitted.
    typealias Attributes = KeyValuePairs<String, String?>

    mutating func element(_ name: String, _ attributes: Attributes, _ content: (inout XMLWriter) -> Void) {
        begin(name, attributes)
        output += ">"
        content(&self)
        output += "</\(name)>"
    }

    mutating func element(_ name: String, _ content: (inout XMLWriter) -> Void) {
        element(name, [:], content)
    }

    mutating func element(_ name: String, _ attributes: Attributes, text: String) {
        element(name, attributes) { $0.text(text) }
    }

    mutating func element(_ name: String, text: String) {
        element(name, [:]) { $0.text(text) }
    }

    /// Appends an element without content: `<trkseg />`.
    mutating func empty(_ name: String, _ attributes: Attributes = [:]) {
        begin(name, attributes)
        output += " />"
    }

    mutating func text(_ text: String) {
        output += XMLText.content(text)
    }

    /// Appends markup that is well-formed already.
    mutating func markup(_ markup: String) {
        output += markup
    }

    /// Begins a new line, for people who read the source.
    mutating func line() {
        output += "\n"
    }

    private mutating func begin(_ name: String, _ attributes: Attributes) {
        output += "<\(name)"
        for case (let name, let value?) in attributes {
            output += " \(name)=\"\(XMLText.attribute(value))\""
        }
    }
}

/// Text as XML 1.0 writes it.
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
