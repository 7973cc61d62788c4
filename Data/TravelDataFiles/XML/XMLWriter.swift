/// Writes elements one after another; every element is closed, and every text is escaped.
///
/// ```swift
/// var xml = XMLWriter()
/// xml.element("p", ["class": "note"]) { $0.text("a < b") }
/// xml.output    // <p class="note">a &lt; b</p>
/// ```
struct XMLWriter {
    /// The text written so far.
    private(set) var output = ""

    /// Attributes; one without a value is omitted.
    typealias Attributes = KeyValuePairs<String, String?>

    /// Appends an element with what `content` writes inside it.
    mutating func element(_ name: String, _ attributes: Attributes, _ content: (inout XMLWriter) -> Void) {
        begin(name, attributes)
        output += ">"
        content(&self)
        output += "</\(name)>"
    }

    /// Appends an element without attributes.
    mutating func element(_ name: String, _ content: (inout XMLWriter) -> Void) {
        element(name, [:], content)
    }

    /// Appends an element with a text.
    mutating func element(_ name: String, _ attributes: Attributes, text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// Appends an element without attributes, with a text.
    mutating func element(_ name: String, text: String) {
        element(name, [:]) { $0.text(text) }
    }

    /// Appends an element without content, in the form that both XML and HTML know: `<br />`.
    mutating func empty(_ name: String, _ attributes: Attributes = [:]) {
        begin(name, attributes)
        output += " />"
    }

    /// Appends a text.
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
