extension Text {
    /// The text in Korean.
    var korean: String {
        switch self {
        // General
        case .retry: "다시 시도"
        case .cancel: "취소"
        case .close: "닫기"
        case .back: "뒤로"
        case .save: "저장"
        case .delete: "삭제"
        case .edit: "수정"
        case .loading: "불러오는 중…"
        case .saving: "저장하는 중…"
        case .help: "도움말"
        case .quit: "종료"
        case .none: "없음"
        // Home
        case .homeTitle: "여행"
        case .searchPlaceholder: "제목 검색"
        case .recentKeywords: "최근 검색어"
        case .suggestions: "추천 검색어"
        case .noRecentKeywords: "최근 검색어가 없습니다"
        case .noSuggestions: "일치하는 제목이 없습니다"
        case .forgetKeyword: "지우기"
        case .nothingFound: "찾은 여행이 없습니다."
        case .nothingFoundHint: "다른 검색어를 쓰거나 필터를 줄여 보세요."
        case .filters: "필터"
        case .applyFilters: "적용"
        case .clearFilters: "모두 해제"
        case .sort: "정렬"
        case .refresh: "새로고침"
        case .loadingMore: "더 불러오는 중…"
        case .endOfList: "마지막입니다."
        case .writeTrip: "새 여행"
        // Trip
        case .like: "좋아요"
        case .unlike: "좋아요 취소"
        case .report: "신고"
        case .reportQuestion: "이 여행을 신고할까요? 신고가 다섯 번을 넘은 여행은 숨겨집니다."
        case .reported: "신고했습니다. 감사합니다."
        case .alreadyReported: "이미 신고한 여행입니다."
        case .block: "작성자 차단"
        case .blockQuestion: "이 작성자를 차단할까요? 이 사람의 여행이 더 이상 보이지 않습니다."
        case .blocked: "작성자를 차단했습니다."
        case .editTrip: "여행 수정"
        case .deleteTrip: "여행 삭제"
        case .deleteTripQuestion: "이 여행과 모든 기록을 삭제할까요?"
        case .tripDeleted: "여행을 삭제했습니다."
        case .tripGone: "없거나 볼 수 없는 여행입니다."
        case .map: "지도"
        case .noPlaces: "이날은 지도에 표시할 장소가 없습니다."
        // Entries
        case .addEntry: "기록 추가"
        case .noEntries: "이날은 기록이 없습니다."
        case .editEntry: "기록 수정"
        case .deleteEntry: "기록 삭제"
        case .deleteEntryQuestion: "이 기록을 삭제할까요?"
        case .entryDeleted: "기록을 삭제했습니다."
        case .entryGone: "없는 기록입니다."
        // Forms
        case .title: "제목"
        case .firstDay: "시작일"
        case .lastDay: "종료일"
        case .text: "내용"
        case .day: "날짜"
        case .time: "시간"
        case .place: "장소"
        case .image: "사진"
        case .imagePath: "사진 파일 경로"
        case .placePlaceholder: "이름을 쓰거나 장소 검색"
        case .noPlaceFound: "아는 장소가 아닙니다. 이름만 남깁니다."
        case .removePlace: "장소 지우기"
        case .removeImage: "사진 지우기"
        case .chooseRegion: "지역을 선택하세요."
        case .malformedDay: "2024-05-01처럼 날짜를 입력하세요."
        case .malformedTime: "09:30처럼 시간을 입력하세요."
        case .saved: "저장했습니다."
        case .discardQuestion: "변경한 내용을 버릴까요?"
        case .discard: "버리기"
        case .keepEditing: "계속 편집"
        case .conflictTitle: "그사이 다른 곳에서 이 여행이 변경되었습니다."
        case .mine: "내 변경"
        case .theirs: "저장된 내용"
        case .keepMine: "내 변경 저장"
        case .takeTheirs: "저장된 내용 사용"
        case .entryWasDeleted: "다른 곳에서 삭제된 기록입니다."
        // Account
        case .myPage: "마이페이지"
        case .myTrips: "내 여행"
        case .likedTrips: "좋아요한 여행"
        case .seeAll: "모두 보기"
        case .noTrips: "아직 기록한 여행이 없습니다."
        case .noLikedTrips: "아직 좋아요한 여행이 없습니다."
        case .profile: "프로필"
        case .settings: "설정"
        case .language: "언어"
        case .nickname: "닉네임"
        case .nicknameAvailable: "사용할 수 있는 닉네임입니다."
        case .nicknameUnchanged: "지금 닉네임과 같습니다."
        case .nicknameTaken: "이미 사용 중인 닉네임입니다."
        case .nicknameControl: "닉네임에는 줄바꿈이나 제어 문자를 쓸 수 없습니다."
        case .checking: "확인하는 중…"
        case .signIn: "로그인"
        case .signInHint: "여행을 기록하고 좋아요하려면 로그인하세요."
        case .signedIn: "로그인했습니다."
        case .signOut: "로그아웃"
        case .signedOut: "로그아웃했습니다."
        case .blockedPeople: "차단한 사람"
        case .nobodyBlocked: "차단한 사람이 없습니다."
        case .unblock: "차단 해제"
        case .unblocked: "차단을 해제했습니다."
        case .withdraw: "회원 탈퇴"
        case .withdrawQuestion: "계정과 모든 여행, 사진, 좋아요를 삭제할까요? 되돌릴 수 없습니다."
        case .withdrawn: "계정을 삭제했습니다."
        case .brokenLink: "열 수 없는 링크입니다."
        }
    }
}

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

