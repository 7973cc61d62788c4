extension Region {
    var korean: String {
        switch self {
        case .seoul: "서울"
        case .busan: "부산"
        case .daegu: "대구"
        case .incheon: "인천"
        case .gwangju: "광주"
        case .daejeon: "대전"
        case .ulsan: "울산"
        case .sejong: "세종"
        case .gyeonggi: "경기"
        case .gangwon: "강원"
        case .chungbuk: "충북"
        case .chungnam: "충남"
        case .jeonbuk: "전북"
        case .jeonnam: "전남"
        case .gyeongbuk: "경북"
        case .gyeongnam: "경남"
        case .jeju: "제주"
        case .abroad: "해외"
        }
    }
}

extension Theme {
    var korean: String {
        switch self {
        case .healing: "힐링"
        case .activity: "액티비티"
        case .camping: "캠핑"
        case .food: "맛집"
        case .art: "예술"
        case .mood: "감성"
        case .nature: "자연"
        case .shopping: "쇼핑"
        case .familyDuty: "효도"
        }
    }
}

extension Companion {
    var korean: String {
        switch self {
        case .family: "가족"
        case .friends: "친구"
        case .partner: "연인"
        case .pets: "반려동물"
        }
    }
}

extension Season {
    var korean: String {
        switch self {
        case .spring: "봄"
        case .summer: "여름"
        case .autumn: "가을"
        case .winter: "겨울"
        }
    }
}

extension Period {
    var korean: String {
        switch self {
        case .dayTrip: "당일치기"
        case .oneNight: "1박 2일"
        case .twoNights: "2박 3일"
        case .threeNightsOrMore: "3박 이상"
        case .weekOrMore: "일주일 이상"
        case .monthOrMore: "한 달 이상"
        }
    }
}

extension Headcount {
    var korean: String {
        switch self {
        case .one: "1인"
        case .two, .three, .four: "\(rawValue)인"
        case .fiveOrMore: "5인 이상"
        }
    }
}

extension Budget {
    var korean: String {
        switch self {
        case .under10: "10만 원 이하"
        case .from10to50: "10–50만 원"
        case .from50to100: "50–100만 원"
        case .over100: "100만 원 이상"
        }
    }
}

extension Transportation {
    var korean: String {
        switch self {
        case .publicTransport: "대중교통"
        case .ownCar: "자차"
        }
    }
}

extension TravelSort {
    var korean: String {
        switch self {
        case .newest: "최신순"
        case .mostLiked: "좋아요순"
        case .tripDate: "여행 날짜순"
        }
    }
}

extension FilterKind {
    var korean: String {
        switch self {
        case .region: "지역"
        case .theme: "테마"
        case .companion: "동행"
        case .season: "계절"
        case .period: "기간"
        case .headcount: "인원"
        case .budget: "경비"
        case .transportation: "교통"
        }
    }
}

extension Weekday {
    var korean: String {
        switch self {
        case .monday: "월"
        case .tuesday: "화"
        case .wednesday: "수"
        case .thursday: "목"
        case .friday: "금"
        case .saturday: "토"
        case .sunday: "일"
        }
    }
}
