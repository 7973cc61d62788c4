import Dispatch
import Streams
import StreamsTesting
import TestTurns
import Testing
import ViewModels
import ViewModelsTesting

enum NicknameProblem: Equatable {
    case tooShort, tooLong, taken
}

/// A form with a nickname in virtual time: what is typed at which tick, and what shows.
private final class NicknameForm {
    let scheduler = TestScheduler(resolution: 0.001)
    let asked: TestableObserver<String>
    private let typed = PublishSubject<String>()
    private let left = PublishSubject<Void>()
    private let submitted = PublishSubject<Void>()
    private var bag = DisposeBag()
    private let observer: TestableObserver<FormFieldState<String, NicknameProblem>>

    init(asksServer: Bool = false) {
        let (scheduler, asked) = (scheduler, scheduler.createObserver(String.self))
        self.asked = asked
        observer = scheduler.createObserver(FormFieldState<String, NicknameProblem>.self)
        var field = FormField<String, NicknameProblem>(
            ValidationRule(.tooShort, unless: { $0.count >= 2 }),
            ValidationRule { $0.count > 5 ? .tooLong : nil })
        if asksServer {
            let clock = scheduler.virtualClock
            field = field.checked(after: .milliseconds(300)) { name in
                asked.onNext(name)
                // A virtual clock throws only when the task is cancelled, and then no one hears the answer.
                try? await clock.sleep(for: .milliseconds(name == "slow" ? 500 : 100))
                return name.hasPrefix("ann") ? .taken : nil
            }
        }
        SharingScheduler.mock(scheduler: scheduler) {
            let output = field.transform(.init(value: typed, touched: left, submitted: submitted))
            output.state.asObservable().subscribe(observer).disposed(by: bag)
        }
    }

    func type(_ text: String, at tick: Int) { scheduler.scheduleAt(tick) { [typed] in typed.onNext(text) } }
    func leave(at tick: Int) { scheduler.scheduleAt(tick) { [left] in left.onNext(()) } }
    func submit(at tick: Int) { scheduler.scheduleAt(tick) { [submitted] in submitted.onNext(()) } }

    /// Runs to the end and tells what showed and when: the value, its validity, and the problem that is told.
    ///
    /// The scheduler delivers to the main actor's place a tick later; ticks are told as of the cause.
    func run() -> [String] {
        scheduler.run()
        bag = DisposeBag()
        scheduler.expectIdle()
        return observer.events.compactMap { recorded in
            recorded.value.element.map { state in
                let validity = state.isValid ? "valid" : state.isChecking ? "checking" : "invalid"
                let told = state.problem.map { ", \($0)" } ?? ""
                return "\(recorded.time - 1) \(state.value) \(validity)\(told)"
            }
        }
    }
}

