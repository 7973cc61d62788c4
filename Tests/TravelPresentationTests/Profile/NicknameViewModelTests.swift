import StreamsTesting
import Synchronization
import TestConcurrency
import Testing
import TravelDomainTesting
import TravelPresentation
import ViewModelsTesting

/// A nickname form in virtual time, with a check and a save that take 100 ms each.
private final class NicknameRun: Sendable {
    let scheduler = TestScheduler(resolution: 0.001)
    let nickname = BehaviorRelay(value: "Mina")
    let saveTapped = PublishRelay<Void>()
    let backTapped = PublishRelay<Void>()
    let problems = Recorder<NicknameProblem?>()
    let canSave = Recorder<Bool>()
    let isSaving = Recorder<Bool>()
    let isChecking = Recorder<Bool>()
    let events = Recorder<ScreenEvent>()
    private let bag = DisposeBag()
    private let state = Mutex((calls: [String](), failure: TravelError?.none))

    var calls: [String] { state.withLock { $0.calls } }
    func fail(with failure: TravelError?) { state.withLock { $0.failure = failure } }

    init(isProfile: Bool = true) {
        SharingScheduler.mock(scheduler: scheduler) {
            scheduler.perform {
                let output = viewModel(isProfile: isProfile).transform(
                    .init(
                        nickname: nickname.asObservable(), saveTapped: saveTapped.asObservable(),
                        backTapped: backTapped.asObservable()))
                record(output.problem, in: problems)
                record(output.canSave, in: canSave)
                record(output.isSaving, in: isSaving)
                record(output.isChecking, in: isChecking)
                output.isAvailable.asObservable().subscribe().disposed(by: bag)
                output.events.asObservable().subscribe(onNext: events.add).disposed(by: bag)
            }
        }
        pass(500)
    }

    private func record<Value>(_ driver: Driver<Value>, in recorder: Recorder<Value>) {
        driver.asObservable().subscribe(onNext: recorder.add).disposed(by: bag)
    }

    func viewModel(isProfile: Bool) -> NicknameViewModel {
        let save: @Sendable (Nickname) async throws -> Void = { [weak self] in
            try await self?.call("save \($0)")
        }
        guard isProfile else { return .signIn(save) }
        return .profile(
            check: { [weak self] text in
                try await self?.call("check \(text)")
                return text == "Mina" ? .unchanged : text.hasPrefix("Jun") ? .taken : .available
            },
            change: {
                try await save($0)
                return User(id: Person.mina.id, nickname: $0)
            })
    }

    private func call(_ name: String) async throws {
        state.withLock { $0.calls.append(name) }
        try await scheduler.virtualClock.sleep(for: .milliseconds(100))
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    func type(_ text: String, for milliseconds: Int = 0) {
        scheduler.perform { nickname.accept(text) }
        pass(milliseconds)
    }

    func save(for milliseconds: Int = 0) {
        scheduler.perform { saveTapped.accept(()) }
        pass(milliseconds)
    }

    func goBack() {
        scheduler.perform { backTapped.accept(()) }
        pass(5)
    }

    func pass(_ milliseconds: Int) { scheduler.advance(by: .milliseconds(milliseconds)) }
}

@Suite("Nickname form", .limitedConcurrency)
struct NicknameViewModelTests {
    private let form = NicknameRun()

    @Test("the nickname of before is no problem until a key is pressed, and cannot be saved")
    func untouched() {
        #expect(form.problems.all == [nil])
        #expect(form.canSave.all.last == false)
    }

    @Test(
        "a nickname that breaks a rule says so while typing, without asking the store",
        arguments: [
            ("M", CheckNickname.Verdict.tooShort), ("  ", .tooShort), ("01234567890", .tooLong),
            ("a\tb", .controlCharacter),
        ])
    func rules(text: String, verdict: CheckNickname.Verdict) {
        form.type(text, for: 500)
        #expect(form.problems.all.last == .verdict(verdict))
        #expect(form.canSave.all.last == false)
        #expect(form.calls == ["check Mina"])
    }

    @Test("a nickname is checked 300 ms after the last key, and only the newest answer counts")
    func debounce() {
        for text in ["Ju", "Jun", "June"] { form.type(text, for: 250) }
        form.type("Juno", for: 350)
        #expect(form.calls == ["check Mina", "check Juno"])
        form.type("Minah", for: 500)
        #expect(form.problems.all == [nil])
        #expect(form.canSave.all.last == true)
        #expect(form.isChecking.all.last == false)
    }

    @Test("a taken nickname cannot be saved")
    func taken() {
        form.type("Jun", for: 500)
        #expect(form.problems.all.last == .verdict(.taken))
        form.save(for: 150)
        #expect(form.calls == ["check Mina", "check Jun"])
    }

