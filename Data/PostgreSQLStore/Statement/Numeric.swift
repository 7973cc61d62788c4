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

        /// The exact value; nil if it has more than 38 significant digits.
        var decimal: Decimal? {
            let text = description
            let significant = text.filter(\.isNumber).drop { $0 == "0" }
            // Trailing zeros after the decimal point are not significant.
            let trimmed = text.contains(".") ? significant.reversed().drop { $0 == "0" }.count : significant.count
            guard trimmed <= 38 else { return nil }
            return Decimal(string: text)
        }
    }
#endif