@Suite("Form fields", .takesTurns, .nothingSurvives)
struct FieldTests {
    @Test("what is wrong is told once the field was left, and from then on as one types")
    func touched() {
        let form = NicknameForm()
        form.type("a", at: 10)
        form.leave(at: 20)
        form.type("an", at: 30)
        form.type("annabel", at: 40)
        #expect(
            form.run() == [
                "10 a invalid", "20 a invalid, tooShort", "30 an valid", "40 annabel invalid, tooLong",
            ])
    }

    @Test("trying to send the form tells what is wrong with fields that were never touched")
    func submitted() {
        let form = NicknameForm()
        form.type("", at: 10)
        form.submit(at: 20)
        form.submit(at: 30)
        #expect(form.run() == ["10  invalid", "20  invalid, tooShort"])
    }

    @Test(
        "the first rule that is broken says what is wrong",
        arguments: [("a", NicknameProblem.tooShort), ("annabel", .tooLong), ("bob", .taken)])
    @MainActor
    func order(value: String, problem: NicknameProblem) {
        let field = FormField<String, NicknameProblem>(
            ValidationRule(.tooShort, unless: { $0.count >= 2 }), ValidationRule(.tooLong, unless: { $0.count <= 5 }),
            ValidationRule { _ in .taken })
        let output = field.transform(.init(value: .just(value), touched: .just(())))
        #expect(Heard(output.problem).elements.last == problem)
    }

    @Test("a value that comes once more changes nothing")
    func sameValue() {
        let form = NicknameForm(asksServer: true)
        form.type("bob", at: 10)
        form.type("bob", at: 200)
        #expect(form.run() == ["10 bob checking", "410 bob valid"])
    }

    @Test("the server is asked once the value has stayed as it is for a while, and only if no rule is broken")
    func debounced() {
        let form = NicknameForm(asksServer: true)
        for (tick, text) in [(10, "a"), (100, "an"), (200, "ann"), (300, "anna"), (900, "annabel")] {
            form.type(text, at: tick)
        }
        form.leave(at: 0)
        #expect(
            form.run() == [
                "10 a invalid, tooShort", "100 an checking", "200 ann checking", "300 anna checking",
                "700 anna invalid, taken", "900 annabel invalid, tooLong",
            ])
        #expect(form.asked.events == [.next(600, "anna")])
    }

    @Test("only the newest value's answer counts, however late an older one comes")
    func newestWins() {
        let form = NicknameForm(asksServer: true)
        form.type("slow", at: 10)
        form.type("bob", at: 400)
        #expect(form.run() == ["10 slow checking", "400 bob checking", "800 bob valid"])
        #expect(form.asked.events.compactMap(\.value.element) == ["slow", "bob"])
        #expect(form.scheduler.pending.tasks.isEmpty)
    }

    @Test("each driver says changes only, and all of them together subscribe each input once")
    @MainActor
    func drivers() {
        let value = BehaviorRelay(value: "a")
        let taps = PublishRelay<Void>()
        let field = FormField<String, NicknameProblem>(ValidationRule(.tooShort, unless: { $0.count >= 2 }))
        let counted = CountedStream(value.asObservable())
        let output = field.transform(.init(value: counted.stream, submitted: taps.asObservable()))
        #expect(counted.subscriptions == 0)
        let isValid = Heard(output.isValid)
        let problem = Heard(output.problem)
        let isChecking = Heard(output.isChecking)
        #expect(counted.subscriptions == 1)
        for text in ["b", "bo", "bob"] { value.accept(text) }
        taps.accept(())
        value.accept("")
        #expect(isValid.elements == [false, true, false])
        #expect(problem.elements == [nil, .tooShort])
        #expect(isChecking.elements == [false])
    }

    @Test("a form is valid when every one of its fields is, whatever their types and however many")
    @MainActor
    func allFields() {
        let name = BehaviorRelay(value: "")
        let age = BehaviorRelay(value: 0)
        let agreed = BehaviorRelay(value: false)
        let nameField = FormField<String, NicknameProblem>(ValidationRule(.tooShort, unless: { $0.count >= 2 }))
            .transform(.init(value: name.asObservable()))
        let ageField = FormField<Int, String>(ValidationRule("too young", unless: { $0 >= 14 }))
            .transform(.init(value: age.asObservable()))
        let agreedField = FormField<Bool, String>(ValidationRule("not agreed", unless: { $0 }))
            .transform(.init(value: agreed.asObservable()))
        let others = (0..<9).map { _ in FormField<Int, Never>().transform(.init(value: .just(1))) }
        let heard = Heard(
            allValid(
                nameField, ageField, agreedField, others[0], others[1], others[2], others[3], others[4], others[5],
                others[6], others[7], others[8]))
        name.accept("bob")
        age.accept(20)
        #expect(heard.elements == [false])
        agreed.accept(true)
        age.accept(21)
        age.accept(3)
        #expect(heard.elements == [false, true, false])
    }

    @Test("a form without fields is valid")
    @MainActor
    func noFields() {
        #expect(Heard(allValid()).elements == [true])
    }
}
