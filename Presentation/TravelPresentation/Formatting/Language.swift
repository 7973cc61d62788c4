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

    public var ownName: String { self == .korean ? "한국어" : "English" }
}
