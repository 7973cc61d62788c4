// The texts that only maps and pages have. What other edges say as well is in `TravelTexts`.
extension Text {
    // Maps

    static func mapTitle(_ title: Title) -> Text { Text("Map: \(title)", "지도: \(title)") }

    /// `12 stops on 2 days`, `2일 동안 12곳`.
    static func mapSummary(stops: Int, days: Int) -> Text {
        Text(
            "\(stops) \(stops == 1 ? "stop" : "stops") on \(days) \(days == 1 ? "day" : "days")",
            "\(days)일 동안 \(stops)곳")
    }

    /// `Map of 12 trips`, `여행 12개의 지도`.
    static func mapOfTrips(_ count: Int) -> Text {
        Text("Map of \(trips(count).english)", "\(trips(count).korean)의 지도")
    }

    /// `Recorded track 12.3 km`, `기록한 경로 12.3km`.
    static func track(ofLength metres: Double) -> Text {
        let length = length(metres)
        return Text("Recorded track \(length.english)", "기록한 경로 \(length.korean)")
    }

    /// `↑ 640 m ↓ 610 m, highest 1,947 m`, `↑ 640m ↓ 610m, 최고 1,947m`.
    static func profile(_ profile: TrackGeometry.Profile) -> Text {
        let (up, down, top) = (height(profile.ascent), height(profile.descent), height(profile.highest))
        return Text(
            "↑ \(up.english) ↓ \(down.english), highest \(top.english)",
            "↑ \(up.korean) ↓ \(down.korean), 최고 \(top.korean)")
    }

    /// Whose the coast, the borders and the names of a map are.
    static func mapSources(hasProvinces: Bool) -> Text {
        hasProvinces
            ? Text("Map: Natural Earth, Statistics Korea", "지도: Natural Earth, 통계청")
            : Text("Map: Natural Earth", "지도: Natural Earth")
    }
    static let nothingOnMap = Text("No entry has a place.", "장소가 있는 기록이 없습니다.")

    static let openInApp = Text("Open in the app", "앱에서 열기")

    // The page of a trip

    static let days = Text("Days", "날짜")

    static func recorded(by author: User) -> Text {
        Text("Recorded by \(author.nickname)", "\(author.nickname)의 여행 기록")
    }

    /// The text for a picture that cannot be seen.
    package static func picture(of title: Title) -> Text { Text("Picture: \(title)", "사진: \(title)") }

    // The list of trips

    /// What a search engine or a messenger shows of the list.
    static let listDescription = Text(
        "Travel logs with their days, places, maps and pictures", "날짜와 장소, 지도와 사진이 담긴 여행 기록")
    static let order = Text("Order", "정렬")
    static let any = Text("Any", "전체")
    static let clearSearch = Text("Clear search", "검색 초기화")
    static let previousPage = Text("← Previous", "← 이전")
    static let nextPage = Text("Next →", "다음 →")
    static let pages = Text("Pages", "페이지")
    static let nothingHere = Text("There is nothing here", "찾을 수 없습니다")
}
