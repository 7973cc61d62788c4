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
