import Foundation

/// Reads the elements of an XML file one after another: XML 1.0 (fifth edition) with namespaces, without a document type.
///
/// ```swift
/// var reader = try XMLReader { try file.read(upToCount: 65_536) }
/// while let event = try reader.next() { … }
/// ```
///
/// It accepts well-formed files only, and throws at the first fault with its place. A namespace that is not declared is
/// no fault, nor are blanks and comments before the XML declaration, which some recorders write. Nothing outside of the file is read, and no entity is expanded but those of XML itself.
///
/// It does not use the `XMLParser` of Foundation, because that of Linux ends the process for some files: those with a
/// name or a comment that is not UTF-8, or with a processing instruction without data. It holds at most one tag and one
/// text at a time; all its limits are in ``Limit``.
struct XMLReader {
    /// An element at its start tag.
    struct Element {
        /// The name without its prefix.
        let name: String
        /// The namespace; the prefix if that is not declared, and nothing without either.
        let space: String
        let attributes: [(name: String, value: String)]

        func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
    }

    enum Event {
        case start(Element)
        case end
    }

    /// What no file of a recorder comes near to.
    enum Limit {
        /// The number of elements that are open at a time.
        static let depth = 256
        /// The number of attributes of an element.
        static let attributes = 128
        /// The number of namespaces that are declared at a time.
        static let namespaces = 64
        /// The number of bytes of a name, in UTF-8.
        static let name = 1_000
        /// The number of bytes in the attributes of a tag, in UTF-8.
        static let tag = 1 << 20
    }

    /// Whether texts are appended to ``text``.
    var collectsText = false
    /// The text that was collected, in UTF-8; the rest of a longer one than ``longestText`` is left out.
    var text: [UInt8] = []
    /// The name of the first element, without its prefix, as soon as it has been read.
    private(set) var root: String?

    /// The first bytes of the file as they are.
    var head: Data { decoder.head }

    /// The number of bytes that a text has at most.
    var longestText = 16_384

    private var decoder: XMLDecoder
    /// The characters that are at hand, and the position of the next one among them.
    private var bytes: [UInt8] = []
    private var position = 0
    /// The place of the next character, 1-based.
    private(set) var line = 1
    private var column = 1
    /// The full names of the open elements.
    private var open: [String] = []
    /// The namespaces in scope, by their prefixes, with the depth of the element that declares them.
    private var spaces: [(prefix: String, name: String, depth: Int)] = []
    /// Whether the last start tag was that of an element without content.
    private var isEmptyElement = false
    private var isTextFull = false
    /// The name or the value that is being read.
    private var scratch: [UInt8] = []
    private var tagSize = 0

    /// Creates a reader of the bytes that `read` returns piece by piece, until it returns `nil` or nothing.
    ///
    /// - Throws: ``TravelFileError`` if the first bytes cannot be read.
    init(read: @escaping () throws(XMLDecoder.Failure) -> Data?) throws(TravelFileError) {
        do {
            decoder = try XMLDecoder(read: read)
        } catch {
            guard case .unreadable(let reason) = error else { throw TravelFileError(Self.notXML) }
            throw TravelFileError(.unreadable(reason))
        }
    }

    /// The next start or end of an element; `nil` at the end of the file.
    mutating func next() throws(TravelFileError) -> Event? {
        if root == nil { return .start(try prolog()) }
        if isEmptyElement {
            isEmptyElement = false
            close()
            return .end
        }
        if open.isEmpty {
            try epilog()
            return nil
        }
        while true {
            try content()
            let place = (line, column)
            advance()
            switch try peek() {
            case UInt8(ascii: "/"):
                try endTag(place)
                return .end
            case UInt8(ascii: "?"): try instruction(place)
            case UInt8(ascii: "!"): try declaration(place)
            default: return .start(try startTag(place))
            }
        }
    }

    // MARK: Parts of a document

