import StreamsTesting
import Synchronization
import Testing
import TravelDomainTesting
import TravelPresentation
import ViewModelsTesting

/// What a form with a password does, which takes 100 ms of virtual time.
private final class PasswordWork: Sendable {
    private let clock: VirtualClock
    private let state = Mutex((calls: [String](), failure: TravelError?.none))

    init(_ clock: VirtualClock) { self.clock = clock }

    var calls: [String] { state.withLock { $0.calls } }
    func fail(with failure: TravelError?) { state.withLock { $0.failure = failure } }

    func perform(_ call: String) async throws {
        state.withLock { $0.calls.append(call) }
        try await clock.sleep(for: .milliseconds(100))
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    var signIn: PasswordViewModel { .signIn { try await self.perform("\($0): \($1.text)") } }
    var accountDeletion: PasswordViewModel { .accountDeletion { try await self.perform($0.text) } }
}

@Suite("The form with the password of an account on a server")
struct PasswordViewModelTests {
    private let scheduler = TestScheduler(resolution: 0.001)
    private let nickname = BehaviorRelay(value: "Mina")
    private let password = BehaviorRelay(value: "")
    private let submitTapped = PublishRelay<Void>()
    private let backTapped = PublishRelay<Void>()
    private let bag = DisposeBag()
    private let work: PasswordWork

    init() {
        work = PasswordWork(scheduler.virtualClock)
    }

    private struct Outputs {
        let problem: Recorder<ScreenFailure?>
        let canSubmit: Recorder<Bool>
        let isWorking: Recorder<Bool>
        let events: Recorder<ScreenEvent>
    }

    private func start(_ form: PasswordViewModel) -> Outputs {
        SharingScheduler.mock(scheduler: scheduler) {
            let output = form.transform(
                .init(
                    nickname: nickname.asObservable(), password: password.asObservable(),
                    submitTapped: submitTapped.asObservable(), backTapped: backTapped.asObservable()))
            let outputs = scheduler.perform {
                Outputs(
                    problem: output.problem.recorded(bag), canSubmit: output.canSubmit.recorded(bag),
                    isWorking: output.isWorking.recorded(bag), events: output.events.recorded(bag))
            }
            scheduler.advance(by: .milliseconds(10))
            return outputs
        }
    }

    private func perform(for milliseconds: Int = 10, _ body: () -> Void) {
        scheduler.perform(body)
        scheduler.advance(by: .milliseconds(milliseconds))
    }

    @Test("signing in needs both texts, happens once however often it is tapped, and closes the form")
    func signsIn() {
        let form = start(work.signIn)
        perform { submitTapped.accept(()) }
        #expect(form.canSubmit.all == [false])
        #expect(work.calls == [])
        perform { password.accept("open sesame") }
        #expect(form.canSubmit.all == [false, true])
        perform { submitTapped.accept(()) }
        perform(for: 200) { submitTapped.accept(()) }
        #expect(work.calls == ["Mina: open sesame"])
        #expect(form.isWorking.all == [false, true, false])
        #expect(form.canSubmit.all == [false, true, false, true])
        #expect(form.events.all == [.notice(.done(.signedIn)), .close(.signedIn)])
        #expect(form.problem.all == [nil])
    }

    @Test("a tap while the form closes does nothing")
    func tapWhileClosing() {
        let form = start(work.signIn)
        perform { password.accept("open sesame") }
        // The answer has arrived, and its event is on the way.
        perform(for: 100) { submitTapped.accept(()) }
        perform(for: 200) { submitTapped.accept(()) }
        #expect(work.calls == ["Mina: open sesame"])
        #expect(form.events.all.count == 2 && form.isWorking.all == [false, true, false])
    }

    @Test("a wrong password, or a server that does not answer, stays beside the field until the next key")
    func failures() {
        let form = start(work.signIn)
        perform { password.accept("open says me") }
        for failure in [TravelError.wrongCredentials, .unavailable(.init("It does not answer.", canRetry: true))] {
            work.fail(with: failure)
            perform(for: 200) { submitTapped.accept(()) }
            #expect(form.problem.all.last == .some(.domain(failure)))
            perform { password.accept(password.value + "!") }
            #expect(form.problem.all.last == .some(nil))
        }
        #expect(form.events.all == [])
        work.fail(with: nil)
        perform(for: 200) { submitTapped.accept(()) }
        #expect(form.events.all.last == .close(.signedIn))
    }

    @Test("a text that cannot be a password is a problem, and is not sent")
    func rules() {
        let form = start(work.signIn)
        perform { password.accept("short") }
        perform(for: 200) { submitTapped.accept(()) }
        #expect(form.problem.all.last == .some(.domain(.invalid(.init(.password, .tooShort(minimum: 8))))))
        #expect(work.calls == [])
    }

    @Test("an account is deleted with the password alone; going back does nothing")
    func deletesAccount() {
        let form = start(work.accountDeletion)
        perform { nickname.accept("") }
        perform { backTapped.accept(()) }
        #expect(form.events.all == [.close(nil)])
        perform { password.accept("open sesame") }
        perform(for: 200) { submitTapped.accept(()) }
        #expect(work.calls == ["open sesame"])
        #expect(form.events.all == [.close(nil), .notice(.done(.accountDeleted)), .close(nil)])
    }

    @Test("going back cancels signing in")
    func backWhileSigningIn() {
        let form = start(work.signIn)
        perform { password.accept("open sesame") }
        perform(for: 50) { submitTapped.accept(()) }
        perform { backTapped.accept(()) }
        #expect(form.events.all == [.close(nil)])
    }

    @Test("going back does not close the form while the account is being deleted")
    func backWhileDeleting() {
        let form = start(work.accountDeletion)
        perform { password.accept("open says me") }
        work.fail(with: .wrongCredentials)
        perform(for: 50) { submitTapped.accept(()) }
        perform(for: 100) { backTapped.accept(()) }
        #expect(form.events.all == [] && form.problem.all.last == .some(.wrongPassword))
        perform { backTapped.accept(()) }
        #expect(form.events.all == [.close(nil)])
    }

    @Test("where only the password is asked for, only the password is wrong")
    func wrongPassword() {
        let form = start(work.accountDeletion)
        perform { nickname.accept("") }
        perform { password.accept("open says me") }
        work.fail(with: .wrongCredentials)
        perform(for: 200) { submitTapped.accept(()) }
        #expect(form.problem.all.last == .some(.wrongPassword))
    }

    @Test("the form only composes")
    @MainActor
    func composes() {
        expectOnlyComposes(work.signIn) { inputs in
            .init(
                nickname: inputs.count(nickname.asObservable()), password: inputs.count(password.asObservable()),
                submitTapped: inputs.count(submitTapped.asObservable()),
                backTapped: inputs.count(backTapped.asObservable()))
        } whileBound: {
            backTapped.accept(())
        }
    }
}
