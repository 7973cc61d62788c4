import Testing
import TravelPresentation

@Suite("Texts of the screens")
struct ScreenTextTests {
    @Test(
        "a text contains its parameters in every language",
        arguments: [
            (.andMore("부산", 2), ["부산", "2"]), (.tooShort(minimum: 2), ["2"]), (.tooLong(maximum: 14), ["14"]),
            (.hello("Mina"), ["Mina"]),
        ] as [(Text, [String])])
    func parameters(text: Text, values: [String]) {
        for language in Language.allCases {
            for value in values { #expect(language[text].contains(value), "\(language[text]) lacks \(value)") }
        }
    }

    @Test("a minimum of one character has a text of its own")
    func oneCharacter() {
        #expect(Language.english[.tooShort(minimum: 1)] == "Enter some text.")
    }

    @Test("a failure of the domain has the text of its error")
    func failures() {
        for language in Language.allCases {
            #expect(ScreenFailure(TravelError.signedOut).text(in: language) == language[TravelError.signedOut.text])
        }
    }

    @Test("an unexpected error has a general message that offers a retry")
    func unknownError() {
        struct Surprise: Error {}
        let failure = ScreenFailure(Surprise())
        #expect(failure.text(in: .english) == "Something went wrong. Try again.")
        #expect(failure.text(in: .korean) == "문제가 생겼습니다. 다시 시도해 주세요.")
        #expect(failure.canRetry)
    }
}
