import StreamsTesting
import Testing
import TravelDomainTesting
import ViewModelsTesting

@testable import TravelPresentation

@Suite("Settings")
struct SettingsFlowTests {
    @Test("a language applies immediately, and the choices are saved one after the other")
    func language() {
        let saved = Recorder<Language>()
        let tester = FlowTester(SettingsFlow(language: .english) { saved.add($0) })
        tester.send(.languagePicked(.english))
        tester.send(.languagePicked(.korean)) { $0.language = .korean }
        tester.send(.languagePicked(.english)) { $0.language = .english }
        tester.receive(.saved(.done))
        tester.receive(.saved(.done))
        tester.finish()
        #expect(saved.all == [.korean, .english])
    }

    @Test("a language that cannot be saved stays for this run and says why")
    func failure() {
        let tester = FlowTester(SettingsFlow(language: .english) { _ in throw TravelError.busy })
        tester.send(.languagePicked(.korean)) { $0.language = .korean }
        tester.receive(.saved(.failed(.busy)))
        tester.receive(event: .notice(.failed(.busy)))
        tester.finish()
    }

    @Test("the settings open other screens and close")
    func navigation() {
        FlowSpec(SettingsFlow(language: .korean) { _ in })
            .when(.opened(.profile), .backTapped).then(.event(.open(.profile)).and(.event(.close(nil))))
    }
}
