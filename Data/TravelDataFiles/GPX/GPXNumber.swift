/// A decimal number of XML Schema, or one with an exponent, as some recorders write.
enum GPXNumber: Hashable {
    /// A number.
    case number(Double)
    /// A missing number: `NaN` or `INF`.
    case none
    /// Any other text.
    case malformed

    /// Parses `text`.
    init(_ text: String) {
        let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
        if isDecimal, let number = Double(text), number.isFinite {
            self = .number(number)
        } else if ["nan", "inf", "infinity"].contains(text.drop { "+-".contains($0) }.lowercased()) {
            self = .none
        } else {
            self = .malformed
        }
    }
}
