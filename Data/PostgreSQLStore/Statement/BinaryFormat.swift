#if PostgreSQL
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A number in the binary form of `numeric`: digits to the base of 10,000.
struct Numeric {
    static let positive: UInt16 = 0
    static let negative: UInt16 = 0x4000

    var digits: [Int16]
    /// The exponent of the first digit.
    var weight: Int16
    var isNegative: Bool
    /// The number of decimal places.
    var scale: Int16

    /// Creates the binary form of a decimal number; nil for NaN.
    init?(_ decimal: Decimal) {
        guard !decimal.isNaN else { return nil }
        var text = Array(decimal.description.utf8)
        isNegative = text.first == UInt8(ascii: "-")
        if isNegative { text.removeFirst() }
        let point = text.firstIndex(of: UInt8(ascii: ".")) ?? text.count
        var whole = text[..<point].map { Int16($0 - 48) }
        var fraction = text[min(point + 1, text.count)...].map { Int16($0 - 48) }
        scale = Int16(fraction.count)
        whole.insert(contentsOf: repeatElement(0, count: (4 - whole.count % 4) % 4), at: 0)
        fraction.append(contentsOf: repeatElement(0, count: (4 - fraction.count % 4) % 4))
        weight = Int16(whole.count / 4 - 1)
        let decimals = whole + fraction
        digits = stride(from: 0, to: decimals.count, by: 4).map { start in
            decimals[start..<start + 4].reduce(0) { $0 * 10 + $1 }
        }
        while digits.first == 0 {
            digits.removeFirst()
            weight -= 1
        }
        while digits.last == 0 { digits.removeLast() }
        if digits.isEmpty { (weight, isNegative) = (0, false) }
    }

    /// Reads the binary form; nil if it is not finite or not valid.
    init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 8, bytes.count % 2 == 0 else { return nil }
        func field(_ index: Int) -> UInt16 {
            UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
        }
        let count = Int(field(0))
        guard bytes.count == 8 + 2 * count, field(2) == Self.positive || field(2) == Self.negative else {
            return nil
        }
        weight = Int16(bitPattern: field(1))
        isNegative = field(2) == Self.negative
        scale = Int16(bitPattern: field(3))
        digits = (0..<count).map { Int16(bitPattern: field(4 + $0)) }
    }

    /// The number in decimal digits, with all decimals of the scale.
    var description: String {
        func digit(_ exponent: Int) -> Int16 {
            let index = Int(weight) - exponent
            return digits.indices.contains(index) ? digits[index] : 0
        }
        func padded(_ digit: Int16) -> String {
            let text = String(digit)
            return String(repeating: "0", count: 4 - text.count) + text
        }
        var whole = (0...max(Int(weight), 0)).reversed().map { padded(digit($0)) }.joined()
        while whole.count > 1, whole.first == "0" { whole.removeFirst() }
        let groups = (Int(scale) + 3) / 4
        let fraction = (0..<groups).map { padded(digit(-1 - $0)) }.joined().prefix(Int(scale))
        return (isNegative ? "-" : "") + whole + (scale > 0 ? "." + fraction : "")
    }

    /// The exact value; nil if `Decimal`, which rounds without an error, cannot hold it.
    var decimal: Decimal? {
        // `Decimal` reads no zero with very many decimals.
        guard !digits.isEmpty else { return 0 }
        guard let decimal = Decimal(string: description) else { return nil }
        // Up to 32 digits and any exponent in this range are exact.
        if digits.count <= 8, abs(weight) < 20 { return decimal }
        guard let exact = Numeric(decimal), exact.digits == digits, exact.weight == weight else { return nil }
        return decimal
    }
}

enum Timestamp {
    /// The seconds from 2000-01-01 to 2001-01-01, the reference date of `Date`.
    private static let referenceOffset: Int64 = 31_622_400
    /// The range of the server: from 4714-11-24 BC to the end of 294276.
    private static let range: Range<Int64> = -211_813_488_000_000_000..<9_223_371_331_200_000_000

