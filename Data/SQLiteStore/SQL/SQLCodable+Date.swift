#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A `Date` is stored as `TEXT`: ISO 8601 in UTC with nine decimals, such as `2024-05-01T12:34:56.789012345Z`.
///
/// The texts sort in the order of the dates, and SQLite's date functions accept them. A date is stored to the nearest
/// nanosecond, and read as the `Date` nearest to that. So every date comes back equal, except within 97 days of 1 January
/// 2001, where `Date` is finer than a nanosecond: there, those that are nearest to a whole nanosecond do, and thus all of
/// whole microseconds. The years are 0000 to 9999.
///
/// A column of `REAL` holds `date.timeIntervalSinceReferenceDate` of any date, to the last bit.
extension Date: SQLCodable {
    public var sqlValue: SQLValue {
        get throws {
            guard let text = ISO8601Text.text(of: self) else {
                throw SQLiteError(.mismatch, "a Date outside the years 0000 to 9999 cannot be stored")
            }
            return .text(text)
        }
    }

    /// Reads the stored form, and shorter ones: with fewer or no decimals, without seconds, without a time, with a
    /// space in place of `T`, and with an offset such as `+09:00` in place of `Z`. Without an offset the time is UTC,
    /// as in SQLite's `CURRENT_TIMESTAMP`.
    public init(column: borrowing Column) throws {
        guard column.kind == .text else { throw column.mismatch(Date.self) }
        guard let date = try column.withTextBytes(ISO8601Text.date(of:)) else {
            throw column.mismatch(Date.self, "is not an ISO 8601 date")
        }
        self = date
    }
}

/// Formats and parses the text of a `Date` about a hundred times faster than a formatter.
///
/// `ISOTime` of the travel product also parses ISO 8601, and `CalendarDay` of its domain has the same arithmetic of days.
/// The code is not shared, because this module must be usable without the domain, and because it reads stored text
/// strictly, whereas `ISOTime` reads the files of other programs leniently.
enum ISO8601Text {
    /// The seconds from 1970-01-01 to 2001-01-01, the reference date of `Date`.
    private static let referenceOffset: Int64 = 978_307_200

    /// Returns text such as `2024-05-01T12:34:56.789012345Z`, or nil outside the years 0000...9999.
    static func text(of date: Date) -> String? {
        let interval = date.timeIntervalSinceReferenceDate
        guard abs(interval) < 1e12 else { return nil }
        let whole = interval.rounded(.down)
        var seconds = Int64(whole) + referenceOffset
        var nanoseconds = Int64(((interval - whole) * 1e9).rounded())
        if nanoseconds == 1_000_000_000 {
            nanoseconds = 0
            seconds += 1
        }
        let days = seconds.floorDivided(by: 86_400)
        let (year, month, day) = civil(fromDays: days)
        guard (0...9999).contains(year) else { return nil }
        let time = seconds - days * 86_400
        return String(unsafeUninitializedCapacity: 30) { buffer in
            var writer = DigitWriter(buffer: buffer)
            writer.write(year, digits: 4, then: "-")
            writer.write(month, digits: 2, then: "-")
            writer.write(day, digits: 2, then: "T")
            writer.write(time / 3600, digits: 2, then: ":")
            writer.write(time / 60 % 60, digits: 2, then: ":")
            writer.write(time % 60, digits: 2, then: ".")
            writer.write(nanoseconds, digits: 9, then: "Z")
            return writer.count
        }
    }

    static func date(of bytes: UnsafeBufferPointer<UInt8>) -> Date? {
        var reader = DigitReader(bytes: bytes)
        guard let year = reader.number(digits: 4), reader.skip("-"),
            let month = reader.number(digits: 2), (1...12).contains(month), reader.skip("-"),
            let day = reader.number(digits: 2), (1...31).contains(day)
        else { return nil }
        let days = days(fromYear: year, month: month, day: day)
        guard civil(fromDays: days) == (year, month, day) else { return nil }
        var seconds = days * 86_400
        var nanoseconds: Int64 = 0
        if reader.skip("T") || reader.skip(" ") {
            guard let hour = reader.number(digits: 2), hour < 24, reader.skip(":"),
                let minute = reader.number(digits: 2), minute < 60
            else { return nil }
            seconds += hour * 3600 + minute * 60
            if reader.skip(":") {
                guard let second = reader.number(digits: 2), second < 60 else { return nil }
                seconds += second
                if reader.skip(".") {
                    guard let read = reader.fraction() else { return nil }
                    nanoseconds = read
                }
            }
            guard let offset = reader.offset() else { return nil }
            seconds -= offset
        }
        guard reader.isAtEnd else { return nil }
        seconds -= referenceOffset
        // A quotient of exact numbers is rounded once; a sum with the seconds would be rounded twice, close to 2001.
        let interval =
            seconds.magnitude < 1 << 23
            ? Double(seconds * 1_000_000_000 + nanoseconds) / 1e9 : Double(seconds) + Double(nanoseconds) / 1e9
        return Date(timeIntervalSinceReferenceDate: interval)
    }

    // Conversions between days since 1970-01-01 and the proleptic Gregorian calendar, by eras of 400 years that begin
    // on 1 March, so that the leap day is the last day of its year.

    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func days(fromYear year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year.floorDivided(by: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self < 0 && quotient * divisor != self ? quotient - 1 : quotient
    }
}

private struct DigitWriter {
    let buffer: UnsafeMutableBufferPointer<UInt8>
    var count = 0

    mutating func write(_ number: Int64, digits: Int, then separator: Unicode.Scalar) {
        var rest = number
        for place in stride(from: count + digits - 1, through: count, by: -1) {
            buffer[place] = UInt8(48 + rest % 10)
            rest /= 10
        }
        buffer[count + digits] = UInt8(ascii: separator)
        count += digits + 1
    }
}

private struct DigitReader {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func digit() -> Int64? {
        guard position < bytes.count, (48...57).contains(bytes[position]) else { return nil }
        defer { position += 1 }
        return Int64(bytes[position] - 48)
    }

    mutating func number(digits: Int) -> Int64? {
        var number: Int64 = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    /// Reads one or more decimals as nanoseconds; those after the ninth are ignored.
    mutating func fraction() -> Int64? {
        var nanoseconds: Int64 = 0
        var digits = 0
        while let digit = digit() {
            if digits < 9 { nanoseconds = nanoseconds * 10 + digit }
            digits += 1
        }
        guard digits > 0 else { return nil }
        for _ in digits..<max(digits, 9) { nanoseconds *= 10 }
        return nanoseconds
    }

    /// Reads the offset in seconds east of UTC; 0 for `Z` and for a missing offset.
    mutating func offset() -> Int64? {
        if isAtEnd || skip("Z") { return 0 }
        let sign: Int64
        if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
        guard let hours = number(digits: 2), hours < 24 else { return nil }
        _ = skip(":")
        guard let minutes = number(digits: 2), minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}
