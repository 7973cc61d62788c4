import Foundation
import TravelDomain

/// A time in GPX: ISO 8601, in UTC unless it has an offset.
struct GPXTime {
    /// The time; `nil` if its format is right, but no calendar or clock has it, as `0000-00-00T00:00:00Z`.
    let date: Date?

    /// Parses `text`; returns `nil` if it has another format.
    ///
    /// Besides the format of GPX, `2024-05-01T09:30:00Z`, it accepts a fraction of the second, a space in place of the
    /// `T`, a missing second or zone, offsets such as `+09:00`, `+0900` and `+09`, and a date alone, which counts as a
    /// missing time.
    init?(_ text: String) {
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
