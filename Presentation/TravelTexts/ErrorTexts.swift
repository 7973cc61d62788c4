extension TravelError {
    /// One or two sentences, without identifiers: the problem, and the remedy.
    public var text: Text {
        switch self {
        case .notFound(.trip): .tripGone
        case .notFound(.entry): .entryGone
        case .notFound(.user): Text("This person no longer has an account.", "더 이상 없는 회원입니다.")
        case .notFound(.image): Text("This photo no longer exists.", "더 이상 없는 사진입니다.")
        case .forbidden(.user): Text("This account may not do that.", "이 계정으로는 할 수 없습니다.")
        case .forbidden: Text("Only the author of a trip may do this.", "여행을 쓴 사람만 할 수 있습니다.")
        case .conflict(.trip):
            Text("This trip already exists, or it was changed elsewhere.", "이미 있는 여행이거나 다른 곳에서 변경된 여행입니다.")
        case .conflict(.entry): Text("This entry already exists in another trip.", "다른 여행에 이미 있는 기록입니다.")
        case .conflict(.user): .nicknameTaken
        case .conflict(.image): Text("This photo already exists in another trip.", "다른 여행에 이미 있는 사진입니다.")
        case .refused: Text("This photo may not be published. Choose another one.", "공개할 수 없는 사진입니다. 다른 사진을 고르세요.")
        case .outdated: .conflictTitle
        case .signedOut: .signInHint
        case .wrongCredentials:
            Text("The nickname or the password is wrong.", "닉네임이나 비밀번호가 맞지 않습니다.")
        case .invalid(let violation): violation.text
        case .unavailable(let outage):
            outage.canRetry
                ? Text("\(outage.reason) Try again.", "\(outage.cause.korean) 다시 시도해 주세요.")
                : Text(outage.reason, outage.cause.korean)
        }
    }
}

extension TravelError.Outage.Cause {
    /// The message in Korean. The reason of an outage is English, and therefore no part of it.
    fileprivate var korean: String {
        switch self {
        case .busy: "다른 프로그램이 여행 데이터베이스를 사용하고 있습니다."
        case .diskFull: "디스크에 남은 공간이 없습니다. 공간을 확보하세요."
        case .newerVersion: "더 새로운 버전에서 만든 여행 데이터베이스입니다. 프로그램을 업데이트하세요."
        case .earlierVersion:
            "0.1 이전 버전에서 만든 여행 데이터베이스입니다. 그 프로그램에서 여행을 파일로 내보낸 뒤 새로 가져오세요."
        case .notATravelDatabase: "여행 데이터베이스가 아닌 파일입니다. 다른 경로를 고르세요."
        case .damaged: "여행 데이터베이스나 사진이 손상되었습니다. 백업에서 복원하세요."
        case .damagedSession: "이 기기의 로그인 정보가 손상되었습니다. 다시 로그인하세요."
        case .inaccessible: "파일을 열 수 없습니다. 경로와 권한을 확인하세요."
        case .fileExists: "이미 있는 파일입니다. 다른 경로를 고르세요."
        case .unreachable: "서버에 연결할 수 없습니다."
        case .serverBusy: "서버가 지금 바쁩니다."
        case .serverFailure: "서버가 지금은 응답할 수 없습니다."
        case .otherVersion: "서버와 이 프로그램의 버전이 다릅니다. 둘 중 오래된 쪽을 업데이트하세요."
        case .requestRefused: "서버가 이 요청을 거절했습니다."
        case .requestTooLarge: "서버가 받는 크기보다 큽니다."
        case .unreadableAnswer: "서버의 응답을 읽을 수 없습니다. 프로그램을 업데이트하세요."
        case .accessRefused: "서버가 접속을 거부했습니다. 사용자와 비밀번호를 확인하세요."
        case .missingPrivilege:
            "서버의 사용자에게 테이블을 만들거나 읽을 권한이 없습니다. 데이터베이스 소유자에게 권한을 요청하세요."
        case .invalidAddress: "서버 주소가 올바르지 않습니다. 주소와 설정을 확인하세요."
        case .noSuchDatabase: "서버에 그 데이터베이스가 없습니다. 이름을 확인하거나 먼저 만드세요."
        case .otherEncoding: "서버의 데이터베이스가 저장하지 못하는 글자가 있습니다. 유니코드 데이터베이스를 새로 만드세요."
        case .notSecure: "서버와 안전하게 연결할 수 없습니다. 주소, 암호화 설정과 서버의 인증서를 확인하세요."
        case .readOnly: "읽기만 할 수 있습니다. 파일과 폴더의 권한을 확인하거나 원본 서버에 연결하세요."
        default: "지금은 사용할 수 없습니다."
        }
    }
}