    /// Returns the time to the nearest microsecond, or nil outside the range of the server.
    static func microseconds(of date: Date) -> Int64? {
        let interval = date.timeIntervalSinceReferenceDate
        // Beyond the year 294276 the microseconds would overflow.
        guard abs(interval) < 9.223_34e12 else { return nil }
        let whole = interval.rounded(.down)
        let fraction = Int64(((interval - whole) * 1e6).rounded())
        let time = (Int64(whole) + referenceOffset) * 1_000_000 + fraction
        return range.contains(time) ? time : nil
    }

    /// Returns the text form: the number of the Julian day, and the time of the day in UTC; nil outside the range of the
    /// server.
    static func text(of date: Date) -> String? {
        guard let time = microseconds(of: date) else { return nil }
        let day: Int64 = 86_400_000_000
        let rest = (time % day + day) % day
        let seconds = rest / 1_000_000
        let parts = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { "\($0)" }.joined(separator: ":")
        return "J\((time - rest) / day + 2_451_545) \(parts).\(String(rest % 1_000_000 + 1_000_000).dropFirst())+00"
    }

    /// Returns the date that is nearest to the time; nil for the infinite times.
    static func date(microseconds: Int64) -> Date? {
        guard range.contains(microseconds) else { return nil }
        let time = microseconds - referenceOffset * 1_000_000
        // A quotient of exact numbers is rounded once; a sum with the seconds would be rounded twice, close to 2001.
        if let exact = Double(exactly: time) { return Date(timeIntervalSinceReferenceDate: exact / 1e6) }
        let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000_000)
        return Date(timeIntervalSinceReferenceDate: Double(seconds) + Double(rest) / 1e6)
    }
}

/// Reads the binary form of a one-dimensional array.
struct ArrayReader {
    private let result: OpaquePointer
    /// Retained by the caller that created the row, which outlives the reader of its column.
    private let statement: Unmanaged<Statement>
    private let index: Int
    private let element: TypeID
    private let elements: UnsafeRawBufferPointer
    let count: Int

    /// Returns nil if the column does not hold an array of at most one dimension.
    init?(_ column: borrowing Column) {
        (result, statement, index) = (column.result, column.statement, column.index)
        guard let bytes = column.bytes, column.type.element != nil || column.type.isOwn, bytes.count >= 12 else {
            return nil
        }
        func field(_ number: Int) -> UInt32 {
            UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: number * 4, as: UInt32.self))
        }
        // A value of another type that the database defines, such as a row, can begin with the same number.
        guard field(1) <= 1 else { return nil }
        let domain = column.type.isOwn ? column.statement.takeUnretainedValue().domainElements[column.type] : nil
        element = domain ?? TypeID(rawValue: field(2))
        switch field(0) {
        case 0 where bytes.count == 12:
            count = 0
            elements = UnsafeRawBufferPointer(start: nil, count: 0)
        case 1 where bytes.count >= 20 && Int(field(3)) <= (bytes.count - 20) / 4:
            count = Int(field(3))
            elements = UnsafeRawBufferPointer(rebasing: bytes[20...])
        default: return nil
        }
    }

    func forEach(_ body: (borrowing Column) throws -> Void) throws {
        var position = 0
        for _ in 0..<count {
            guard position + 4 <= elements.count else { throw Self.truncated }
            let length = Int(Int32(bigEndian: elements.loadUnaligned(fromByteOffset: position, as: Int32.self)))
            position += 4
            guard length <= elements.count - position else { throw Self.truncated }
            let bytes = length < 0 ? nil : UnsafeRawBufferPointer(rebasing: elements[position..<position + length])
            position += max(length, 0)
            try body(Column(result: result, statement: statement, index: index, type: element, bytes: bytes))
        }
    }

    private static var truncated: PostgreSQLError {
        PostgreSQLError(.mismatch, "the value of a column is not an array")
    }
}