extension Phrase {
    /// The phrase in Korean.
    var korean: String {
        switch self {
        case .trips(let count): "여행 \(count)개"
        case .shown(let count, let total): "\(total)개 중 \(count)개"
        case .likes(let count): "좋아요 \(count)개"
        case .entries(let count): "기록 \(count)개"
        case .day(let day): "\(day)일차"
        case .characters(let count, let maximum): "\(count)/\(maximum)"
        case .andMore(let first, let others): "\(first) 외 \(others)"
        case .tooShort(let minimum): minimum == 1 ? "내용을 입력하세요." : "\(minimum)자 이상 입력하세요."
        case .tooLong(let maximum): "\(maximum)자 이하로 입력하세요."
        case .entriesInTheWay(let count): "종료일 뒤에 기록이 \(count)개 있습니다. 먼저 옮기거나 삭제하세요."
        case .hello(let name): "\(name)님, 안녕하세요"
        case .dayOutOfRange(let last): last == 1 ? "하루짜리 여행입니다." : "1일차부터 \(last)일차까지 고를 수 있습니다."
        }
    }
}

extension ScreenFailure {
    /// The message in Korean.
    var korean: String {
        switch self {
        case .travel(let error): error.korean
        case .unknown: "문제가 생겼습니다. 다시 시도해 주세요."
        }
    }
}

extension TravelError {
    /// The message in Korean, without identifiers.
    fileprivate var korean: String {
        switch self {
        case .notFound(.travel): Text.tripGone.korean
        case .notFound(.entry): Text.entryGone.korean
        case .notFound(.user): "더 이상 없는 회원입니다."
        case .notFound(.image): "더 이상 없는 사진입니다."
        case .forbidden(.user): "이 계정으로는 할 수 없습니다."
        case .forbidden: "여행을 쓴 사람만 할 수 있습니다."
        case .conflict(.travel): "이미 있는 여행이거나 다른 곳에서 변경된 여행입니다."
        case .conflict(.entry): "다른 여행에 이미 있는 기록입니다."
        case .conflict(.user): "이미 사용 중인 닉네임입니다."
        case .conflict(.image): "다른 여행에 이미 있는 사진입니다."
        case .refused: "공개할 수 없는 사진입니다. 다른 사진을 고르세요."
        case .outdated: Text.conflictTitle.korean
        case .signedOut: Text.signInHint.korean
        case .invalid(let violation): violation.korean
        case .unavailable(let outage): outage.canRetry ? "\(outage.cause.korean) 다시 시도해 주세요." : outage.cause.korean
        }
    }
}