extension Violation {
    /// One or two sentences: the rule, and how to keep it.
    public var text: Text {
        switch (field, rule) {
        case (.title, .tooShort(1)): Text("Enter a title.", "제목을 입력하세요.")
        case (.date, .malformed): .malformedDay
        case (.time, .malformed): .malformedTime
        case (_, .entriesInTheWay(let entries)): .entriesInTheWay(entries.count)
        default: Text(description, korean)
        }
    }

    private var korean: String {
        switch (field, rule) {
        case (_, .tooShort(let minimum)): "\(field.koreanTopic) \(minimum)자 이상이어야 합니다."
        case (_, .tooLong(let maximum)): "\(field.koreanTopic) \(maximum)자 이하여야 합니다."
        case (.text, .controlCharacter): "내용에 제어 문자가 있습니다. 지워 주세요."
        case (_, .controlCharacter): "\(field.koreanTopic) 줄바꿈이나 다른 제어 문자를 쓸 수 없습니다."
        case (.image, .malformed): "JPEG, PNG, GIF, WebP, HEIC, AVIF 사진이 아닙니다."
        case (.invitation, .malformed): "서버 주인이 만들었고 아직 아무도 쓰지 않은 초대 코드가 필요합니다."
        case (_, .malformed): "\(field.koreanTopic) 형식이 올바르지 않습니다."
        case (.track, .outOfRange): "1년이 넘는 기록입니다. 여행마다 따로 가져오세요."
        case (.time, .outOfRange): "같은 날 같은 시각의 기록끼리만 순서를 바꿀 수 있습니다."
        case (.coordinate, .outOfRange): "좌표는 위도 -90…90, 경도 -180…180이어야 합니다."
        case (_, .outOfRange(let range)):
            "\(field.koreanTopic) 범위를 벗어났습니다" + Self.numbers(in: range)
        case (_, .endsBeforeItBegins): "종료일이 시작일보다 빠릅니다."
        case (_, .foreignCursor): "다른 정렬의 위치입니다. 첫 페이지부터 다시 시작하세요."
        case (_, .empty): "\(field.koreanTopic) 비어 있습니다."
        case (_, .tooLarge(let bytes)):
            "\(field.koreanTopic) 최대 " + (bytes.isMultiple(of: 1 << 20) ? "\(bytes >> 20)MiB" : "\(bytes)바이트") + "입니다."
        case (.pictures, .tooMany(let maximum)): "한 기록에 사진을 \(maximum)장까지 넣을 수 있습니다."
        case (_, .repeated): "\(field.koreanTopic) 같은 것을 두 번 넣을 수 없습니다."
        case (_, .tooMany(let maximum)): "\(field.koreanTopic) 최대 \(maximum)개까지 쓸 수 있습니다."
        case (_, .tooManyScalars(let maximum)):
            "\(field.koreanTopic) 한 글자에 코드 포인트를 \(maximum)개까지 쓸 수 있습니다. 결합 문자를 지워 주세요."
        case (_, .unusableCharacter):
            "\(field.koreanTopic) 글자, 숫자, 빈칸, 이모지로만 씁니다. 다른 기호나 보이지 않는 문자를 지워 주세요."
        case (_, .mixedScripts):
            "\(field.koreanTopic) 한 가지 문자로 쓰거나, 한글, 가나, 한자에 라틴 문자만 섞어 쓸 수 있습니다."
        case (_, .invisible): "\(field.koreanTopic) 보이는 문자가 있어야 합니다. 다른 것을 고르세요."
        case (_, .common): "\(field.koreanTopic) 너무 흔해서 쉽게 알아낼 수 있습니다. 다른 것을 고르세요."
        case (_, .keepsMetadata):
            "찍은 장소와 시간을 파일에서 지울 수 없는 사진입니다. JPEG나 PNG로 변환하거나, HEIC와 AVIF라면 libvips-tools를 설치해 주세요."
        case (_, .closed): "새 계정을 받지 않는 서버입니다."
        case (_, .entriesInTheWay): text.korean
        }
    }

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
        case .password: "비밀번호는"
        case .cursor: "위치는"
        case .limit: "개수는"
        case .track: "트랙은"
        case .image, .pictures: "사진은"
        case .pictureText: "사진 설명은"
        case .session: "세션은"
        case .likeCount: "좋아요 수는"
        case .audience: "공개 범위는"
        case .timeline: "기록은"
        case .version: "버전은"
        case .invitation: "초대 코드는"
        }
    }
}
