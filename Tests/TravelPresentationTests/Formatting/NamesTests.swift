import Testing
import TravelPresentation

@Suite("Names of values")
struct NamesTests {
    @Test("every domain value has a distinct name in every language", arguments: Language.allCases)
    func namesAreDistinct(language: Language) {
        func check<Value: LocalizedNameProviding & CaseIterable>(_: Value.Type) {
            let names = Value.allCases.map { $0.name(in: language) }
            #expect(!names.contains(""))
            #expect(Set(names).count == names.count)
        }
        check(Region.self)
        check(Theme.self)
        check(Companion.self)
        check(Season.self)
        check(Period.self)
        check(Headcount.self)
        check(Budget.self)
        check(Transportation.self)
        check(TravelSort.self)
        check(FilterKind.self)
        check(Weekday.self)
    }

    @Test(
        "the language follows the locale, English by default",
        arguments: [
            ("ko_KR.UTF-8", Language.korean), ("ko", .korean), ("KO-kr", .korean), ("ko.UTF-8", .korean),
            ("kor", .korean), ("en_US.UTF-8", .english), ("C", .english), ("", .english), ("kok_IN", .english),
            ("_ko", .english),
        ])
    func languageOfLocale(locale: String, language: Language) {
        #expect(Language(locale: locale) == language)
    }
}
