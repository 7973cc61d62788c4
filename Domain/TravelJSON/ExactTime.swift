package import TravelDomain

/// A moment as text from which exactly the same `Date` can be read again.
///
/// The text is ISO 8601 in UTC with as many digits of a second as necessary: `2025-03-01T09:30:00.25Z`. A moment
/// outside of the years 1 to 9999 is `@` and its seconds since 1 January 2001, 00:00 UTC: `@1e+20`.
///
/// A `Date` counts seconds from 2001 in binary, and a decimal text of its shortest form reads back as the same number.
/// Therefore the digits of the fraction are taken over from that form, and never computed.
package enum ExactTime {
    package static func text(for date: Date) -> String {
        guard let (day, second, fraction) = parts(of: date) else { return "@\(date.timeIntervalSinceReferenceDate)" }
        return "\(day)T\(twoDigits(second / 3_600)):\(twoDigits(second / 60 % 60)):\(twoDigits(second % 60))"
            + (fraction.isEmpty ? "Z" : ".\(fraction)Z")
    }

    /// The day of a moment, the second of that day, and the digits of its fraction; `nil` outside of the calendar.
    static func parts(of date: Date) -> (day: CalendarDay, second: Int, fraction: String)? {
        let seconds = date.timeIntervalSinceReferenceDate
        let (whole, fraction): (Int, String)
        // Different decimals of 15 digits are different numbers: this one is the shortest form.
        if let milliseconds = Int(exactly: (seconds * 1_000).rounded()), abs(milliseconds) < 1_000_000_000_000_000,
            Double(milliseconds) / 1_000 == seconds
        {
            let (quotient, rest) = milliseconds.flooredDivision(by: 1_000)
            (whole, fraction) = (quotient, Self.digits(ofThousandths: rest))
        } else {
            let shortest = "\(seconds)".utf8
            guard !shortest.contains(UInt8(ascii: "e")), let point = shortest.firstIndex(of: UInt8(ascii: ".")),
                let number = Int(Substring(shortest[..<point]))
            else { return nil }
            let digits = String(Substring(shortest[shortest.index(after: point)...]))
            (whole, fraction) = seconds < 0 ? (number - 1, complement(digits)) : (number, digits == "0" ? "" : digits)
        }
        let (days, second) = whole.flooredDivision(by: 86_400)
        let number = days + daysTo2001
        let day = CalendarDay(daysSince1970: number)
        // A day outside of the calendar has been clamped to its first or last one.
        return day.daysSince1970 == number ? (day, second, fraction) : nil
    }

    /// More bytes than any time has.
    private static let longest = 1_000

    /// The moment that `text` denotes; `nil` for text in another form, and for one that is not a number (NaN).
    ///
    /// Besides the form above, other forms of ISO 8601 are accepted, as in ``ISOTime``.
    package static func date(_ text: String) -> Date? {
        // The length first: work on the characters of a long text takes long.
        guard text.utf8.count <= longest else { return nil }
        if text.hasPrefix("@") {
            guard let seconds = Double(text.dropFirst()), !seconds.isNaN else { return nil }
            return Date(timeIntervalSinceReferenceDate: seconds)
        }
        guard let whole = ISOTime(String(text.prefix(19)) + "Z")?.date, text.utf8.count >= 20, text.hasSuffix("Z")
        else {
            return ISOTime(text)?.date
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

    /// The digits of a fraction, without zeros at the end.
    private static func digits(ofThousandths number: Int) -> String {
        if number == 0 { return "" }
        if number % 100 == 0 { return String(number / 100) }
        if number % 10 == 0 { return twoDigits(number / 10) }
        return (number < 100 ? "0" : "") + twoDigits(number)
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
    package func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// A time in ISO 8601, in UTC unless it has an offset.
package struct ISOTime {
    /// The time; `nil` if its format is right, but no calendar or clock has it, as `0000-00-00T00:00:00Z`.
    package let date: Date?

    /// Parses `text`; returns `nil` if it has another format.
    ///
    /// Besides `2024-05-01T09:30:00Z`, it accepts a fraction of the second, a space in place of the
    /// `T`, a missing second or zone, offsets such as `+09:00`, `+0900` and `+09`, and a date alone, which counts as a
    /// missing time.
    package init?(_ text: String) {
        var scanner = Scanner(rest: text.utf8[...])
        guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2), scanner.skip("-"),
            let day = scanner.number(2)
        else { return nil }
        if scanner.isAtEnd {
            date = nil
            return
        }
        guard scanner.skip("Tt "), let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2)
        else { return nil }
        var second = 0.0
        if scanner.skip(":") {
            guard let whole = scanner.number(2) else { return nil }
            second = Double(whole)
            if scanner.skip(".,") {
                guard let fraction = scanner.fraction() else { return nil }
                second += fraction
            }
        }
        guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }

        // A second 60 is a leap second; an hour 24 is the end of the day.
        let isOnClock = (hour < 24 || hour == 24 && minute == 0 && second == 0) && minute < 60 && second < 61
        guard isOnClock, abs(offset) < 86_400, let day = try? CalendarDay(year: year, month: month, day: day) else {
            date = nil
            return
        }
        let seconds = day.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 - offset
        date = Date(timeIntervalSince1970: Double(seconds) + second)
    }
}

private struct Scanner {
    var rest: Substring.UTF8View

    var isAtEnd: Bool { rest.isEmpty }

    /// Skips the next character if it is one of `characters`; otherwise returns `false`.
    mutating func skip(_ characters: String) -> Bool {
        guard let next = rest.first, characters.utf8.contains(next) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads a number of exactly `count` digits.
    mutating func number(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest.removeFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    /// Reads the digits of a fraction, at least one; digits after the ninth are ignored.
    mutating func fraction() -> Double? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest[digits.endIndex...]
        return digits.isEmpty ? nil : Double("0." + String(decoding: digits.prefix(9), as: UTF8.self))
    }

    /// Reads the offset from UTC in seconds; 0 if there is none.
    mutating func offset() -> Int? {
        if isAtEnd || skip("Zz") { return 0 }
        let sign = rest.first == UInt8(ascii: "-") ? -1 : 1
        guard skip("+-"), let hours = number(2) else { return nil }
        if isAtEnd { return sign * hours * 3_600 }
        _ = skip(":")
        return number(2).map { sign * (hours * 3_600 + $0 * 60) }
    }
}
