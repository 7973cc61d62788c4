/// One of the 17 first-level regions of South Korea.
///
/// ```swift
/// Region(rawValue: "jeju")    // .jeju, as in commands and files
/// Region.allCases.count       // 17
/// ```
public enum Region: String, CaseIterable, Hashable, Sendable {
    /// Seoul, 서울.
    case seoul
    /// Busan, 부산.
    case busan
    /// Daegu, 대구.
    case daegu
    /// Incheon, 인천.
    case incheon
    /// Gwangju, 광주.
    case gwangju
    /// Daejeon, 대전.
    case daejeon
    /// Ulsan, 울산.
    case ulsan
    /// Sejong, 세종.
    case sejong
    /// Gyeonggi, 경기.
    case gyeonggi
    /// Gangwon, 강원.
    case gangwon
    /// Chungbuk, 충북.
    case chungbuk
    /// Chungnam, 충남.
    case chungnam
    /// Jeonbuk, 전북.
    case jeonbuk
    /// Jeonnam, 전남.
    case jeonnam
    /// Gyeongbuk, 경북.
    case gyeongbuk
    /// Gyeongnam, 경남.
    case gyeongnam
    /// Jeju, 제주.
    case jeju
}
