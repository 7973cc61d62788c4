package import TravelDomain

/// A value that writes its JSON text itself, many times faster than `JSONEncoder`, which makes a tree of objects first.
package protocol JSONValue {
    /// What any other encoder gets in its place.
    associatedtype Encoded: Encodable
    var encoded: Encoded { get }

    /// Appends exactly one value of JSON.
    func write(to text: inout JSONText)
}

/// An object of JSON, whose members are written in the order of their keys: equal records have equal texts.
package protocol JSONRecord: JSONValue, Encodable where Encoded == Self {
    func add<Members: JSONMembers>(to members: inout Members) throws(Members.Failure)
}

/// The members of an object that is written.
package protocol JSONMembers {
    associatedtype Failure: Error

    mutating func add(_ key: some CodingKey, _ value: some JSONValue) throws(Failure)
}

extension JSONMembers {
    package mutating func add(_ key: some CodingKey, ifPresent value: (some JSONValue)?) throws(Failure) {
        if let value { try add(key, value) }
    }
}

extension JSONRecord {
    package func encode(to encoder: any Encoder) throws {
        var members = EncodedMembers(values: encoder.container(keyedBy: EncodedMembers.Key.self))
        try add(to: &members)
    }

    package func write(to text: inout JSONText) { text.appendObject { add(to: &$0) } }
}

/// The members of an object in an encoder.
private struct EncodedMembers: JSONMembers {
    typealias Failure = any Error

    var values: KeyedEncodingContainer<Key>

    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    mutating func add(_ key: some CodingKey, _ value: some JSONValue) throws {
        try values.encode(value.encoded, forKey: Key(stringValue: key.stringValue))
    }
}

