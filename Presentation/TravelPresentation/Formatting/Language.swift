/// A language in which the product speaks.
public enum Language: String, CaseIterable, Hashable, Sendable {
    /// English.
    case english = "en"
    /// Korean, 한국어.
    case korean = "ko"

    /// The language of a POSIX locale name such as `ko_KR.UTF-8`; English where it is neither.
    public init(locale: String) {
        self = locale.hasPrefix("ko") ? .korean : .english
    }

    /// Whichever text is in this language.
    func choose(_ english: String, _ korean: String) -> String {
        self == .korean ? korean : english
    }
}
