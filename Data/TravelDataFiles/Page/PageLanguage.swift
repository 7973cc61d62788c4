internal import TravelJSON

/// The language of the labels in a map or a page. The texts of the traveller are not translated.
public enum PageLanguage: String, CaseIterable, Hashable, Sendable {
    case english = "en"
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

    /// `Recorded track 12.3 km`, `기록한 경로 12.3km`.
    func track(ofLength metres: Double) -> String {
        let (length, unit): (String, String) =
            switch metres {
            case ..<999.5: ("\(Int(metres.rounded()))", "m")
            case ..<99_950: (SVGNumber.text(metres / 1_000), "km")
            default: ("\(Int((metres / 1_000).rounded()))", "km")
            }
        return choose("Recorded track \(length) \(unit)", "기록한 경로 \(length)\(unit)")
    }

    /// `↑ 640 m ↓ 610 m, highest 1,947 m`, `↑ 640m ↓ 610m, 최고 1,947m`.
    func profile(_ profile: TrackGeometry.Profile) -> String {
        func metres(_ metres: Double) -> String {
            let (thousands, rest) = Int(metres.rounded()).magnitude.quotientAndRemainder(dividingBy: 1_000)
            let digits = thousands == 0 ? "\(rest)" : "\(thousands),\("\(rest + 1_000)".dropFirst())"
            return (metres <= -0.5 ? "−" : "") + digits + choose(" m", "m")
        }
        let climb = "↑ \(metres(profile.ascent)) ↓ \(metres(profile.descent))"
        return choose("\(climb), highest \(metres(profile.highest))", "\(climb), 최고 \(metres(profile.highest))")
    }

    /// Who drew the coast of a map.
    var coast: String { choose("Coastline: Natural Earth", "해안선: Natural Earth") }

    /// `Map: Night sea`, `지도: 부산 밤바다`.
    func mapTitle(_ title: Title) -> String { choose("Map: \(title)", "지도: \(title)") }

    var map: String { choose("Map", "지도") }
    var days: String { choose("Days", "날짜") }
    var noPlaces: String { choose("No entry has a place.", "장소가 있는 기록이 없습니다.") }
    var noEntries: String { choose("There are no entries yet.", "아직 기록이 없습니다.") }

    func recorded(by author: User) -> String { choose("Recorded by \(author.nickname)", "\(author.nickname)의 여행 기록") }

    /// The text for a picture that cannot be seen.
    func picture(of title: Title) -> String { choose("Picture: \(title)", "사진: \(title)") }

    // The list of trips

    var trips: String { choose("Trips", "여행") }
    var keyword: String { choose("Search titles", "제목 검색") }
    var search: String { choose("Search", "검색") }
    var order: String { choose("Order", "정렬") }
    var filters: String { choose("Filters", "필터") }
    var any: String { choose("Any", "전체") }
    var clear: String { choose("Clear search", "검색 초기화") }
    var previous: String { choose("Previous", "이전") }
    var next: String { choose("Next", "다음") }
    var pages: String { choose("Pages", "페이지") }
    var notFound: String { choose("There is nothing here", "찾을 수 없습니다") }
    var nothingFound: String { choose("No trips found.", "찾은 여행이 없습니다.") }

    /// `1 like`, `좋아요 1개`.
    func likes(_ count: Int) -> String { choose("\(count) \(count == 1 ? "like" : "likes")", "좋아요 \(count)개") }

    var region: String { choose("Region", "지역") }
    var theme: String { choose("Theme", "테마") }
    var companion: String { choose("Company", "동행") }
    var season: String { choose("Season", "계절") }
    var period: String { choose("Length", "기간") }
    var headcount: String { choose("People", "인원") }
    var budget: String { choose("Budget", "경비") }
    var transportation: String { choose("Transport", "교통") }

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