    @Test("two quick taps on save save once and close the form")
    func save() throws {
        form.type("Minah", for: 500)
        form.save(for: 10)
        #expect(form.canSave.all.last == false)
        form.save(for: 10)
        form.save(for: 150)
        #expect(form.calls.filter { $0.hasPrefix("save") } == ["save Minah"])
        let renamed = User(id: Person.mina.id, nickname: try Nickname("Minah"))
        #expect(form.events.all == [.notice(.done(.saved)), .close(.renamed(renamed))])
        #expect(form.isSaving.all == [false, true, false])
    }

    @Test("a tap on save while the form closes saves nothing")
    func saveWhileClosing() {
        form.type("Minah", for: 500)
        // The answer has arrived, and its event is on the way.
        form.save(for: 100)
        form.save(for: 150)
        #expect(form.calls.filter { $0.hasPrefix("save") } == ["save Minah"])
        #expect(form.events.all.count == 2 && form.isSaving.all == [false, true, false])
    }

    @Test("a nickname that cannot be saved says why until the next key, and a second try saves it")
    func failure() throws {
        form.type("Minah", for: 500)
        form.fail(with: .busy)
        form.save(for: 150)
        #expect(form.problems.all.last == .failed(.busy))
        #expect(form.events.all.isEmpty)
        form.fail(with: nil)
        form.save(for: 150)
        #expect(form.problems.all.last == .some(nil))
        let renamed = User(id: Person.mina.id, nickname: try Nickname("Minah"))
        #expect(form.events.all == [.notice(.done(.saved)), .close(.renamed(renamed))])
    }

    @Test("a nickname that cannot be checked says why and cannot be saved")
    func failedCheck() {
        form.fail(with: .busy)
        form.type("Minah", for: 500)
        #expect(form.problems.all.last == .failed(.busy))
        #expect(form.canSave.all.last == false)
    }

    @Test("a tap on save after a check that could not be made checks again, and saves")
    func repeatedCheck() {
        form.fail(with: .busy)
        form.type("Minah", for: 500)
        form.fail(with: nil)
        form.save(for: 250)
        #expect(form.calls == ["check Mina", "check Minah", "check Minah", "save Minah"])
        #expect(form.events.all.first == .notice(.done(.saved)))
    }

    @Test("a tap on save while the nickname is being checked saves it once, when the check has passed")
    func saveWhileChecking() {
        form.type("Minah", for: 50)
        form.save(for: 10)
        form.save(for: 600)
        #expect(form.calls == ["check Mina", "check Minah", "save Minah"])
    }

    @Test("signing in does not ask whether the nickname is taken, and says so when it is")
    func signIn() {
        let form = NicknameRun(isProfile: false)
        form.type("Jun", for: 10)
        #expect(form.canSave.all.last == true)
        form.fail(with: .conflict(.user(.init(seed: 2))))
        form.save(for: 150)
        #expect(form.problems.all.last == .verdict(.taken))
        form.fail(with: nil)
        form.type("June")
        form.save(for: 5)
        #expect(form.problems.all.last == .some(nil))
        form.pass(150)
        #expect(form.events.all == [.notice(.done(.signedIn)), .close(.signedIn)])
        // A tap right after the last key saves the new text.
        #expect(form.calls == ["save Jun", "save June"])
    }

    @Test("the back button closes the nickname form")
    func back() {
        form.goBack()
        #expect(form.events.all == [.close(nil)])
    }

    @Test("the back button does not close the form while the nickname is being saved")
    func backWhileSaving() {
        form.type("Minah", for: 500)
        form.fail(with: .busy)
        form.save(for: 50)
        form.goBack()
        form.pass(100)
        #expect(form.problems.all.last == .failed(.busy) && form.events.all.isEmpty)
        form.goBack()
        #expect(form.events.all == [.close(nil)])
    }

    @Test("every problem of a nickname has a text in every language")
    func texts() {
        let verdicts: [CheckNickname.Verdict] = [
            .unchanged, .tooShort, .tooLong, .controlCharacter, .taken, .available,
            .invalid(.init(.nickname, .mixedScripts)), .invalid(.init(.nickname, .unusableCharacter("\u{200B}"))),
        ]
        for language in Language.allCases {
            let texts = verdicts.map { NicknameProblem.verdict($0).text(in: language) }
            #expect(Set(texts).count == verdicts.count)
            #expect(!NicknameProblem.failed(.busy).text(in: language).isEmpty)
        }
    }

    @Test("the nickname form only composes")
    @MainActor
    func composes() {
        let (nickname, tapped) = (BehaviorRelay(value: "Mina"), PublishRelay<Void>())
        expectOnlyComposes(NicknameViewModel.signIn { _ in }) { inputs in
            .init(
                nickname: inputs.count(nickname.asObservable()), saveTapped: inputs.count(tapped.asObservable()),
                backTapped: inputs.count(tapped.asObservable()))
        }
    }
}
