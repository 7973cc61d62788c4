/// Checks a text against the grammar of JSON (RFC 8259), with the place of the first fault.
///
/// Foundation's parser checks a value only when it is decoded, and does not document how it reports a line. This pass
/// finds every fault of the grammar, and bounds the depth; the parser that follows finds texts that are not UTF-8.
struct JSONGrammar {
    /// The first fault of a text.
    struct Fault: Error {
        let problem: TravelFileError.Problem
        /// The position of the byte at which it was detected.
        let position: Int
    }

    private let bytes: UnsafeRawBufferPointer
    private let maximumDepth: Int
    private var position = 0

    /// Checks that `bytes` are one value with at most `maximumDepth` levels of objects and lists, and nothing after it.
    static func check(_ bytes: UnsafeRawBufferPointer, maximumDepth: Int) throws(Fault) {
        var grammar = JSONGrammar(bytes: bytes, maximumDepth: maximumDepth)
        try grammar.value(depth: 0)
        grammar.skipSpace()
        if grammar.position < bytes.count { throw grammar.malformed("something comes after the end of the value") }
    }

    private init(bytes: UnsafeRawBufferPointer, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    private mutating func value(depth: Int) throws(Fault) {
        skipSpace()
        switch try next() {
        case UInt8(ascii: "{"): try object(depth: depth + 1)
        case UInt8(ascii: "["): try list(depth: depth + 1)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        case UInt8(ascii: "-"), 0x30...0x39: try number()
        case UInt8(ascii: "'"): throw malformed("text has other quotation marks than \"")
        case UInt8(ascii: "}"), UInt8(ascii: "]"): throw malformed("a value is missing before a bracket")
        case UInt8(ascii: ","), UInt8(ascii: ":"): throw malformed("a value is missing")
        default: throw malformed("a value is neither text in \" nor a number, true, false or null")
        }
    }

    private mutating func object(depth: Int) throws(Fault) {
        try enter(depth)
        if try isClosed("}") { return }
        repeat {
            skipSpace()
            guard try next() == UInt8(ascii: "\"") else { throw malformed("a key in \" is missing") }
            try string()
            skipSpace()
            guard try next() == UInt8(ascii: ":") else { throw malformed("a colon is missing after a key") }
            position += 1
            try value(depth: depth)
        } while try isContinued(until: "}")
    }

    private mutating func list(depth: Int) throws(Fault) {
        try enter(depth)
        if try isClosed("]") { return }
        repeat { try value(depth: depth) } while try isContinued(until: "]")
    }

    private mutating func enter(_ depth: Int) throws(Fault) {
        if depth > maximumDepth { throw Fault(problem: .tooDeep(maximumDepth: maximumDepth), position: position) }
        position += 1
    }

    private mutating func isClosed(_ bracket: Unicode.Scalar) throws(Fault) -> Bool {
        skipSpace()
        guard try next() == UInt8(ascii: bracket) else { return false }
        position += 1
        return true
    }

    /// Whether a comma follows; if not, steps over the bracket.
    private mutating func isContinued(until bracket: Unicode.Scalar) throws(Fault) -> Bool {
        skipSpace()
        switch try next() {
        case UInt8(ascii: ","):
            position += 1
            return true
        case UInt8(ascii: bracket):
            position += 1
            return false
        default: throw malformed("a comma or \(bracket) is missing")
        }
    }

    private mutating func string() throws(Fault) {
        position += 1
        while true {
            let byte = try next()
            position += 1
            if byte == UInt8(ascii: "\"") { return }
            if byte == UInt8(ascii: "\\") { try escape() }
            if byte < 0x20 {
                position -= 1
                throw malformed("text contains a line break or another control character; write it as \\n, say")
            }
        }
    }

    private mutating func escape() throws(Fault) {
        let byte = try next()
        position += 1
        if byte == UInt8(ascii: "u") {
            for _ in 0..<4 {
                switch try next() {
                case 0x30...0x39, 0x41...0x46, 0x61...0x66: position += 1
                default: throw malformed("\\u is not followed by four hexadecimal digits")
                }
            }
        } else if !"\"\\/bfnrt".utf8.contains(byte) {
            position -= 1
            throw malformed("text contains a \\ that begins no escape sequence; write it as \\\\")
        }
    }

    private mutating func word(_ word: StaticString) throws(Fault) {
        for offset in 0..<word.utf8CodeUnitCount {
            guard try next() == word.utf8Start[offset] else {
                throw malformed("a value is neither text in \" nor a number, true, false or null")
            }
            position += 1
        }
    }

    private mutating func number() throws(Fault) {
        if try next() == UInt8(ascii: "-") { position += 1 }
        if try next() == UInt8(ascii: "0") {
            position += 1
            if digits() > 0 { throw malformed("a number begins with 0") }
        } else if digits() == 0 {
            throw malformed("a number has no digits")
        }
        if peek() == UInt8(ascii: ".") {
            position += 1
            if try digitsOrEnd() == 0 { throw malformed("a number has no digits after the point") }
        }
        if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
            position += 1
            if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
            if try digitsOrEnd() == 0 { throw malformed("a number has no digits in its exponent") }
        }
    }

    private mutating func digitsOrEnd() throws(Fault) -> Int {
        _ = try next()
        return digits()
    }

    /// Steps over digits, and returns how many there were.
    private mutating func digits() -> Int {
        let start = position
        while let byte = peek(), (0x30...0x39).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private func next() throws(Fault) -> UInt8 {
        guard position < bytes.count else { throw Fault(problem: .truncated, position: bytes.count) }
        return bytes[position]
    }

    private func malformed(_ words: String) -> Fault { Fault(problem: .malformedJSON(words), position: position) }
}
