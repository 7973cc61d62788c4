/// One of the 17 first-level regions of South Korea.
///
/// ```swift
/// Region(rawValue: "jeju")    // .jeju, as in commands and files
/// Region.allCases.count       // 17
/// ```
public enum Region: String, CaseIterable, Hashable, Sendable {
    /// Seoul, 서울: the capital of Korea.
    case seoul
    /// Busan, 부산: a metropolitan city in the south-east.
    case busan
    /// Daegu, 대구: a metropolitan city inland in the south-east.
    case daegu
    /// Incheon, 인천: a metropolitan city west of Seoul.
    case incheon
    /// Gwangju, 광주: a metropolitan city in the south-west.
    case gwangju
    /// Daejeon, 대전: a metropolitan city in the centre.
    case daejeon
    /// Ulsan, 울산: a metropolitan city in the south-east.
    case ulsan
    /// Sejong, 세종: the administrative city in the centre.
    case sejong
    /// Gyeonggi, 경기: the province around Seoul.
    case gyeonggi
    /// Gangwon, 강원: the province in the north-east.
    case gangwon
    /// Chungbuk, 충북: the province in the centre, without a coast.
    case chungbuk
    /// Chungnam, 충남: the province between the centre and the west coast.
    case chungnam
    /// Jeonbuk, 전북: the northern province of the south-west.
    case jeonbuk
    /// Jeonnam, 전남: the southern province of the south-west.
    case jeonnam
    /// Gyeongbuk, 경북: the northern province of the south-east.
    case gyeongbuk
    /// Gyeongnam, 경남: the southern province of the south-east.
    case gyeongnam
    /// Jeju, 제주: the island province in the south of Korea.
    case jeju
}
