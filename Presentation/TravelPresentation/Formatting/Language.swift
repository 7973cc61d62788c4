/// A language of the user interface.
public enum Language: String, CaseIterable, Hashable, Sendable {
    /// English.
    case english = "en"
    /// Korean, 한국어.
    case korean = "ko"

    /// The language of a POSIX locale name such as `ko_KR.UTF-8`; English for all other languages.
    public init(locale: String) {
        self = locale.hasPrefix("ko") ? .korean : .english
    }

    /// The argument in this language.
    func choose(_ english: String, _ korean: String) -> String {
        self == .korean ? korean : english
    }
}
