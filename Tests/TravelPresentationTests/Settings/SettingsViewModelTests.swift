import StreamsTesting
import Testing
import TravelDomainTesting
import TravelPresentation
import ViewModelsTesting

@Suite("Settings")
struct SettingsViewModelTests {
    private let scheduler = TestScheduler(resolution: 0.001)
    private let languagePicked = PublishRelay<Language>()
    private let bag = DisposeBag()

    /// The languages of the screens, and the events, after picking these.
    private func pick(
        _ languages: Language..., save: @escaping @Sendable (Language) async throws -> Void
    ) -> (languages: [Language], events: [ScreenEvent]) {
        SharingScheduler.mock(scheduler: scheduler) {
            let output = SettingsViewModel(language: .english, save: save)
                .transform(.init(languagePicked: languagePicked.asObservable()))
            let (shown, events) = scheduler.perform { (output.language.recorded(bag), output.events.recorded(bag)) }
            for language in languages { scheduler.perform { languagePicked.accept(language) } }
            scheduler.advance(by: .seconds(1))
            return (shown.all, events.all)
        }
    }

    @Test("a language applies immediately, and the choices are saved one after the other")
    func language() {
        let saved = Recorder<String>()
        let result = pick(.english, .korean, .english) { [scheduler] language in
            saved.add("begin \(language)")
            try await scheduler.virtualClock.sleep(for: .milliseconds(100))
            saved.add("end \(language)")
        }
        #expect(result.languages == [.english, .korean, .english])
        #expect(result.events == [])
        #expect(saved.all == ["begin korean", "end korean", "begin english", "end english"])
    }

    @Test("a language that cannot be saved stays for this run and says why")
    func failure() {
        let result = pick(.korean) { _ in throw TravelError.busy }
        #expect(result.languages == [.english, .korean])
        #expect(result.events == [.notice(.failed(.busy))])
    }

    @Test("the settings only compose")
    @MainActor
    func composes() {
        expectOnlyComposes(SettingsViewModel(language: .korean) { _ in }) { inputs in
            .init(languagePicked: inputs.count(languagePicked.asObservable()))
        } whileBound: {
            languagePicked.accept(.english)
        }
    }
}
