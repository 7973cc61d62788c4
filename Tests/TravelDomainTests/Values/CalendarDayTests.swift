import Testing
import TravelDomain

@Suite("Calendar days")
struct CalendarDayTests {
    @Test(
        "every day number converts to a date and back, across leap years and centuries",
        arguments: [
            -719_162, -141_428, -1, 0, 59, 11_016, 11_017, 19_782, 2_932_896,
        ])
    func dayNumberRoundTrips(number: Int) throws {
        let day = CalendarDay(daysSince1970: number)
        let (year, month, dayOfMonth) = day.components
        #expect(try CalendarDay(year: year, month: month, day: dayOfMonth) == day)
        #expect(try CalendarDay(day.description) == day)
    }

    @Test("known dates have the expected day numbers")
    func knownDates() throws {
        #expect(try CalendarDay(year: 1970, month: 1, day: 1).daysSince1970 == 0)
        #expect(try CalendarDay(year: 2000, month: 2, day: 29).daysSince1970 == 11_016)
        #expect(try CalendarDay("2024-02-28").adding(days: 2).description == "2024-03-01")
    }

    @Test(
        "days beyond the calendar are clamped to its last or first day",
        arguments: [Int.max, 4_000_000, Int.min, -4_000_000])
    func daysBeyondTheCalendar(days: Int) throws {
        let first = try CalendarDay("2024-05-01")
        #expect(first.adding(days: days).description == (days > 0 ? "9999-12-31" : "0001-01-01"))
        #expect(try DayRange(first, days: days).last == (days > 0 ? CalendarDay("9999-12-31") : first))
    }

    @Test(
        "text that is not a calendar day is rejected",
        arguments: [
            "", "2024-13-01", "2023-02-29", "2024-2-9", "24-02-09", "2024-02-30", "2024/02/01", "-024-02-01",
            "1900-02-29",
        ])
    func malformedTextIsRefused(text: String) {
        #expect(throws: TravelError.self) { try CalendarDay(text) }
    }
}