extension TravelError.Outage.Cause {
    /// The message in Korean. The reason of an outage is English, and therefore no part of it.
    fileprivate var korean: String {
        switch self {
        case .busy: "다른 프로그램이 여행 데이터베이스를 사용하고 있습니다."
        case .diskFull: "디스크에 남은 공간이 없습니다."
        case .newerVersion: "더 새로운 버전에서 만든 여행 데이터베이스입니다."
        case .earlierVersion:
            "0.1 이전 버전에서 만든 여행 데이터베이스입니다. 그 프로그램에서 여행을 파일로 내보낸 뒤 새로 가져오세요."
        case .notATravelDatabase: "여행 데이터베이스가 아닌 파일입니다. 다른 경로를 고르세요."
        case .damaged: "여행 데이터베이스나 사진이 손상되었습니다. 백업에서 복원하세요."
        case .inaccessible: "파일을 열 수 없습니다. 경로와 권한을 확인하세요."
        case .fileExists: "이미 있는 파일입니다. 다른 경로를 고르세요."
        case .unreachable: "서버에 연결할 수 없습니다."
        case .accessRefused: "서버가 접속을 거부했습니다. 사용자와 비밀번호를 확인하세요."
        case .missingPrivilege:
            "서버의 사용자에게 테이블을 만들거나 읽을 권한이 없습니다. 데이터베이스 소유자에게 권한을 요청하세요."
        case .invalidAddress: "서버 주소가 올바르지 않습니다. 주소와 설정을 확인하세요."
        case .noSuchDatabase: "서버에 그 데이터베이스가 없습니다. 이름을 확인하거나 먼저 만드세요."
        case .notSecure: "서버와 안전하게 연결할 수 없습니다. sslmode, sslrootcert와 서버의 인증서를 확인하세요."
        case .readOnly: "읽기만 할 수 있습니다. 파일과 폴더의 권한을 확인하거나 원본 서버에 연결하세요."
        default: "지금은 사용할 수 없습니다."
        }
    }
}

extension Violation {
    /// The message in Korean.
    var korean: String {
        switch (field, rule) {
        case (.date, .malformed): Text.malformedDay.korean
        case (.time, .malformed): Text.malformedTime.korean
        case (_, .tooShort(let minimum)): "\(field.koreanTopic) \(minimum)자 이상이어야 합니다."
        case (_, .tooLong(let maximum)): "\(field.koreanTopic) \(maximum)자 이하여야 합니다."
        case (.text, .controlCharacter): "내용에 제어 문자가 있습니다. 지워 주세요."
        case (_, .controlCharacter): "\(field.koreanTopic) 줄바꿈이나 다른 제어 문자를 쓸 수 없습니다."
        case (.image, .malformed): "JPEG, PNG, GIF, WebP, HEIC, AVIF 사진이 아닙니다."
        case (_, .malformed): "\(field.koreanTopic) 형식이 올바르지 않습니다."
        case (.track, .outOfRange): "1년이 넘는 기록입니다. 여행마다 따로 가져오세요."
        case (.coordinate, .outOfRange): "좌표는 위도 -90…90, 경도 -180…180이어야 합니다."
        case (_, .outOfRange(let range)):
            "\(field.koreanTopic) 범위를 벗어났습니다" + Self.numbers(in: range)
        case (_, .endsBeforeItBegins): "종료일이 시작일보다 빠릅니다."
        case (_, .foreignCursor): "다른 정렬의 위치입니다. 첫 페이지부터 다시 시작하세요."
        case (_, .empty): "\(field.koreanTopic) 비어 있습니다."
        case (_, .tooLarge(let bytes)):
            "\(field.koreanTopic) 최대 " + (bytes.isMultiple(of: 1 << 20) ? "\(bytes >> 20)MiB" : "\(bytes)바이트") + "입니다."
        case (_, .tooMany(let maximum)): "\(field.koreanTopic) 최대 \(maximum)개까지 쓸 수 있습니다."
        case (_, .entriesInTheWay(let entries)): Phrase.entriesInTheWay(entries.count).korean
        }
    }
}