/// A JSON text (RFC 8259) while it is written.
package struct JSONText: JSONMembers {
    package typealias Failure = Never

    /// The text so far, in UTF-8.
    fileprivate(set) package var bytes: [UInt8] = []
    /// The last key of the object that is written; `nil` before its first one.
    private var lastKey: String?

    package init() {}

    mutating func appendObject(_ members: (inout JSONText) -> Void) {
        let outer = lastKey
        lastKey = nil
        bytes.append(UInt8(ascii: "{"))
        members(&self)
        bytes.append(UInt8(ascii: "}"))
        lastKey = outer
    }

    package mutating func add(_ key: some CodingKey, _ value: some JSONValue) {
        let name = key.stringValue
        assert(lastKey.map { $0 < name } ?? true, "\(name) is written after \(lastKey ?? "")")
        if lastKey != nil { bytes.append(UInt8(ascii: ",")) }
        lastKey = name
        // Keys are words, which need no escape.
        appendQuoted { $0.appendVerbatim(name) }
        bytes.append(UInt8(ascii: ":"))
        value.write(to: &self)
    }

    mutating func appendList<Element>(_ elements: some Sequence<Element>, _ append: (inout JSONText, Element) -> Void) {
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            append(&self, element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Appends text between quotation marks; what needs no escape is copied as it is.
    package mutating func append(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { text in
            var start = 0
            for (index, byte) in text.enumerated() {
                guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
                bytes.append(contentsOf: text[start..<index])
                appendEscape(of: byte)
                start = index + 1
            }
            bytes.append(contentsOf: text[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscape(of byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        default:
            bytes.append(contentsOf: "u00".utf8)
            appendHexadecimal(byte)
        }
    }

    fileprivate mutating func appendHexadecimal(_ byte: UInt8) {
        func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10 }
        bytes.append(digit(byte >> 4))
        bytes.append(digit(byte & 0xF))
    }

    /// Appends characters that are JSON already.
    package mutating func appendVerbatim(_ text: String) { bytes.append(contentsOf: text.utf8) }

    fileprivate mutating func appendQuoted(_ body: (inout JSONText) -> Void) {
        bytes.append(UInt8(ascii: "\""))
        body(&self)
        bytes.append(UInt8(ascii: "\""))
    }

    fileprivate mutating func append(_ day: CalendarDay) {
        let (year, month, day) = day.components
        append(year, digits: 4)
        appendVerbatim("-")
        append(month, digits: 2)
        appendVerbatim("-")
        append(day, digits: 2)
    }

    /// Appends the time that many minutes after midnight, such as `09:30`.
    fileprivate mutating func append(_ minutes: Int) {
        append(minutes / 60, digits: 2)
        appendVerbatim(":")
        append(minutes % 60, digits: 2)
    }

    /// Appends the quotient of `number` and 10 to the power of `places`, without zeros at its end.
    mutating func append(_ number: Int, places: Int) {
        var unit: UInt = 1
        for _ in 0..<places { unit *= 10 }
        var (digit, rest) = number.magnitude.quotientAndRemainder(dividingBy: unit)
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        append(whole: digit)
        if rest > 0 { bytes.append(UInt8(ascii: ".")) }
        while rest > 0 {
            unit /= 10
            (digit, rest) = rest.quotientAndRemainder(dividingBy: unit)
            bytes.append(UInt8(ascii: "0") + UInt8(digit))
        }
    }

    private mutating func append(whole number: UInt) {
        if number >= 10 { append(whole: number / 10) }
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    /// Appends a number with at least that many digits.
    fileprivate mutating func append(_ number: Int, digits: Int) {
        if digits == 2, 0..<100 ~= number {
            bytes.append(UInt8(ascii: "0") + UInt8(number / 10))
            bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
            return
        }
        if digits == 4, 0..<10_000 ~= number {
            append(number / 100, digits: 2)
            append(number % 100, digits: 2)
            return
        }
        let text = String(number)
        for _ in 0..<max(0, digits - text.utf8.count) { bytes.append(UInt8(ascii: "0")) }
        appendVerbatim(text)
    }
}

// MARK: Values

extension JSONValue where Self: Encodable {
    package var encoded: Self { self }
}

extension String: JSONValue {
    package func write(to text: inout JSONText) { text.append(self) }
}

extension Int: JSONValue {
    package func write(to text: inout JSONText) { text.append(self, places: 0) }
}

extension Bool: JSONValue {
    package func write(to text: inout JSONText) { text.appendVerbatim(self ? "true" : "false") }
}

/// A finite number, as all numbers of the domain are.
extension Double: JSONValue {
    package func write(to text: inout JSONText) {
        let whole = Int(exactly: self)
        text.appendVerbatim(whole.map { String($0) } ?? "\(self)")
    }
}

extension Array: JSONValue where Element: JSONValue {
    package var encoded: [Element.Encoded] { map(\.encoded) }
    package func write(to text: inout JSONText) { text.appendList(self) { $1.write(to: &$0) } }
}

extension Optional: JSONValue where Wrapped: JSONValue {
    package var encoded: Wrapped.Encoded? { map(\.encoded) }

    package func write(to text: inout JSONText) {
        if let self { self.write(to: &text) } else { text.appendVerbatim("null") }
    }
}

extension Identifier: JSONValue {
    package var encoded: String { description }

    package func write(to text: inout JSONText) {
        text.appendQuoted { text in
            withText { text.bytes.append(contentsOf: $0) }
        }
    }
}

extension CalendarDay: JSONValue {
    package var encoded: String { description }

    package func write(to text: inout JSONText) {
        text.appendQuoted { $0.append(self) }
    }
}

extension TimeOfDay: JSONValue {
    package var encoded: String { description }

    package func write(to text: inout JSONText) {
        text.appendQuoted { $0.append(minutes) }
    }
}

/// The text of ``ExactTime``.
extension Date: JSONValue {
    package var encoded: String { ExactTime.text(for: self) }

    package func write(to text: inout JSONText) {
        text.appendQuoted { text in
            guard let (day, second, fraction) = ExactTime.parts(of: self) else { return text.appendVerbatim(encoded) }
            text.append(day)
            text.appendVerbatim("T")
            text.append(second / 60)
            text.appendVerbatim(":")
            text.append(second % 60, digits: 2)
            if !fraction.isEmpty { text.appendVerbatim(".\(fraction)") }
            text.appendVerbatim("Z")
        }
    }
}
