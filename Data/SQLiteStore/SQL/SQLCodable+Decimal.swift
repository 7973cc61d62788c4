#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A `Decimal` is stored as exact `TEXT`, such as `-12.30`. The texts do not sort in the order of the numbers; cast
/// them to sort.
extension Decimal: SQLCodable {
    /// The text; NaN is an error.
    public var sqlValue: SQLValue {
        get throws {
            guard !isNaN else { throw SQLiteError(.mismatch, "a Decimal that is NaN cannot be stored") }
            return .text(description)
        }
    }

    /// Reads a `TEXT` with a decimal number, an `INTEGER`, or a `REAL` in its shortest decimal form; throws
    /// ``SQLiteError`` with the code ``SQLiteError/Code/mismatch`` for anything else, and for a number of more than 38
    /// digits.
    public init(column: borrowing Column) throws {
        switch column.kind {
        case .integer: self.init(column.rawInteger)
        case .real:
            guard let decimal = Decimal(plain: String(column.rawReal)) else {
                throw column.mismatch(Decimal.self, "is out of range")
            }
            self = decimal
        case .text:
            guard let decimal = Decimal(plain: try String(column: column)) else {
                throw column.mismatch(Decimal.self, "is not a decimal number or has more than 38 digits")
            }
            self = decimal
        default: throw column.mismatch(Decimal.self)
        }
    }

    /// Parses the whole text exactly; nil if it is not a decimal number or does not fit.
    private init?(plain text: String) {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        let mantissa = parts[0].first.map { $0 == "-" || $0 == "+" } == true ? parts[0].dropFirst() : parts[0]
        let digits = mantissa.filter { $0 != "." }
        guard !digits.isEmpty, mantissa.count - digits.count <= 1, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            // Leading zeros do not count as digits; trailing zeros count.
            digits.drop(while: { $0 == "0" }).count <= 38,
            parts.count == 1 || Int(parts[1]).map({ -128...127 ~= $0 }) == true,
            let decimal = Decimal(string: text), !decimal.isNaN
        else { return nil }
        self = decimal
    }
}
