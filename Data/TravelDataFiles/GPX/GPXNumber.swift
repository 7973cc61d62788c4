/// A decimal number as XML Schema writes it, with an exponent as some recorders do.
enum GPXNumber: Hashable {
    /// A number.
    case number(Double)
    /// Text that says there is none: `NaN`, `INF`.
    case none
    /// Any other text.
    case malformed

    /// The number in `text`.
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
