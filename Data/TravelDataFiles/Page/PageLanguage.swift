/// The language of the labels in a map or a page. The texts of the traveller are not translated.
///
/// ```swift
/// let page = PageWriter(language: .korean).data(for: travel)    // with headings such as "2일차"
/// ```
public enum PageLanguage: String, CaseIterable, Hashable, Sendable {
    /// English.
    case english = "en"
    /// Korean, 한국어.
    case korean = "ko"
}

extension PageLanguage {
    /// The language tag (BCP 47), which is also the value of the attribute `lang`.
    var tag: String { rawValue }

    /// `Day 2`, `2일차`.
    func day(_ number: Int) -> String { choose("Day \(number)", "\(number)일차") }

    /// `Fri, 5 May 2023`, `2023년 5월 5일 (금)`.
    func date(_ day: CalendarDay) -> String {
        let (year, month, number) = day.components
        return choose(
            "\(weekday(of: day)), \(number) \(Self.months[month - 1]) \(year)",
            "\(year)년 \(month)월 \(number)일 (\(weekday(of: day)))")
    }

    /// The first and the last day, or the one day of a day trip.
    func dates(_ days: DayRange) -> String {
        days.count == 1 ? date(days.first) : "\(date(days.first)) – \(date(days.last))"
    }

    /// `05 Fri`, `05 금`.
    func shortDate(_ day: CalendarDay) -> String {
        "\(day.day < 10 ? "0" : "")\(day.day) \(weekday(of: day))"
    }

    /// `12 stops on 2 days`, `2일 동안 12곳`.
    func summary(stops: Int, days: Int) -> String {
        choose(
            "\(stops) \(stops == 1 ? "stop" : "stops") on \(days) \(days == 1 ? "day" : "days")",
            "\(days)일 동안 \(stops)곳")
    }

    /// `Map: Night sea`, `지도: 부산 밤바다`.
    func mapTitle(_ title: Title) -> String { choose("Map: \(title)", "지도: \(title)") }

    var map: String { choose("Map", "지도") }
    var days: String { choose("Days", "날짜") }
    var noPlaces: String { choose("No entry has a place.", "장소가 있는 기록이 없습니다.") }
    var noEntries: String { choose("There are no entries yet.", "아직 기록이 없습니다.") }

    /// The line about the author.
    func recorded(by author: User) -> String { choose("Recorded by \(author.nickname)", "\(author.nickname)의 여행 기록") }

    /// The text for a picture that cannot be seen.
    func picture(of title: Title) -> String { choose("Picture: \(title)", "사진: \(title)") }

    private func weekday(of day: CalendarDay) -> String {
        // 1 January 1970 was a Thursday.
        let index = (day.daysSince1970 + 3).flooredDivision(by: 7).remainder
        let english = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let korean = ["월", "화", "수", "목", "금", "토", "일"]
        return choose(english[index], korean[index])
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private func choose(_ english: String, _ korean: String) -> String { self == .korean ? korean : english }
}
