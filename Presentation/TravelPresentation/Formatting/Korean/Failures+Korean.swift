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
        case .outdated: Text.conflictTitle.korean
        case .signedOut: Text.signInHint.korean
        case .invalid(let violation): violation.korean
        // The reason is a detail of the store, which has it in English only.
        case .unavailable(let outage):
            outage.canRetry
                ? "지금은 사용할 수 없습니다. 다시 시도해 주세요. (\(outage.reason))" : "지금은 사용할 수 없습니다. (\(outage.reason))"
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
        case (_, .outOfRange(let range)): "\(field.koreanTopic) 범위를 벗어났습니다: \(range)"
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

extension Violation.Field {
    /// The name of the field with its topic particle.
    fileprivate var koreanTopic: String {
        switch self {
        case .title: "제목은"
        case .text: "내용은"
        case .dates: "기간은"
        case .date, .day: "날짜는"
        case .time: "시간은"
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