    private mutating func prolog() throws(TravelFileError) -> Element {
        do throws(TravelFileError) {
            _ = try peek()
        } catch {
            // Characters that are none come from a file of another kind.
            switch error.problem {
            case .truncated: throw TravelFileError(.empty)
            case .malformedXML: throw TravelFileError(Self.notXML)
            default: throw error
            }
        }
        var hasMarkup = false
        var mayDeclare = true
        while true {
            try skipSpace(orEnd: hasMarkup ? .truncated : .empty)
            let place = (line, column)
            guard try peek() == UInt8(ascii: "<") else {
                throw hasMarkup ? malformed("text comes before the first element") : TravelFileError(Self.notXML)
            }
            hasMarkup = true
            advance()
            switch try peek() {
            case UInt8(ascii: "?"): mayDeclare = try !instruction(place, mayDeclare: mayDeclare) && mayDeclare
            case UInt8(ascii: "!"): try declaration(place)
            default: return try startTag(place)
            }
        }
    }

    private mutating func epilog() throws(TravelFileError) {
        while try !isAtEnd() {
            if Self.isSpace(bytes[position]) {
                advance()
                continue
            }
            let place = (line, column)
            let isMarkup = bytes[position] == UInt8(ascii: "<")
            advance()
            switch try isAtEnd() ? nil : bytes[position] {
            case UInt8(ascii: "?") where isMarkup: try instruction(place)
            case UInt8(ascii: "!") where isMarkup: try declaration(place)
            default: throw malformed("there is content after the last element", place)
            }
        }
    }

    /// Reads text up to the next `<`.
    private mutating func content() throws(TravelFileError) {
        var brackets = 0
        while true {
            let byte = try peek()
            switch byte {
            case UInt8(ascii: "<"): return
            case UInt8(ascii: "&"): collect(try reference().utf8)
            case UInt8(ascii: ">") where brackets >= 2:
                throw malformed("]]> occurs outside a CDATA section; write ]]&gt;")
            default: try collectNext()
            }
            brackets = byte == UInt8(ascii: "]") ? brackets + 1 : 0
        }
    }

