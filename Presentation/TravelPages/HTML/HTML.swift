public import Foundation

/// A piece of a page: texts and elements of HTML, and of SVG inside it.
///
/// ```swift
/// let note = HTML("p", ["class": "note", "title": nil]) {
///     "a < b"
///     HTML("br")
/// }
/// note.text    // <p class="note">a &lt; b<br /></p>
/// ```
///
/// Whatever a text or the value of an attribute contains, it is no markup: the names of elements and attributes are
/// literals, and all else is escaped. Only a ``CSS`` is written as it is, which consists of literals as well. An attribute
/// without a value is omitted. What is written is HTML that is also well-formed XML.
///
/// The address of a link is an attribute like any other: where a person may have written it, check its scheme.
///
/// A piece is a value, so that a component is a property or a function that returns one.
public struct HTML: Sendable {
    private enum Node: Sendable {
        case text(String)
        case style(CSS)
        case element(String, [(name: String, value: String)], [Node])
    }

    private var nodes: [Node]

    /// The attributes of an element, in the order in which they are written.
    public typealias Attributes = KeyValuePairs<StaticString, String?>

    /// Creates nothing, the start of a list of pieces.
    public init() { nodes = [] }

    /// Creates a text.
    public init(text: String) { nodes = [.text(text)] }

    /// Creates an element without content: `<br />`, `<span></span>`.
    public init(_ name: StaticString, _ attributes: Attributes = [:]) {
        self.init(name, attributes, content: HTML())
    }

    /// Creates an element with what `content` lists.
    ///
    /// - Precondition: The element may have content: it is none like `br`.
    public init(_ name: StaticString, _ attributes: Attributes = [:], @Builder _ content: () -> HTML) {
        precondition(!Self.void.contains(name.description), "an element \(name) has no content")
        self.init(name, attributes, content: content())
    }

    private init(_ name: StaticString, _ attributes: Attributes, content: HTML) {
        let present = attributes.compactMap { name, value in value.map { (name: name.description, value: $0) } }
        nodes = [.element(name.description, present, content.nodes)]
    }

    /// An element `style`.
    public static func style(_ sheet: CSS) -> HTML {
        var style = HTML()
        style.nodes = [.element("style", [], [.style(sheet)])]
        return style
    }

    /// An element `script` with a literal.
    package static func script(_ source: CSS) -> HTML {
        var script = HTML()
        script.nodes = [.element("script", [], [.style(source)])]
        return script
    }

    /// A new line between elements, for people who read the source.
    public static let line = HTML(text: "\n")

    public static func += (piece: inout HTML, other: HTML) { piece.nodes += other.nodes }

    /// Lists pieces one after another; texts are escaped.
    @resultBuilder
    public enum Builder {
        public static func buildExpression(_ text: String) -> HTML { HTML(text: text) }
        public static func buildExpression(_ piece: HTML) -> HTML { piece }
        public static func buildBlock(_ piece: HTML) -> HTML { piece }
        public static func buildBlock(_ pieces: HTML...) -> HTML { buildArray(pieces) }
        public static func buildOptional(_ piece: HTML?) -> HTML { piece ?? HTML() }
        public static func buildEither(first piece: HTML) -> HTML { piece }
        public static func buildEither(second piece: HTML) -> HTML { piece }
        public static func buildArray(_ pieces: [HTML]) -> HTML {
            pieces.reduce(into: HTML()) { $0 += $1 }
        }
    }
}

