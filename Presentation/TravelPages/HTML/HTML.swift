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
    /// The source in UTF-8. A tree of elements would be many small allocations, and its only use would be to be written.
    private var source: [UInt8] = []
    /// The elements with an ID that are not inside of a drawing, in the order in which they begin.
    private var identified: [Identified] = []

    private struct Identified: Sendable {
        let id: String
        /// Where the element is in the source.
        var range: Range<Int>
    }

    /// The attributes of an element, in the order in which they are written.
    public typealias Attributes = KeyValuePairs<StaticString, String?>

    /// Creates nothing, the start of a list of pieces.
    public init() {}

    /// Creates a text.
    public init(text: String) { Self.append(text, isAttribute: false, to: &source) }

    /// Creates an element without content: `<br />`, `<span></span>`.
    public init(_ name: StaticString, _ attributes: Attributes = [:]) {
        self.init(name, attributes, content: HTML())
    }

    /// Creates an element with what `content` lists.
    ///
    /// - Precondition: The element may have content: it is none like `br`.
    public init(_ name: StaticString, _ attributes: Attributes = [:], @Builder _ content: () -> HTML) {
        precondition(!name.isOne(of: Self.void), "an element \(name) has no content")
        self.init(name, attributes, content: content())
    }

    private init(_ name: StaticString, _ attributes: Attributes, content: HTML) {
        let length = attributes.reduce(0) { $0 + $1.key.utf8CodeUnitCount + ($1.value?.utf8.count ?? 0) + 4 }
        source.reserveCapacity(content.source.count + 2 * name.utf8CodeUnitCount + length + 5)
        var id: String?
        source.append(UInt8(ascii: "<"))
        source.append(name)
        for (name, value) in attributes {
            guard let value else { continue }
            source.append(UInt8(ascii: " "))
            source.append(name)
            source.append("=\"")
            Self.append(value, isAttribute: true, to: &source)
            source.append(UInt8(ascii: "\""))
            if name.isOne(of: ["id"]) { id = value }
        }
        if content.source.isEmpty, name.isOne(of: Self.void) || name.isOne(of: Self.shapes) {
            source.append(" />")
        } else {
            source.append(UInt8(ascii: ">"))
            identified = content.moved(by: source.count)
            source.append(contentsOf: content.source)
            source.append("</")
            source.append(name)
            source.append(UInt8(ascii: ">"))
        }
        if name.isOne(of: ["svg"]) {
            // A drawing is one piece.
            identified = []
        } else if let id {
            identified.insert(Identified(id: id, range: source.indices), at: 0)
        }
    }

    /// An element `style`.
    public static func style(_ sheet: CSS) -> HTML { HTML("style", [:], content: HTML(verbatim: sheet)) }

    /// An element `script` with a literal.
    package static func script(_ source: CSS) -> HTML { HTML("script", [:], content: HTML(verbatim: source)) }

    private init(verbatim sheet: CSS) { source = Array(sheet.text.utf8) }

    /// A new line between elements, for people who read the source.
    public static let line = HTML(text: "\n")

    public static func += (piece: inout HTML, other: HTML) {
        if !other.identified.isEmpty { piece.identified += other.moved(by: piece.source.count) }
        piece.source += other.source
    }

    /// The elements with an ID, in a source in which this one begins at `offset`.
    private func moved(by offset: Int) -> [Identified] {
        var moved = identified
        for index in moved.indices {
            let range = moved[index].range
            moved[index].range = range.lowerBound + offset..<range.upperBound + offset
        }
        return moved
    }

    /// Lists pieces one after another; texts are escaped.
    @resultBuilder
    public enum Builder {
        public static func buildExpression(_ text: String) -> HTML { HTML(text: text) }
        public static func buildExpression(_ piece: HTML) -> HTML { piece }
        public static func buildBlock() -> HTML { HTML() }
        public static func buildPartialBlock(first: HTML) -> HTML { first }
        public static func buildPartialBlock(accumulated: consuming HTML, next: HTML) -> HTML {
            accumulated += next
            return accumulated
        }
        public static func buildOptional(_ piece: HTML?) -> HTML { piece ?? HTML() }
        public static func buildEither(first piece: HTML) -> HTML { piece }
        public static func buildEither(second piece: HTML) -> HTML { piece }
        public static func buildArray(_ pieces: [HTML]) -> HTML {
            pieces.reduce(into: HTML()) { $0 += $1 }
        }
    }
}

extension HTML {
    /// A paragraph of facts with a dot between two of them that are on one line, and none at the end or the start of a line.
    package static func facts(_ facts: [HTML]) -> HTML {
        HTML("p", ["class": "parts"]) {
            for (index, fact) in facts.enumerated() {
                HTML("span") {
                    if index > 0 { HTML("i") { " · " } }
                    fact
                }
            }
        }
    }

