/// The purpose of a trip.
public enum Theme: String, CaseIterable, Hashable, Sendable {
    /// Rest: a trip to recover, with little to do.
    case healing
    case activity
    case camping
    case food
    case art
    /// Places that are visited for their atmosphere.
    case mood
    case nature
    case shopping
    /// Relatives of the author, of any generation.
    case familyDuty
}

/// The company on a trip.
public enum Companion: String, CaseIterable, Hashable, Sendable {
    case family
    case friends
    case partner
    case pets
}

/// The number of people on a trip.
public enum Headcount: Int, CaseIterable, Hashable, Sendable {
    case one = 1
    case two
    case three
    case four
    case fiveOrMore
}

/// The cost of a trip per person, in units of 10,000 won.
public enum Budget: String, CaseIterable, Hashable, Sendable {
    case under10
    case from10to50
    case from50to100
    case over100
}

/// The means of transportation on a trip.
public enum Transportation: String, CaseIterable, Hashable, Sendable {
    case publicTransport
    case ownCar
}

/// One of the 17 first-level regions of South Korea, or abroad.
///
/// ```swift
/// Region(rawValue: "jeju")    // .jeju, as in commands and files
/// Region.allCases.count       // 18
/// ```
public enum Region: String, CaseIterable, Hashable, Sendable {
    case seoul
    case busan
    case daegu
    case incheon
    case gwangju
    case daejeon
    case ulsan
    case sejong
    case gyeonggi
    case gangwon
    case chungbuk
    case chungnam
    case jeonbuk
    case jeonnam
    case gyeongbuk
    case gyeongnam
    case jeju
    case abroad

    public static let ofKorea = allCases.filter { $0 != .abroad }
}

extension Coordinate {
    /// Whether the point is in South Korea, its islands and its coastal waters.
    ///
    /// The outline follows the Military Demarcation Line and the Northern Limit Line to about two kilometres, and runs
    /// through the sea elsewhere, so that Kaesong, Tsushima and Fukuoka are outside.
    package var isInKorea: Bool {
        Self.isInside(Self.mainland, latitude, longitude) || Self.isInside(Self.eastSea, latitude, longitude)
    }

    /// Whether a point is in a polygon: whether a ray from it to the east crosses its edges an odd number of times.
    package static func isInside(_ outline: [(Double, Double)], _ latitude: Double, _ longitude: Double) -> Bool {
        var isInside = false
        var previous = outline[outline.count - 1]
        for corner in outline {
            if (corner.0 > latitude) != (previous.0 > latitude) {
                let share = (latitude - previous.0) / (corner.0 - previous.0)
                if longitude < previous.1 + share * (corner.1 - previous.1) { isInside.toggle() }
            }
            previous = corner
        }
        return isInside
    }

    /// Latitudes and longitudes, clockwise from the sea west of Baengnyeong.
    private static let mainland: [(Double, Double)] = [
        (38.03, 124.45), (38.03, 124.72), (37.84, 124.95), (37.68, 125.25), (37.70, 125.75), (37.68, 126.05),
        // The estuary of the Han, north of Gyodong, Ganghwa and Gimpo.
        (37.83, 126.20), (37.84, 126.42), (37.78, 126.55), (37.79, 126.66),
        // The Military Demarcation Line: Panmunjom, Yeoncheon, Cheorwon, Hwacheon, Yanggu, Goseong.
        (37.95, 126.67), (38.02, 126.84), (38.13, 126.97), (38.25, 127.12), (38.32, 127.22), (38.33, 127.50),
        (38.32, 127.80), (38.34, 128.05), (38.42, 128.25), (38.60, 128.32), (38.62, 128.40),
        (38.60, 128.65), (38.20, 129.00), (37.70, 129.35), (37.00, 129.75), (36.10, 129.95), (35.50, 129.75),
        // Between Busan and Tsushima.
        (35.10, 129.42), (34.90, 129.15), (34.60, 128.95), (34.35, 128.50), (34.00, 127.80), (33.70, 127.20),
        (33.40, 127.20), (33.00, 126.80), (32.95, 126.10), (33.20, 125.85), (33.80, 125.40), (33.90, 124.85),
        (34.60, 124.85), (36.00, 125.20), (37.20, 125.30), (37.50, 124.40),
    ]
    /// Ulleungdo and Dokdo.
    private static let eastSea: [(Double, Double)] = [
        (37.70, 130.60), (37.70, 131.10), (37.35, 132.00), (37.10, 132.00), (37.10, 130.60),
    ]
}

/// A season of the Korean climate: spring 3–5, summer 6–9, autumn 10–11, winter 12–2.
///
/// ```swift
/// Season(of: try CalendarDay(year: 2024, month: 6, day: 1))    // .summer
/// Season.autumn.months                                         // [10, 11]
/// ```
public enum Season: String, CaseIterable, Hashable, Sendable {
    case spring
    case summer
    case autumn
    case winter

    public var months: [Int] {
        switch self {
        case .spring: [3, 4, 5]
        case .summer: [6, 7, 8, 9]
        case .autumn: [10, 11]
        case .winter: [12, 1, 2]
        }
    }

    public init(of day: CalendarDay) {
        switch day.month {
        case 3...5: self = .spring
        case 6...9: self = .summer
        case 10...11: self = .autumn
        default: self = .winter
        }
    }
}