extension HTML {
    /// The elements that never have content (HTML, 13.1.2).
    private static let void: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]
    /// The shapes of SVG, which need no end tag without content. Of HTML, other elements than the void ones do.
    private static let shapes: Set<String> = [
        "circle", "ellipse", "line", "path", "polygon", "polyline", "rect", "use",
    ]

    /// The source.
    public var text: String {
        var output = ""
        for node in nodes { Self.write(node, to: &output) }
        return output
    }

    /// A document with this piece as its root, in UTF-8.
    ///
    /// ```swift
    /// HTML("svg", ["xmlns": "http://www.w3.org/2000/svg"]).document(.svg)    // <?xml …?>, and the element
    /// ```
    public func document(_ kind: DocumentKind) -> Data {
        var output = kind.rawValue + "\n"
        for node in nodes { Self.write(node, to: &output) }
        output += "\n"
        return Data(output.utf8)
    }

    /// What a document begins with.
    public enum DocumentKind: String, Sendable {
        case html = "<!DOCTYPE html>"
        case svg = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
    }

    private static func write(_ node: Node, to output: inout String) {
        switch node {
        case .text(let text): append(text, isAttribute: false, to: &output)
        case .style(let sheet): output += sheet.text
        case .element(let name, let attributes, let content):
            guard open(name, attributes, hasContent: !content.isEmpty, to: &output) else { return }
            for node in content { write(node, to: &output) }
            close(name, to: &output)
        }
    }

    private static func close(_ name: String, to output: inout String) {
        // An interpolation would allocate a text of its own.
        output += "</"
        output += name
        output += ">"
    }

    /// Appends the start tag of an element. Returns `false` where the element ends with it.
    private static func open(
        _ name: String, _ attributes: [(name: String, value: String)], hasContent: Bool, to output: inout String
    ) -> Bool {
        output += "<"
        output += name
        for attribute in attributes {
            output += " "
            output += attribute.name
            output += "=\""
            append(attribute.value, isAttribute: true, to: &output)
            output += "\""
        }
        let isWhole = !hasContent && (void.contains(name) || shapes.contains(name))
        output += isWhole ? " />" : ">"
        return !isWhole
    }

    /// Appends a text, in which `<`, `>`, `&` and quotation marks become references, and so does what a parser would
    /// change: a carriage return, and in an attribute a line feed or a tab. Code points that XML does not have become
    /// U+FFFD, the replacement character.
    private static func append(_ text: String, isAttribute: Bool, to output: inout String) {
        // A picture in an address is long, and plain.
        if text.utf8.allSatisfy(isPlain) { return output += text }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "'": output += "&#39;"
            case "\r": output += "&#13;"
            case "\n" where isAttribute: output += "&#10;"
            case "\t" where isAttribute: output += "&#9;"
            case "\n", "\t": output.unicodeScalars.append(scalar)
            // Extensible Markup Language 1.0, production 2.
            case ..."\u{1F}", "\u{FFFE}", "\u{FFFF}": output += "\u{FFFD}"
            default: output.unicodeScalars.append(scalar)
            }
        }
    }

    /// Whether a byte of UTF-8 stands for itself wherever it is: no control character, no markup, and not the beginning
    /// of U+FFFE.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0xEF: false
        default: byte >= 0x20
        }
    }
}

extension HTML {
    /// An element with an ID: its source, in which each element with an ID inside of it is only marked.
    package struct Part: Hashable, Sendable {
        package let id: String
        package let source: String
    }

    /// The name of the element that marks the place of a part in the part around it, by the part's ID: `<page-part
    /// ref="trip-6f1c…"></page-part>`.
    package static let mark: StaticString = "page-part"

    /// The parts of this piece, each before those inside of it; what is outside of every element with an ID is not among
    /// them. A drawing is one piece: an ID inside of an `svg` makes no part.
    ///
    /// ```swift
    /// HTML("ul", ["id": "trips"]) { HTML("li", ["id": "busan"]) { "Busan" } }.parts.map(\.source)
    /// // ["<ul id=\"trips\"><page-part ref=\"busan\"></page-part></ul>", "<li id=\"busan\">Busan</li>"]
    /// ```
    package var parts: [Part] {
        var parts: [Part] = []
        for node in nodes {
            var outside = ""
            Self.write(node, to: &outside, parts: &parts)
        }
        return parts
    }

    private static func write(_ node: Node, to output: inout String, parts: inout [Part]) {
        guard case .element(let name, let attributes, let content) = node, name != "svg" else {
            return write(node, to: &output)
        }
        guard let id = attributes.first(where: { $0.name == "id" })?.value else {
            guard open(name, attributes, hasContent: !content.isEmpty, to: &output) else { return }
            for node in content { write(node, to: &output, parts: &parts) }
            return close(name, to: &output)
        }
        _ = open("\(mark)", [("ref", id)], hasContent: true, to: &output)
        output += "</\(mark)>"
        let place = parts.count
        parts.append(Part(id: id, source: ""))
        var source = ""
        if open(name, attributes, hasContent: !content.isEmpty, to: &source) {
            for node in content { write(node, to: &source, parts: &parts) }
            close(name, to: &source)
        }
        parts[place] = Part(id: id, source: source)
    }
}

/// A style sheet, which literals and other style sheets make up: no text of a person can be a part of it.
///
/// ```swift
/// let ink: CSS = "#1f2328"
/// let rule: CSS = "h1{color:\(ink)}"
/// ```
public struct CSS: ExpressibleByStringInterpolation, Hashable, Sendable {
    public let text: String

    public init(stringLiteral literal: StaticString) { text = literal.description }
    public init(stringInterpolation interpolation: StringInterpolation) { text = interpolation.text }

    /// Joins rules, one a line.
    public init(lines: [CSS]) { text = lines.map(\.text).joined(separator: "\n") }

    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }
        public mutating func appendLiteral(_ literal: StaticString) { text += literal.description }
        public mutating func appendInterpolation(_ sheet: CSS) { text += sheet.text }
        public mutating func appendInterpolation(_ number: Int) { text += "\(number)" }
    }
}
