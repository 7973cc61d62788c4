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