    /// The elements that never have content (HTML, 13.1.2).
    private static let void: [StaticString] = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]
    /// The shapes of SVG, which need no end tag without content. Of HTML, other elements than the void ones do.
    private static let shapes: [StaticString] = [
        "circle", "ellipse", "line", "path", "polygon", "polyline", "rect", "use",
    ]

    /// The source.
    public var text: String { String(decoding: source, as: UTF8.self) }

    /// A document with this piece as its root, in UTF-8.
    ///
    /// ```swift
    /// HTML("svg", ["xmlns": "http://www.w3.org/2000/svg"]).document(.svg)    // <?xml …?>, and the element
    /// ```
    public func document(_ kind: DocumentKind) -> Data {
        var document = Data(capacity: kind.rawValue.utf8.count + source.count + 2)
        document.append(contentsOf: kind.rawValue.utf8)
        document.append(UInt8(ascii: "\n"))
        document.append(contentsOf: source)
        document.append(UInt8(ascii: "\n"))
        return document
    }

    /// What a document begins with.
    public enum DocumentKind: String, Sendable {
        case html = "<!DOCTYPE html>"
        case svg = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
    }

    /// Appends a text, in which `<`, `>`, `&` and quotation marks become references, and so does what a parser would
    /// change: a carriage return, and in an attribute a line feed or a tab. Code points that XML does not have become
    /// U+FFFD, the replacement character.
    private static func append(_ text: String, isAttribute: Bool, to output: inout [UInt8]) {
        var text = text
        let isAppended = text.withUTF8 { bytes in
            guard bytes.allSatisfy(isPlain) else { return false }
            output.append(contentsOf: bytes)
            return true
        }
        if isAppended { return }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output.append("&amp;")
            case "<": output.append("&lt;")
            case ">": output.append("&gt;")
            case "\"": output.append("&quot;")
            case "'": output.append("&#39;")
            case "\r": output.append("&#13;")
            case "\n" where isAttribute: output.append("&#10;")
            case "\t" where isAttribute: output.append("&#9;")
            case "\n", "\t": output.append(UInt8(scalar.value))
            // Extensible Markup Language 1.0, production 2.
            case ..."\u{1F}", "\u{FFFE}", "\u{FFFF}": output.append("\u{FFFD}")
            default: output.append(contentsOf: UTF8.encode(scalar)!)
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
    /// An element with an ID. In its source, each element with an ID inside of it is only marked.
    package struct Part: Sendable {
        private let piece: HTML
        private let index: Int

        fileprivate init(_ piece: HTML, _ index: Int) { (self.piece, self.index) = (piece, index) }

        package var id: String { piece.identified[index].id }

        package var source: String {
            var bytes: [UInt8] = []
            forEachPiece {
                bytes.append(contentsOf: $0)
            } mark: { id in
                bytes.append(contentsOf: HTML(HTML.mark, ["ref": id]).source)
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// A hash of the source. It differs between runs of the program.
        package var digest: Int {
            var hasher = Hasher()
            // The hash of a text would normalize its characters first, which takes longer than all else for Hangul.
            forEachPiece {
                hasher.combine(bytes: $0)
            } mark: { id in
                var id = id
                id.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
                hasher.combine(0)
            }
            return hasher.finalize()
        }

        /// Calls a function for each piece of the source, and for the ID of each mark.
        private func forEachPiece(_ body: (UnsafeRawBufferPointer) -> Void, mark: (String) -> Void) {
            let (identified, range) = (piece.identified, piece.identified[index].range)
            piece.source.withUnsafeBytes { source in
                var start = range.lowerBound
                for inner in identified[(index + 1)...] {
                    if inner.range.lowerBound >= range.upperBound { break }
                    // One inside of a part that is marked already.
                    if inner.range.lowerBound < start { continue }
                    body(UnsafeRawBufferPointer(rebasing: source[start..<inner.range.lowerBound]))
                    mark(inner.id)
                    start = inner.range.upperBound
                }
                body(UnsafeRawBufferPointer(rebasing: source[start..<range.upperBound]))
            }
        }
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
    package var parts: some RandomAccessCollection<Part> { identified.indices.lazy.map { Part(self, $0) } }
}

extension StaticString {
    /// Whether one of these literals is equal. That takes less time than to make a `String` of the name of each element.
    fileprivate func isOne(of literals: [StaticString]) -> Bool {
        literals.contains { literal in
            literal.utf8CodeUnitCount == utf8CodeUnitCount
                && withUTF8Buffer { name in literal.withUTF8Buffer { $0.elementsEqual(name) } }
        }
    }
}

extension [UInt8] {
    /// Appends a literal.
    fileprivate mutating func append(_ literal: StaticString) {
        literal.withUTF8Buffer { append(contentsOf: $0) }
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
