extension Text {
    /// `1 like`, `좋아요 1개`.
    public static func likes(_ count: Int) -> Text {
        Text(count == 1 ? "1 like" : "\(count) likes", "좋아요 \(count)개")
    }

    /// `1 trip`, `2 trips`, `여행 2개`.
    public static func trips(_ count: Int) -> Text {
        Text(count == 1 ? "1 trip" : "\(count) trips", "여행 \(count)개")
    }

    /// `1 entry`, `2 entries`, `기록 2개`.
    public static func entries(_ count: Int) -> Text {
        Text(count == 1 ? "1 entry" : "\(count) entries", "기록 \(count)개")
    }

    /// `Day 2 · Night market · Haeundae`: the entry by which a search found a trip, with its place.
    public static func matchedEntry(_ entry: MatchedEntry) -> Text {
        let day = Text.day(entry.day)
        let rest = ([entry.title.text] + (entry.placeName.map { [$0] } ?? [])).map { " · \($0)" }.joined()
        return Text(day.english + rest, day.korean + rest)
    }

    /// A day of a trip by its number, 1-based.
    public static func day(_ day: Int) -> Text {
        Text("Day \(day)", "\(day)일차")
    }

    /// `Fri, 5 May 2023`, `2023년 5월 5일 (금)`.
    public static func date(_ day: CalendarDay) -> Text {
        let (date, weekday) = (dateWithoutWeekday(day), Weekday(of: day).names)
        return Text("\(weekday.english), \(date.english)", "\(date.korean) (\(weekday.korean))")
    }

    /// `5 May 2023`, `2023년 5월 5일`.
    static func dateWithoutWeekday(_ day: CalendarDay) -> Text {
        let (year, month, number) = day.components
        return Text("\(number) \(months[month - 1]) \(year)", "\(year)년 \(month)월 \(number)일")
    }

    /// The first and the last day, as ``date(_:)`` writes them, with the year once if it is the same; for a day trip, the
    /// one day: `Fri, 5 May – Sun, 7 May 2023`, `2023년 5월 5일 (금) – 5월 7일 (일)`.
    public static func dates(_ days: DayRange) -> Text {
        let (first, last) = (date(days.first), date(days.last))
        guard days.count > 1 else { return first }
        let year = days.first.components.year
        guard days.last.components.year == year else {
            return Text("\(first.english) – \(last.english)", "\(first.korean) – \(last.korean)")
        }
        return Text(
            "\(first.english.dropLast(" \(year)".count)) – \(last.english)",
            "\(first.korean) – \(last.korean.dropFirst("\(year)년 ".count))")
    }

    /// How long a trip takes: `Day trip`, `1 night`, `4 nights`; `당일치기`, `1박 2일`, `4박 5일`.
    public static func nights(_ days: DayRange) -> Text {
        let nights = days.count - 1
        guard nights > 0 else { return Period.dayTrip.names }
        return Text(nights == 1 ? "1 night" : "\(nights) nights", "\(nights)박 \(days.count)일")
    }

    /// A length in metres: `850 m`, `12.3 km`, `123 km`; `850m`, `12.3km`, `123km`.
    public static func length(_ metres: Double) -> Text {
        func text(_ number: String, _ unit: String) -> Text { Text("\(number) \(unit)", "\(number)\(unit)") }
        switch metres {
        case ..<999.5: return text("\(Int(metres.rounded()))", "m")
        case ..<99_950:
            let (whole, tenth) = Int((metres / 100).rounded()).quotientAndRemainder(dividingBy: 10)
            return text(tenth == 0 ? "\(whole)" : "\(whole).\(tenth)", "km")
        default: return text("\(Int((metres / 1_000).rounded()))", "km")
        }
    }

    /// A height in metres: `1,947 m`, `−13 m`; `1,947m`, `−13m`.
    public static func height(_ metres: Double) -> Text {
        let (thousands, rest) = Int(metres.rounded()).magnitude.quotientAndRemainder(dividingBy: 1_000)
        let digits = thousands == 0 ? "\(rest)" : "\(thousands),\("\(rest + 1_000)".dropFirst())"
        let number = (metres <= -0.5 ? "−" : "") + digits
        return Text("\(number) m", "\(number)m")
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}

extension DayRange {
    /// The first and last day, `2024-05-01 – 2024-05-03`; for a day trip, the one day.
    public var text: String {
        count == 1 ? "\(first)" : "\(first) – \(last)"
    }
}

/// A day of the week, Monday first, as ISO 8601 numbers them.
public enum Weekday: Int, CaseIterable, Hashable, Sendable {
    case monday = 1
    case tuesday
    case wednesday
    case thursday
    case friday
    case saturday
    case sunday

    /// The day of the week of a calendar day.
    public init(of day: CalendarDay) {
        // 1 January 1970 was a Thursday.
        let sinceMonday = (day.daysSince1970 + 3) % 7
        self = Self.allCases[sinceMonday < 0 ? sinceMonday + 7 : sinceMonday]
    }
}

extension CalendarDay {
    /// The day of the month and of the week: `"05 Fri"`, `"05 금"`.
    public func tabText(in language: Language) -> String {
        "\(day < 10 ? "0" : "")\(day) \(Weekday(of: self).name(in: language))"
    }
}
