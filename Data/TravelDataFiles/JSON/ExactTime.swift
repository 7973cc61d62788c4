import Foundation

/// A moment as text from which exactly the same `Date` can be read again.
///
/// The text is ISO 8601 in UTC with as many digits of a second as necessary: `2025-03-01T09:30:00.25Z`. A moment
/// outside of the years 1 to 9999 is `@` and its seconds since 1 January 2001, 00:00 UTC: `@1e+20`.
///
/// A `Date` counts seconds from 2001 in binary, and a decimal text of its shortest form reads back as the same number.
/// Therefore the digits of the fraction are taken over from that form, and never computed.
enum ExactTime {
    /// The text of `date`.
    static func text(for date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let shortest = "\(seconds)"
        let parts = shortest.drop { $0 == "-" }.split(separator: ".")
        guard !shortest.contains("e"), parts.count == 2, var whole = Int(parts[0]) else { return "@\(shortest)" }
        var fraction = parts[1] == "0" ? "" : String(parts[1])
        if seconds < 0 {
            whole = fraction.isEmpty ? -whole : -whole - 1
            fraction = complement(fraction)
        }
        let (days, second) = whole.flooredDivision(by: 86_400)
        let day = CalendarDay(daysSince1970: days + daysTo2001)
        // A day outside of the calendar has been clamped to its first or last one.
        guard day.daysSince1970 == days + daysTo2001 else { return "@\(shortest)" }
        return "\(day)T\(twoDigits(second / 3_600)):\(twoDigits(second / 60 % 60)):\(twoDigits(second % 60))"
            + (fraction.isEmpty ? "Z" : ".\(fraction)Z")
    }

    /// The moment that `text` denotes; `nil` for text in another form, and for one that is not a number (NaN).
    ///
    /// Besides the form above, other forms of ISO 8601 are accepted, as in GPX.
    static func date(_ text: String) -> Date? {
        if text.hasPrefix("@") {
            guard let seconds = Double(text.dropFirst()), !seconds.isNaN else { return nil }
            return Date(timeIntervalSinceReferenceDate: seconds)
        }
        guard let whole = GPXTime(String(text.prefix(19)) + "Z")?.date, text.utf8.count >= 20, text.hasSuffix("Z")
        else {
            return GPXTime(text)?.date
        }
        var fraction = String(text.dropFirst(19).dropLast())
        if fraction.isEmpty { return whole }
        guard fraction.removeFirst() == ".", !fraction.isEmpty, fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        // The whole seconds of a calendar year are far below 2⁵³ and therefore exact.
        let seconds = Int(whole.timeIntervalSinceReferenceDate)
        let isNegative = seconds < 0 && fraction.contains { $0 != "0" }
        let decimal = isNegative ? "-\(-(seconds + 1)).\(complement(fraction))" : "\(seconds).\(fraction)"
        return Double(decimal).map(Date.init(timeIntervalSinceReferenceDate:))
    }

    /// The days from 1 January 1970 to 1 January 2001.
    private static let daysTo2001 = 11_323

    /// The digits of 1 - 0.`digits`.
    private static func complement(_ digits: String) -> String {
        guard let last = digits.lastIndex(where: { $0 != "0" }) else { return digits }
        func minus(_ digit: Character, from base: Int) -> String { "\(base - (digit.wholeNumberValue ?? 0))" }
        return digits[..<last].map { minus($0, from: 9) }.joined() + minus(digits[last], from: 10)
            + digits[digits.index(after: last)...]
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Int {
    /// The quotient rounded down, and the remainder, which is never negative.
    func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