/// The object identifier of a type of the server. Those of built-in types are the same in every database
/// (https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat).
@usableFromInline
struct TypeID: RawRepresentable, Hashable, Sendable {
    @usableFromInline
    let rawValue: UInt32

    @inlinable
    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    @inlinable static var boolean: TypeID { TypeID(rawValue: 16) }
    @inlinable static var bytea: TypeID { TypeID(rawValue: 17) }
    @inlinable static var character: TypeID { TypeID(rawValue: 18) }
    @inlinable static var name: TypeID { TypeID(rawValue: 19) }
    @inlinable static var bigint: TypeID { TypeID(rawValue: 20) }
    @inlinable static var smallint: TypeID { TypeID(rawValue: 21) }
    @inlinable static var integer: TypeID { TypeID(rawValue: 23) }
    @inlinable static var text: TypeID { TypeID(rawValue: 25) }
    @inlinable static var oid: TypeID { TypeID(rawValue: 26) }
    @inlinable static var json: TypeID { TypeID(rawValue: 114) }
    @inlinable static var xml: TypeID { TypeID(rawValue: 142) }
    @inlinable static var real: TypeID { TypeID(rawValue: 700) }
    @inlinable static var double: TypeID { TypeID(rawValue: 701) }
    @inlinable static var unknown: TypeID { TypeID(rawValue: 705) }
    @inlinable static var paddedCharacters: TypeID { TypeID(rawValue: 1042) }
    @inlinable static var varchar: TypeID { TypeID(rawValue: 1043) }
    @inlinable static var timestamp: TypeID { TypeID(rawValue: 1114) }
    @inlinable static var timestamptz: TypeID { TypeID(rawValue: 1184) }
    @inlinable static var numeric: TypeID { TypeID(rawValue: 1700) }
    @inlinable static var uuid: TypeID { TypeID(rawValue: 2950) }
    @inlinable static var jsonb: TypeID { TypeID(rawValue: 3802) }

    /// The smallest identifier of a type that a database defines itself, such as an enumeration.
    private static let firstOwn: UInt32 = 16384

    var isOwn: Bool { rawValue >= Self.firstOwn }

    /// Whether the binary form is the text.
    @usableFromInline
    var isText: Bool {
        switch self {
        case .text, .varchar, .paddedCharacters, .name, .character, .json, .xml, .unknown: true
        default: false
        }
    }

    /// The type of the elements; nil for a type that is not a built-in array of a type above.
    var element: TypeID? { Self.elements[self] }

    var description: String {
        if let element { return element.description + "[]" }
        return Self.names[self] ?? (isOwn ? "a type of the database" : "the type \(rawValue)")
    }

    private static let elements = Dictionary(
        uniqueKeysWithValues: types.map { (TypeID(rawValue: $0.array), $0.type) })

    private static let names: [TypeID: String] = {
        let others: [UInt32: String] = [
            705: "unknown", 1082: "date", 1083: "time", 1186: "interval", 869: "inet", 1266: "timetz", 650: "cidr",
        ]
        return Dictionary(
            uniqueKeysWithValues: types.map { ($0.type, $0.name) } + others.map { (TypeID(rawValue: $0), $1) })
    }()

    private static let types: [(type: TypeID, name: String, array: UInt32)] = [
        (.boolean, "boolean", 1000), (.bytea, "bytea", 1001), (.character, "\"char\"", 1002), (.name, "name", 1003),
        (.smallint, "smallint", 1005), (.integer, "integer", 1007), (.text, "text", 1009),
        (.paddedCharacters, "char", 1014), (.varchar, "varchar", 1015), (.bigint, "bigint", 1016),
        (.real, "real", 1021), (.double, "double precision", 1022), (.oid, "oid", 1028),
        (.timestamp, "timestamp", 1115), (.timestamptz, "timestamptz", 1185), (.numeric, "numeric", 1231),
        (.xml, "xml", 143), (.json, "json", 199), (.uuid, "uuid", 2951), (.jsonb, "jsonb", 3807),
    ]
}
#endif