extension Violation {
    /// The part of an English range that is not in words: `": 1…5"` of `"a day of the trip, 1…5"`, or else a full stop.
    private static func numbers(in range: String) -> String {
        let part = range.split(separator: ",").last.flatMap { $0.contains(where: \.isLetter) ? nil : $0 }
        return part.map { ": " + $0.drop { $0 == " " } } ?? "."
    }
}

extension Violation.Field {
    /// The name of the field with its topic particle.
    fileprivate var koreanTopic: String {
        switch self {
        case .title: "제목은"
        case .text: "내용은"
        case .dates: "기간은"
        case .date, .day: "날짜는"
        case .time: "시간은"
        case .timeZone: "시간대는"
        case .coordinate: "좌표는"
        case .placeName: "장소 이름은"
        case .placeAddress: "주소는"
        case .nickname: "닉네임은"
        case .cursor: "위치는"
        case .limit: "개수는"
        case .track: "트랙은"
        case .image: "사진은"
        case .session: "세션은"
        case .likeCount: "좋아요 수는"
        case .timeline: "기록은"
        }
    }
}

/// The Korean words of imported tracks: what an import writes where the traveller has noted nothing.
///
/// ```swift
/// KoreanTrackWording().text(of: arrival)    // "12.3km를 이동해 도착했다. 해발 38m."
/// ```
public struct KoreanTrackWording: TrackWording {
    /// Creates the wording, which has no state: all are equal.
    public init() {}

    /// The title of a travel whose track and file have no name.
    public var travelTitle: String { "여행 기록" }

    /// A word for the kind of moment.
    public func title(of moment: JourneyMoment) -> String {
        switch moment.kind {
        case .departure: "출발"
        case .arrival: "도착"
        case .stay: moment.stayed > 0 ? "머문 곳" : "지난 곳"
        case .mark: "표시한 곳"
        }
    }

    /// The known facts as sentences: duration, distance and elevation.
    public func text(of moment: JourneyMoment) -> String {
        var sentences: [String] = []
        if moment.stayed >= 60 {
            sentences.append("\(Self.duration(moment.stayed)) 동안 머물렀다.")
        }
        switch (moment.kind, moment.distance.map(Self.length)) {
        case (.arrival, let way?): sentences.append("\(way)를 이동해 도착했다.")
        case (_, let way?): sentences.append("이날 \(way)를 이동했다.")
        case (.departure, nil): sentences.append("이날의 첫 기록이다.")
        case (.arrival, nil): sentences.append("이날의 마지막 기록이다.")
        case (.mark, nil), (.stay, nil):
            if sentences.isEmpty { sentences.append(moment.isPassed ? "이곳을 지났다." : "이곳을 표시해 두었다.") }
        }
        if let elevation = moment.elevation, (-500...9_000).contains(elevation) {
            sentences.append("해발 \(Int(elevation.rounded()))m.")
        }
        return sentences.joined(separator: " ")
    }

    /// `"35분"`, `"1시간"`, `"2시간 5분"`.
    private static func duration(_ seconds: Double) -> String {
        let minutes = Int((seconds / 60).rounded())
        let parts = [minutes / 60 > 0 ? "\(minutes / 60)시간" : nil, minutes % 60 > 0 ? "\(minutes % 60)분" : nil]
        return parts.compactMap(\.self).joined(separator: " ")
    }

    /// `"850m"`, `"12.3km"`.
    private static func length(_ metres: Double) -> String {
        if metres < 999.5 { return "\(Int(metres.rounded()))m" }
        let hundreds = Int((metres / 100).rounded())
        return "\(hundreds / 10).\(hundreds % 10)km"
    }
}