    private mutating func startTag(_ place: (Int, Int)) throws(TravelFileError) -> Element {
        let name = try name(orFault: Self.unescaped, place)
        let parts = Self.parts(of: name)
        if root == nil { root = parts.local }
        var attributes: [(name: String, value: String)] = []
        tagSize = 0
        while true {
            let hasSpace = try skipSpace()
            let byte = try peek()
            if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") {
                advance()
                if byte == UInt8(ascii: "/") {
                    try expect(">", orFault: Self.tagNotClosed)
                    isEmptyElement = true
                }
                guard open.count < Limit.depth else {
                    throw fault(.limit("more than \(Limit.depth) elements are nested in each other"), place)
                }
                open.append(name)
                for (name, value) in attributes where name.hasPrefix("xmlns") {
                    let parts = Self.parts(of: name)
                    guard name == "xmlns" || parts.prefix == "xmlns" else { continue }
                    guard spaces.count < Limit.namespaces else {
                        throw fault(.limit("more than \(Limit.namespaces) namespaces are declared"), place)
                    }
                    spaces.append((name == "xmlns" ? "" : parts.local, value, open.count))
                }
                return Element(name: parts.local, space: space(parts.prefix), attributes: attributes)
            }
            guard hasSpace else { throw malformed(Self.notAnAttribute) }
            guard attributes.count < Limit.attributes else {
                throw fault(.limit("an element has more than \(Limit.attributes) attributes"), place)
            }
            let attribute = (line, column)
            let key = try self.name(orFault: Self.notAnAttribute, attribute)
            try skipSpace()
            try expect("=", orFault: Self.notAnAttribute)
            try skipSpace()
            let value = try value(place)
            if attributes.contains(where: { Self.isSame($0.name, key) }) {
                throw malformed("an element has the same attribute twice", attribute)
            }
            attributes.append((key, value))
        }
    }

    private mutating func endTag(_ place: (Int, Int)) throws(TravelFileError) {
        advance()
        let name = try name(orFault: "an end tag has no name", place)
        guard let last = open.last, Self.isSame(name, last) else {
            throw malformed("an end tag does not match its start tag", place)
        }
        try skipSpace()
        try expect(">", orFault: Self.tagNotClosed)
        close()
    }

    private mutating func close() {
        while let last = spaces.last, last.depth == open.count { spaces.removeLast() }
        open.removeLast()
    }

    /// Reads a comment, a CDATA section or the beginning of a document type from its `!`.
    private mutating func declaration(_ place: (Int, Int)) throws(TravelFileError) {
        advance()
        if try peek() == UInt8(ascii: "-") {
            advance()
            try expect("-", orFault: "<! begins neither a comment nor a CDATA section")
            try skip(past: "-", "-")
            try expect(">", orFault: "a comment contains --")
        } else if !open.isEmpty, try peek() == UInt8(ascii: "[") {
            for character in "[CDATA[".unicodeScalars {
                try expect(character, orFault: "<! begins neither a comment nor a CDATA section")
            }
            try characterData()
        } else if root == nil, try name(orFault: "<! does not begin a comment", place).lowercased() == "doctype" {
            try skipSpace()
            let name = try name(orFault: "a document type has no name", place)
            throw name.lowercased() == "html" ? TravelFileError(.notGPX("a web page")) : fault(.documentType, place)
        } else {
            throw malformed("<! begins neither a comment nor a CDATA section", place)
        }
    }

    /// Reads the text of a CDATA section with its end.
    private mutating func characterData() throws(TravelFileError) {
        var brackets = 0
        while true {
            switch try peek() {
            case UInt8(ascii: "]"):
                advance()
                brackets += 1
            case UInt8(ascii: ">") where brackets >= 2:
                advance()
                collect(Array(repeating: UInt8(ascii: "]"), count: brackets - 2))
                return
            default:
                collect(Array(repeating: UInt8(ascii: "]"), count: brackets))
                brackets = 0
                try collectNext()
            }
        }
    }

    /// Reads a processing instruction from its question mark, or the XML declaration, and returns whether it was that.
    ///
    /// Some recorders write blanks or a comment before the declaration, which XML does not allow.
    @discardableResult
    private mutating func instruction(_ place: (Int, Int), mayDeclare: Bool = false) throws(TravelFileError) -> Bool {
        advance()
        let target = try name(orFault: "a processing instruction has no name", place)
        if target == "xml", mayDeclare {
            try xmlDeclaration()
            return true
        }
        if target.lowercased() == "xml" { throw malformed("there is content before <?xml", place) }
        if try !skipSpace(), try peek() != UInt8(ascii: "?") {
            throw malformed("a processing instruction has an invalid name", place)
        }
        try skip(past: "?", ">")
        return false
    }

    private mutating func xmlDeclaration() throws(TravelFileError) {
        var keys = ["version", "encoding", "standalone"][...]
        tagSize = 0
        while true {
            let hasSpace = try skipSpace()
            if try peek() == UInt8(ascii: "?") {
                guard keys.count < 3 else { throw malformed(Self.invalidDeclaration) }
                advance()
                return try expect(">", orFault: Self.invalidDeclaration)
            }
            let place = (line, column)
            let key = try name(orFault: Self.invalidDeclaration, place)
            guard hasSpace, let index = keys.firstIndex(of: key), keys.count < 3 || key == "version" else {
                throw malformed(Self.invalidDeclaration, place)
            }
            keys = keys[(index + 1)...]
            try skipSpace()
            try expect("=", orFault: Self.invalidDeclaration)
            try skipSpace()
            let start = (line, column)
            let value = try value(place)
            let isValid =
                switch key {
                case "version":
                    value.utf8.count > 2 && value.hasPrefix("1.")
                        && value.utf8.dropFirst(2).allSatisfy { (0x30...0x39).contains($0) }
                case "encoding": decoder.isDecoded(as: value)
                default: value == "yes" || value == "no"
                }
            if !isValid {
                throw malformed(
                    key == "encoding" ? "the declared encoding is not supported" : Self.invalidDeclaration, start)
            }
        }
    }

    // MARK: Tokens

    /// Reads a name (productions 4 and 5).
    private mutating func name(orFault words: String, _ place: (Int, Int)) throws(TravelFileError) -> String {
        scratch.removeAll(keepingCapacity: true)
        var isASCII = true
        while true {
            let byte = try peek()
            // A name does not begin with a digit, a hyphen or a point.
            guard Self.isNameByte(byte), !scratch.isEmpty || byte > UInt8(ascii: "9") else { break }
            isASCII = isASCII && byte < 0x80
            scratch.append(byte)
            advance()
            if scratch.count > Limit.name { throw fault(.limit("a name is longer than \(Limit.name) bytes"), place) }
        }
        if scratch.isEmpty { throw malformed(words, place) }
        let name = String(decoding: scratch, as: UTF8.self)
        if !isASCII, !Self.isName(name) { throw malformed("a name contains an invalid character", place) }
        return name
    }

    /// Reads a value in quotation marks, with white space as XML reads it in an attribute: as spaces.
    private mutating func value(_ tag: (Int, Int)) throws(TravelFileError) -> String {
        let mark = try peek()
        guard mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") else { throw malformed(Self.notAnAttribute) }
        advance()
        scratch.removeAll(keepingCapacity: true)
        while true {
            let byte = try peek()
            switch byte {
            case mark:
                advance()
                return String(decoding: scratch, as: UTF8.self)
            case UInt8(ascii: "<"): throw malformed("the value of an attribute contains a <")
            case UInt8(ascii: "&"): scratch += try reference().utf8
            default:
                advance()
                scratch.append(Self.isSpace(byte) ? 0x20 : byte)
                // A carriage return and a line feed are one line break.
                if byte == 0x0D, try peek() == 0x0A { advance() }
            }
            tagSize += 1
            if tagSize > Limit.tag { throw fault(.limit("a tag is longer than \(Limit.tag >> 20) MiB"), tag) }
        }
    }

    /// Reads a reference to a character, or to an entity of XML (production 67).
    private mutating func reference() throws(TravelFileError) -> Unicode.Scalar {
        let place = (line, column)
        advance()
        var reference: [UInt8] = []
        while try peek() != UInt8(ascii: ";") {
            let byte = bytes[position]
            guard Self.isNameByte(byte) || byte == UInt8(ascii: "#"), reference.count < 32 else {
                throw malformed(Self.unescaped, place)
            }
            reference.append(byte)
            advance()
        }
        advance()
        let text = String(decoding: reference, as: UTF8.self)
        switch text {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case "": throw malformed(Self.unescaped, place)
        default:
            guard text.hasPrefix("#") else { throw malformed("an entity is not defined", place) }
            let digits = text.dropFirst(text.hasPrefix("#x") ? 2 : 1)
            guard let number = UInt32(digits, radix: text.hasPrefix("#x") ? 16 : 10),
                XMLDecoder.isCharacter(number), let scalar = Unicode.Scalar(number)
            else { throw malformed("a reference names a character that XML does not allow", place) }
            return scalar
        }
    }

    /// Steps over white space; returns whether there was any.
    @discardableResult
    private mutating func skipSpace(orEnd problem: TravelFileError.Problem = .truncated) throws(TravelFileError) -> Bool
    {
        var isThere = false
        while true {
            if try isAtEnd() { throw problem == .empty ? TravelFileError(problem) : fault(problem) }
            guard Self.isSpace(bytes[position]) else { return isThere }
            advance()
            isThere = true
        }
    }

    private mutating func expect(_ character: Unicode.Scalar, orFault words: String) throws(TravelFileError) {
        guard try peek() == UInt8(ascii: character) else { throw malformed(words) }
        advance()
    }

    /// Steps over everything up to two characters, and over them.
    private mutating func skip(past first: Unicode.Scalar, _ second: Unicode.Scalar) throws(TravelFileError) {
        var last: UInt8 = 0
        while true {
            let byte = try peek()
            advance()
            if byte == UInt8(ascii: second), last == UInt8(ascii: first) { return }
            last = byte
        }
    }

    /// Steps over the next character of a text, and collects it; a carriage return is read as a line feed, and together
    /// with one.
    private mutating func collectNext() throws(TravelFileError) {
        let byte = bytes[position]
        advance()
        collect(byte == 0x0D ? 0x0A : byte)
        if byte == 0x0D, try peek() == 0x0A { advance() }
    }

    private mutating func collect(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { collect(byte) }
    }

    private mutating func collect(_ byte: UInt8) {
        guard collectsText else { return }
        // Only whole characters are left out.
        if byte & 0xC0 != 0x80 { isTextFull = text.count >= longestText }
        if !isTextFull { text.append(byte) }
    }

    // MARK: Characters

    private mutating func peek() throws(TravelFileError) -> UInt8 {
        if position == bytes.count, try isAtEnd() { throw fault(.truncated) }
        return bytes[position]
    }

    /// Whether no byte follows; loads the next ones.
    private mutating func isAtEnd() throws(TravelFileError) -> Bool {
        if position < bytes.count { return false }
        position = 0
        do {
            return try !decoder.next(into: &bytes)
        } catch {
            switch error {
            case .unreadable(let reason): throw TravelFileError(.unreadable(reason))
            case .cutCharacter where root == nil || !open.isEmpty: return true
            case .character, .cutCharacter:
                throw malformed("a character is not allowed, or not in the encoding that the file declares")
            }
        }
    }

    /// Steps over the byte that ``peek()`` returned.
    private mutating func advance() {
        let byte = bytes[position]
        position += 1
        if byte == 0x0A {
            line += 1
            column = 1
        } else if byte & 0xC0 != 0x80 {
            column += 1
        }
    }

    private func fault(
        _ problem: TravelFileError.Problem, _ place: (line: Int, column: Int)? = nil
    ) -> TravelFileError {
        TravelFileError(problem, at: .line(place?.line ?? line, column: place?.column ?? column))
    }

    private func malformed(_ words: String, _ place: (Int, Int)? = nil) -> TravelFileError {
        fault(.malformedXML(words), place)
    }

    private static let notXML = TravelFileError.Problem.notGPX("something other than XML")

    private static let unescaped = "an & or a < is not escaped; write &amp; or &lt;"
    private static let notAnAttribute = "an attribute is not written as name=\"value\""
    private static let tagNotClosed = "a tag is not closed with >"
    private static let invalidDeclaration =
        "<?xml is not written as <?xml version=\"1.0\" encoding=\"…\" standalone=\"yes or no\"?>"

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "-"),
            UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }

    /// Whether a text of bytes of names is a name (production 5).
    private static func isName(_ text: String) -> Bool {
        var isFirst = true
        return text.unicodeScalars.allSatisfy { scalar in
            defer { isFirst = false }
            switch scalar.value {
            case 0xB7, 0x300...0x36F, 0x203F...0x2040: return !isFirst
            case ..<0x80, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x37D, 0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F,
                0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
                return true
            default: return false
            }
        }
    }

    private static func parts(of name: String) -> (prefix: String, local: String) {
        guard let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) else { return ("", name) }
        return (String(name[..<colon]), String(name[name.utf8.index(after: colon)...]))
    }

    /// The vocabulary of an element with that prefix.
    private func space(_ prefix: String) -> String {
        let declared = spaces.last { $0.prefix == prefix }?.name ?? ""
        return declared.isEmpty ? prefix : declared
    }

    /// Whether two names have the same characters: those that only look the same are two.
    private static func isSame(_ a: String, _ b: String) -> Bool { a == b && a.utf8.elementsEqual(b.utf8) }
}
