/// The errors of the XML parser, in words.
enum GPXFault {
    /// The error code of a tag without its closing `>`.
    static let tagNotClosed = 73

    /// Describes an error code of libxml2, which `XMLParser` forwards unchanged.
    static func words(for code: Int) -> String {
        switch code {
        case 5: "something comes after the last element"
        case 9, 81: "a character is not allowed, or not in the encoding that the file declares"
        case 26, 27: "an entity is used that XML does not have"
        case 23, 68, 22: "an & or a < stands for itself, where &amp; or &lt; is meant"
        case 31, 32: "the encoding that the file declares is not known"
        case 38: "the value of an attribute holds a <"
        case 39, 40, 41, 65: "an attribute is not written as name=\"value\""
        case 42: "an element has the same attribute twice"
        case 64: "something comes before <?xml"
        case tagNotClosed: "a tag is not closed with >"
        case 76, 77: "an end tag does not match its start tag"
        default: "error \(code) of the XML parser"
        }
    }
}
