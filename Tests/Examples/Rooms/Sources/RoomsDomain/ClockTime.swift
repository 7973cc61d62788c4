import Foundation

/// A time as a clock shows it: on the days on which clocks change, some come twice, and others not at all.
package nonisolated struct ClockTime {
    private let hour, minute: Int

    /// - Parameter text: Such as `9:30`.
    package init(_ text: String) throws(BookingProblem) {
        guard let match = text.wholeMatch(of: #/(\d\d?):(\d\d)/#), let hour = Int(match.1), let minute = Int(match.2),
            hour < 24, minute < 60
        else { throw .noTime }
        (self.hour, self.minute) = (hour, minute)
    }

    /// The first moment after `moment`, at which clocks show another time, at which they show this one.
    func next(after moment: Date, _ calendar: Calendar) throws(BookingProblem) -> Date {
        let time = DateComponents(hour: hour, minute: minute, second: 0)
        // Instead of a time that is skipped, the calendar finds the end of what is skipped.
        guard let next = calendar.nextDate(after: moment, matching: time, matchingPolicy: .nextTime),
            calendar.dateComponents([.hour, .minute, .second], from: next) == time
        else { throw .skippedTime }
        return next
    }
}

nonisolated extension Calendar {
    /// The day of a date, which has 23 or 25 hours when clocks change.
    package func day(of date: Date) -> Range<Date> {
        let start = startOfDay(for: date)
        return start..<startOfDay(for: start + 36 * 3600)
    }
}
