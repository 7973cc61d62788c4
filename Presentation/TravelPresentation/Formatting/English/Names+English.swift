extension Region {
    var english: String {
        switch self {
        case .seoul: "Seoul"
        case .busan: "Busan"
        case .daegu: "Daegu"
        case .incheon: "Incheon"
        case .gwangju: "Gwangju"
        case .daejeon: "Daejeon"
        case .ulsan: "Ulsan"
        case .sejong: "Sejong"
        case .gyeonggi: "Gyeonggi"
        case .gangwon: "Gangwon"
        case .chungbuk: "Chungbuk"
        case .chungnam: "Chungnam"
        case .jeonbuk: "Jeonbuk"
        case .jeonnam: "Jeonnam"
        case .gyeongbuk: "Gyeongbuk"
        case .gyeongnam: "Gyeongnam"
        case .jeju: "Jeju"
        case .abroad: "Abroad"
        }
    }
}

extension Theme {
    var english: String {
        switch self {
        case .healing: "Healing"
        case .activity: "Activity"
        case .camping: "Camping"
        case .food: "Food"
        case .art: "Art"
        case .mood: "Mood"
        case .nature: "Nature"
        case .shopping: "Shopping"
        case .familyDuty: "Family duty"
        }
    }
}

extension Companion {
    var english: String {
        switch self {
        case .family: "Family"
        case .friends: "Friends"
        case .partner: "Partner"
        case .pets: "Pets"
        }
    }
}

extension Season {
    var english: String {
        switch self {
        case .spring: "Spring"
        case .summer: "Summer"
        case .autumn: "Autumn"
        case .winter: "Winter"
        }
    }
}

extension Period {
    var english: String {
        switch self {
        case .dayTrip: "Day trip"
        case .oneNight: "1 night"
        case .twoNights: "2 nights"
        case .threeNightsOrMore: "3 nights+"
        case .weekOrMore: "A week+"
        case .monthOrMore: "A month+"
        }
    }
}

extension Headcount {
    var english: String {
        switch self {
        case .one: "1 person"
        case .two, .three, .four: "\(rawValue) people"
        case .fiveOrMore: "5+ people"
        }
    }
}

extension Budget {
    var english: String {
        switch self {
        case .under10: "Up to ₩100k"
        case .from10to50: "₩100k–500k"
        case .from50to100: "₩500k–1M"
        case .over100: "Over ₩1M"
        }
    }
}

extension Transportation {
    var english: String {
        switch self {
        case .publicTransport: "Public transport"
        case .ownCar: "Own car"
        }
    }
}

extension TravelSort {
    var english: String {
        switch self {
        case .newest: "Newest"
        case .mostLiked: "Most liked"
        case .tripDate: "Date of trip"
        }
    }
}

extension FilterKind {
    var english: String {
        switch self {
        case .region: "Region"
        case .theme: "Theme"
        case .companion: "Company"
        case .season: "Season"
        case .period: "Length"
        case .headcount: "People"
        case .budget: "Budget"
        case .transportation: "Transport"
        }
    }
}

extension Weekday {
    var english: String {
        switch self {
        case .monday: "Mon"
        case .tuesday: "Tue"
        case .wednesday: "Wed"
        case .thursday: "Thu"
        case .friday: "Fri"
        case .saturday: "Sat"
        case .sunday: "Sun"
        }
    }
}
