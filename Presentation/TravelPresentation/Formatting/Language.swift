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

/// A domain value with a display name.
///
/// ```swift
/// Region.busan.name(in: .english)    // "Busan"
/// Region.busan.name(in: .korean)     // "부산"
/// ```
public protocol LocalizedNameProviding {
    /// Returns the display name in a language, such as `Busan`.
    func name(in language: Language) -> String
}

/// A value with a display name in each language; the folders of the languages implement it.
protocol NamedInEachLanguage: LocalizedNameProviding {
    var english: String { get }
    var korean: String { get }
}

extension NamedInEachLanguage {
    /// The display name in a language: `Busan`, `부산`.
    public func name(in language: Language) -> String {
        switch language {
        case .english: english
        case .korean: korean
        }
    }
}

extension Region: LocalizedNameProviding, NamedInEachLanguage {}
extension Theme: LocalizedNameProviding, NamedInEachLanguage {}
extension Companion: LocalizedNameProviding, NamedInEachLanguage {}
extension Season: LocalizedNameProviding, NamedInEachLanguage {}
extension Period: LocalizedNameProviding, NamedInEachLanguage {}
extension Headcount: LocalizedNameProviding, NamedInEachLanguage {}
extension Budget: LocalizedNameProviding, NamedInEachLanguage {}
extension Transportation: LocalizedNameProviding, NamedInEachLanguage {}
extension TravelSort: LocalizedNameProviding, NamedInEachLanguage {}
extension FilterKind: LocalizedNameProviding, NamedInEachLanguage {}
extension Weekday: LocalizedNameProviding, NamedInEachLanguage {}

extension CaseIterable where Self: LocalizedNameProviding & RawRepresentable, RawValue == String {
    /// Creates the value with a name in any language, or with an identifier, compared as keywords are; `nil` if there is
    /// none.
    ///
    /// ```swift
    /// Region(named: "부산")     // .busan
    /// Region(named: "BUSAN")    // .busan
    /// ```
    public init?(named text: some StringProtocol) {
        let wanted = Keyword.folded(String(text))
        let found = Self.allCases.first { value in
            ([value.rawValue] + Language.allCases.map { value.name(in: $0) }).contains { Keyword.folded($0) == wanted }
        }
        guard let found else { return nil }
        self = found
    }
}

extension Region {
    /// Creates the region that a keyword names, with or without the kind of region at its end; `nil` if it names none.
    ///
    /// ```swift
    /// Keyword("제주도").flatMap(Region.init(namedBy:))    // .jeju
    /// ```
    public init?(namedBy keyword: Keyword) {
        let names =
            [keyword.folded]
            + ["시", "도"].filter(keyword.folded.hasSuffix).map { _ in
                String(keyword.folded.dropLast())
            }
        guard let found = names.lazy.compactMap({ Region(named: $0) }).first else { return nil }
        self = found
    }
}
