/// A language of the user interface.
///
/// Everything that a person reads is in `Formatting/English` and `Formatting/Korean`: one folder a language.
///
/// ```swift
/// Language.korean[.retry]         // "다시 시도"
/// Region.busan.name(in: .korean)  // "부산"
/// ```
public enum Language: String, CaseIterable, Hashable, Sendable {
    /// English.
    case english = "en"
    /// Korean, 한국어.
    case korean = "ko"

    /// The language of a POSIX locale name such as `ko_KR.UTF-8`; English for all other languages.
    public init(locale: String) {
        let code = locale.prefix { $0 != "_" && $0 != "-" && $0 != "." && $0 != "@" }.lowercased()
        self = code == "ko" || code == "kor" ? .korean : .english
    }

    /// A text of the screens in this language.
    public subscript(_ text: Text) -> String {
        switch self {
        case .english: text.english
        case .korean: text.korean
        }
    }

    /// A sentence of the screens in this language.
    public subscript(_ phrase: Phrase) -> String {
        switch self {
        case .english: phrase.english
        case .korean: phrase.korean
        }
    }

    /// The name of the language in the language itself.
    public var ownName: String {
        switch self {
        case .english: "English"
        case .korean: "한국어"
        }
    }
}
