package import Foundation

#if canImport(FoundationXML)
package import FoundationXML
#endif

/// A document that an XML parser has read: its elements with their texts, and the parser's complaint.
package final class CheckedXML: NSObject, XMLParserDelegate {
    package struct Element {
        package let name: String
        package let attributes: [String: String]
        /// The text in it, that of elements inside it included.
        package fileprivate(set) var text = ""
        /// Whether it is hidden from screen readers (`aria-hidden`), by itself or by an element around it.
        package let isHidden: Bool
    }

    package private(set) var elements: [Element] = []
    package private(set) var error: String?
    private var open: [Int] = []

    package init(_ data: Data) {
        super.init()
        let parser = XMLParser(data: data)
        parser.delegate = self
        if !parser.parse() {
            error =
                "line \(parser.lineNumber), column \(parser.columnNumber): \(String(describing: parser.parserError))"
        }
    }

    package func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        let isHidden = attributes["aria-hidden"] == "true" || open.last.map { elements[$0].isHidden } == true
        open.append(elements.count)
        elements.append(Element(name: name, attributes: attributes, isHidden: isHidden))
    }

    package func parser(_ parser: XMLParser, foundCharacters text: String) {
        for index in open { elements[index].text += text }
    }

    package func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?)
    {
        open.removeLast()
    }

    package func all(_ name: String, class value: String? = nil) -> [Element] {
        elements.filter { $0.name == name && (value == nil || $0.attributes["class"] == value) }
    }

    /// What the document refers to and does not contain; what it contains twice; what would load or run something.
    package var defects: [String] { defects { _ in false } }

    /// The defects of a page of a site, whose links and pictures have addresses that `belong` to it.
    package func defects(_ belong: (String) -> Bool) -> [String] {
        var defects = error.map { [$0] } ?? []
        let ids = elements.compactMap { $0.attributes["id"] }
        defects += Dictionary(grouping: ids) { $0 }.filter { $1.count > 1 }.map { "the ID \($0.key) occurs twice" }
        for element in elements {
            let isIcon = element.name == "link" && element.attributes["rel"] == "icon"
            let loading = ["script", "iframe", "object", "embed", "link", "foreignObject", "base"]
            if loading.contains(element.name), !isIcon {
                defects.append("an element \(element.name)")
            }
            for (name, value) in element.attributes {
                if name.hasPrefix("on") { defects.append("an attribute \(name)") }
                if name == "href", !belong(value), !value.hasPrefix("#") || !ids.contains(String(value.dropFirst())) {
                    defects.append("the link \(value) leads nowhere")
                }
                if name == "style" { defects.append("a style that the policy forbids") }
                if name == "action", !belong(value) { defects.append("a form for \(value)") }
                if name == "src", !belong(value), !value.hasPrefix("data:image/") {
                    defects.append("the source \(value)")
                }
                if name == "aria-labelledby", !value.split(separator: " ").allSatisfy({ ids.contains(String($0)) }) {
                    defects.append("the label \(value) is missing")
                }
            }
            if element.name == "style", ["url(", "@import", "<"].contains(where: element.text.contains) {
                defects.append("the style loads something")
            }
        }
        return defects
    }

    /// Whether the source contains an address on a network other than a namespace.
    package static func containsAddress(_ data: Data) -> Bool {
        String(decoding: data, as: UTF8.self)
            .replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
            .replacingOccurrences(of: "http://www.w3.org/1999/xhtml", with: "")
            .lowercased().contains("http://")
            || String(decoding: data, as: UTF8.self).lowercased().contains("https:")
    }
}

/// The text that XML can have: other code points are replaced.
package func xmlText(_ text: String) -> String {
    text.replacingOccurrences(of: "\u{FFFE}", with: "\u{FFFD}")
}
