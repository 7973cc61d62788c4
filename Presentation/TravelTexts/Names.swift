/// A value with a display name in each language.
public protocol LocalizedNameProviding {
    var names: Text { get }
}

extension LocalizedNameProviding {
    public func name(in language: Language) -> String { language[names] }
}

extension CaseIterable where Self: LocalizedNameProviding & RawRepresentable, RawValue == String {
    /// Creates the value with a name in any language, or with an identifier, compared as keywords are; `nil` if there is
    /// none.
    public init?(named text: some StringProtocol) {
        let wanted = Keyword.folded(String(text))
        let found = Self.allCases.first { value in
            [value.rawValue, value.names.english, value.names.korean].contains { Keyword.folded($0) == wanted }
        }
        guard let found else { return nil }
        self = found
    }
}

extension Region {
    /// Creates the region that a keyword names, with or without the kind of region at its end; `nil` if it names none.
    public init?(namedBy keyword: Keyword) {
        let names =
            [keyword.folded]
            + ["시", "도"].filter(keyword.folded.hasSuffix).map { _ in
                String(keyword.folded.dropLast())
            }
        guard let found = names.lazy.compactMap({ Region(named: $0) }).first else { return nil }
        self = found
    }
}

extension Region: LocalizedNameProviding {
    public var names: Text {
        switch self {
        case .seoul: Text("Seoul", "서울")
        case .busan: Text("Busan", "부산")
        case .daegu: Text("Daegu", "대구")
        case .incheon: Text("Incheon", "인천")
        case .gwangju: Text("Gwangju", "광주")
        case .daejeon: Text("Daejeon", "대전")
        case .ulsan: Text("Ulsan", "울산")
        case .sejong: Text("Sejong", "세종")
        case .gyeonggi: Text("Gyeonggi", "경기")
        case .gangwon: Text("Gangwon", "강원")
        case .chungbuk: Text("Chungbuk", "충북")
        case .chungnam: Text("Chungnam", "충남")
        case .jeonbuk: Text("Jeonbuk", "전북")
        case .jeonnam: Text("Jeonnam", "전남")
        case .gyeongbuk: Text("Gyeongbuk", "경북")
        case .gyeongnam: Text("Gyeongnam", "경남")
        case .jeju: Text("Jeju", "제주")
        case .abroad: Text("Abroad", "해외")
        }
    }
}

extension Theme: LocalizedNameProviding {
    public var names: Text {
        switch self {
        case .healing: Text("Healing", "힐링")
        case .activity: Text("Activity", "액티비티")
        case .camping: Text("Camping", "캠핑")
        case .food: Text("Food", "맛집")
        case .art: Text("Art", "예술")
        case .mood: Text("Mood", "감성")
        case .nature: Text("Nature", "자연")
        case .shopping: Text("Shopping", "쇼핑")
        case .familyDuty: Text("Family duty", "효도")
        }
    }
}

extension Companion: LocalizedNameProviding {
    public var names: Text {
        switch self {
        case .family: Text("Family", "가족")
        case .friends: Text("Friends", "친구")
        case .partner: Text("Partner", "연인")
        case .pets: Text("Pets", "반려동물")
        }
    }
}

extension Season: LocalizedNameProviding {
    public var names: Text {
        switch self {
        case .spring: Text("Spring", "봄")
        case .summer: Text("Summer", "여름")
        case .autumn: Text("Autumn", "가을")
        case .winter: Text("Winter", "겨울")
        }
    }
}

extension Period: LocalizedNameProviding {
    public var names: Text {
        switch self {
        case .dayTrip: Text("Day trip", "당일치기")
        case .oneNight: Text("1 night", "1박 2일")
        case .twoNights: Text("2 nights", "2박 3일")
        case .threeNightsOrMore: Text("3 nights+", "3박 이상")
        case .weekOrMore: Text("A week+", "일주일 이상")
        case .monthOrMore: Text("A month+", "한 달 이상")
        }
    }
}

extension Headcount: LocalizedNameProviding {
    public var names: Text {
        switch self {
        case .one: Text("1 person", "1인")
        case .two, .three, .four: Text("\(rawValue) people", "\(rawValue)인")
        case .fiveOrMore: Text("5+ people", "5인 이상")
        }
    }
}

extension Budget: LocalizedNameProviding {
    public var names: Text {
        switch self {
        case .under10: Text("Up to ₩100k", "10만 원 이하")
        case .from10to50: Text("₩100k–500k", "10–50만 원")
        case .from50to100: Text("₩500k–1M", "50–100만 원")
        case .over100: Text("Over ₩1M", "100만 원 이상")
        }
    }
}

extension Transportation: LocalizedNameProviding {
    public var names: Text {
        switch self {
        case .publicTransport: Text("Public transport", "대중교통")
        case .ownCar: Text("Own car", "자차")
        }
    }
}

extension TripSort: LocalizedNameProviding {
    public var names: Text {
        switch self {
        case .newest: Text("Newest", "최신순")
        case .mostLiked: Text("Most liked", "좋아요순")
        case .tripDate: Text("Date of trip", "여행 날짜순")
        }
    }
}

extension FilterKind: LocalizedNameProviding {
    public var names: Text {
        switch self {
        case .region: Text("Region", "지역")
        case .theme: Text("Theme", "테마")
        case .companion: Text("Company", "동행")
        case .season: Text("Season", "계절")
        case .period: Text("Length", "기간")
        case .headcount: Text("People", "인원")
        case .budget: Text("Budget", "경비")
        case .transportation: Text("Transport", "교통")
        }
    }
}

extension Audience.Level: LocalizedNameProviding {
    public var names: Text {
        switch self {
        case .onlyMe: Text("Only me", "나만")
        case .byLink: Text("By link", "링크")
        case .everyone: Text("Everyone", "모두")
        }
    }
}

extension Weekday: LocalizedNameProviding {
    public var names: Text {
        switch self {
        case .monday: Text("Mon", "월")
        case .tuesday: Text("Tue", "화")
        case .wednesday: Text("Wed", "수")
        case .thursday: Text("Thu", "목")
        case .friday: Text("Fri", "금")
        case .saturday: Text("Sat", "토")
        case .sunday: Text("Sun", "일")
        }
    }
}

extension TripContent {
    /// Region, length and traits in words, for headings: `["Busan", "2 nights", "Food"]`.
    public func traits(in language: Language) -> [String] {
        let several: [any LocalizedNameProviding] =
            Theme.allCases.filter(themes.contains) + Companion.allCases.filter(companions.contains)
        let one: [(any LocalizedNameProviding)?] = [headcount, budget, transportation]
        return [region.name(in: language), language[.nights(days)]]
            + (several + one.compactMap(\.self)).map { $0.name(in: language) }
    }
}
