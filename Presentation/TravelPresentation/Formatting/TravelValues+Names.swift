/// A domain value with a display name.
public protocol LocalizedNameProviding {
    /// The display name in a language.
    func name(in language: Language) -> String
}

extension Region: LocalizedNameProviding {
    /// The short name of the region: `Busan`, `부산`.
    public func name(in language: Language) -> String {
        switch self {
        case .seoul: language.choose("Seoul", "서울")
        case .busan: language.choose("Busan", "부산")
        case .daegu: language.choose("Daegu", "대구")
        case .incheon: language.choose("Incheon", "인천")
        case .gwangju: language.choose("Gwangju", "광주")
        case .daejeon: language.choose("Daejeon", "대전")
        case .ulsan: language.choose("Ulsan", "울산")
        case .sejong: language.choose("Sejong", "세종")
        case .gyeonggi: language.choose("Gyeonggi", "경기")
        case .gangwon: language.choose("Gangwon", "강원")
        case .chungbuk: language.choose("Chungbuk", "충북")
        case .chungnam: language.choose("Chungnam", "충남")
        case .jeonbuk: language.choose("Jeonbuk", "전북")
        case .jeonnam: language.choose("Jeonnam", "전남")
        case .gyeongbuk: language.choose("Gyeongbuk", "경북")
        case .gyeongnam: language.choose("Gyeongnam", "경남")
        case .jeju: language.choose("Jeju", "제주")
        }
    }
}

extension Theme: LocalizedNameProviding {
    /// The name of the theme.
    public func name(in language: Language) -> String {
        switch self {
        case .healing: language.choose("Healing", "힐링")
        case .activity: language.choose("Activity", "액티비티")
        case .camping: language.choose("Camping", "캠핑")
        case .food: language.choose("Food", "맛집")
        case .art: language.choose("Art", "예술")
        case .mood: language.choose("Mood", "감성")
        case .nature: language.choose("Nature", "자연")
        case .shopping: language.choose("Shopping", "쇼핑")
        case .familyDuty: language.choose("Family duty", "효도")
        }
    }
}

extension Companion: LocalizedNameProviding {
    /// The name of the companion.
    public func name(in language: Language) -> String {
        switch self {
        case .family: language.choose("Family", "가족")
        case .friends: language.choose("Friends", "친구")
        case .partner: language.choose("Partner", "연인")
        case .pets: language.choose("Pets", "반려동물")
        }
    }
}

extension Season: LocalizedNameProviding {
    /// The name of the season.
    public func name(in language: Language) -> String {
        switch self {
        case .spring: language.choose("Spring", "봄")
        case .summer: language.choose("Summer", "여름")
        case .autumn: language.choose("Autumn", "가을")
        case .winter: language.choose("Winter", "겨울")
        }
    }
}

extension Period: LocalizedNameProviding {
    /// The name of the period.
    public func name(in language: Language) -> String {
        switch self {
        case .dayTrip: language.choose("Day trip", "당일치기")
        case .oneNight: language.choose("1 night", "1박 2일")
        case .twoNights: language.choose("2 nights", "2박 3일")
        case .threeNightsOrMore: language.choose("3 nights+", "3박 이상")
        case .weekOrMore: language.choose("A week+", "일주일 이상")
        case .monthOrMore: language.choose("A month+", "한 달 이상")
        }
    }
}

extension Headcount: LocalizedNameProviding {
    /// The number of people.
    public func name(in language: Language) -> String {
        switch self {
        case .one: language.choose("1 person", "1인")
        case .two, .three, .four: language.choose("\(rawValue) people", "\(rawValue)인")
        case .fiveOrMore: language.choose("5+ people", "5인 이상")
        }
    }
}

extension Budget: LocalizedNameProviding {
    /// The range, in units of 10,000 won.
    public func name(in language: Language) -> String {
        switch self {
        case .under10: language.choose("Up to ₩100k", "10만 원 이하")
        case .from10to50: language.choose("₩100k–500k", "10–50만 원")
        case .from50to100: language.choose("₩500k–1M", "50–100만 원")
        case .over100: language.choose("Over ₩1M", "100만 원 이상")
        }
    }
}

extension Transportation: LocalizedNameProviding {
    /// The name of the means of transport.
    public func name(in language: Language) -> String {
        switch self {
        case .publicTransport: language.choose("Public transport", "대중교통")
        case .ownCar: language.choose("Own car", "자차")
        }
    }
}
