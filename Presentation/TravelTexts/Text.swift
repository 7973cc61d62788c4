/// A language of the user interface.
public enum Language: String, CaseIterable, Hashable, Sendable {
    case english = "en"
    case korean = "ko"

    /// The language of a POSIX locale name such as `ko_KR.UTF-8`; English for all other languages.
    public init(locale: String) {
        let code = locale.prefix { $0 != "_" && $0 != "-" && $0 != "." && $0 != "@" }.lowercased()
        self = code == "ko" || code == "kor" ? .korean : .english
    }

    public subscript(_ text: Text) -> String {
        self == .korean ? text.korean : text.english
    }

    /// The language tag (BCP 47), which is also the value of the attribute `lang` of HTML.
    public var tag: String { rawValue }

    public var ownName: String { self == .korean ? "한국어" : "English" }
}

/// A text in each language. Texts with parameters are functions.
///
/// ```swift
/// let saved = Text("Saved.", "저장했습니다.")
/// Language.korean[saved]            // "저장했습니다."
/// Language.english[.likes(1)]       // "1 like"
/// ```
///
/// Every part of the travel log that speaks to people says its texts in this form, each once: what screens, pages and
/// commands share is here, and a text with one user stands beside it, as an extension of this type.
public struct Text: Hashable, Sendable {
    public let english: String
    public let korean: String

    public init(_ english: String, _ korean: String) {
        self.english = english
        self.korean = korean
    }
}

extension Text {
    // The list of trips

    public static let homeTitle = Text("Trips", "여행")
    public static let search = Text("Search", "검색")
    public static let searchPlaceholder = Text("Search titles and places", "장소·제목 검색")
    public static let filters = Text("Filters", "필터")
    public static let nothingFound = Text("No trips found.", "찾은 여행이 없습니다.")

    // A trip

    public static let map = Text("Map", "지도")
    public static let audience = Text("Visible to", "공개 범위")
    public static let timelineEmpty = Text("There are no entries yet.", "아직 기록이 없습니다.")
    public static let tripGone = Text("This trip no longer exists, or you cannot see it.", "없거나 볼 수 없는 여행입니다.")
    public static let entryGone = Text("This entry no longer exists.", "없는 기록입니다.")

    // What is wrong with a change

    public static let malformedDay = Text("Enter a day such as 2024-05-01.", "2024-05-01처럼 날짜를 입력하세요.")
    public static let malformedTime = Text("Enter a time such as 09:30.", "09:30처럼 시간을 입력하세요.")
    public static let conflictTitle = Text(
        "This trip was changed elsewhere in the meantime.", "그사이 다른 곳에서 이 여행이 변경되었습니다.")
    public static let nicknameTaken = Text("Someone else has this nickname.", "이미 사용 중인 닉네임입니다.")
    public static let signInHint = Text("Sign in to record and like trips.", "여행을 기록하고 좋아요를 누르려면 로그인하세요.")

    /// Why dates cannot shrink: entries after the last day of a trip.
    public static func entriesInTheWay(_ count: Int) -> Text {
        Text(
            count == 1
                ? "1 entry lies after the last day: move or delete it first."
                : "\(count) entries lie after the last day: move or delete them first.",
            "종료일 뒤에 기록이 \(count)개 있습니다. 먼저 옮기거나 삭제하세요.")
    }
}
