import Dispatch
import Streams
import StreamsTesting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

enum NicknameProblem: Error, Equatable {
    case tooShort, tooLong, taken
}

/// A form with a nickname in virtual time: typed values at given ticks, and the shown states.
private final class NicknameForm {
    let scheduler = TestScheduler(resolution: 0.001)
    let asked: TestableObserver<String>
    private let typed = PublishSubject<String>()
    private let left = PublishSubject<Void>()
    private let submitted = PublishSubject<Void>()
    private var bag = DisposeBag()
    private let observer: TestableObserver<FormFieldState<String, NicknameProblem>>
    private let submissions: TestableObserver<String>

    init(asksServer: Bool = false) {
        let (scheduler, asked) = (scheduler, scheduler.createObserver(String.self))
        self.asked = asked
        observer = scheduler.createObserver(FormFieldState<String, NicknameProblem>.self)
        submissions = scheduler.createObserver(String.self)
        var field = FormField<String, NicknameProblem>(
            ValidationRule(.tooShort, unless: { $0.count >= 2 }),
            ValidationRule { $0.count > 5 ? .tooLong : nil })
        if asksServer {
            let clock = scheduler.virtualClock
            field = field.checked(after: .milliseconds(300)) { name in
                asked.onNext(name)
                // A virtual clock throws only when the task is cancelled, and then the answer has no observer.
                try? await clock.sleep(for: .milliseconds(name == "slow" ? 500 : 100))
                return name.hasPrefix("ann") ? .taken : nil
            }
        }
        SharingScheduler.mock(scheduler: scheduler) {
            let output = field.transform(.init(value: typed, touched: left, submitted: submitted))
            output.state.asObservable().subscribe(observer).disposed(by: bag)
            output.submissions.subscribe(submissions).disposed(by: bag)
        }
    }

    func type(_ text: String, at tick: Int) { scheduler.scheduleAt(tick) { [typed] in typed.onNext(text) } }
    func leave(at tick: Int) { scheduler.scheduleAt(tick) { [left] in left.onNext(()) } }
    func submit(at tick: Int) { scheduler.scheduleAt(tick) { [submitted] in submitted.onNext(()) } }

    /// The submitted values with their ticks.
    var submittedValues: [String] {
        submissions.events.compactMap { recorded in recorded.value.element.map { "\(recorded.time) \($0)" } }
    }

    /// Runs to the end and returns the shown states with their ticks: the value, its validity, and the shown problem.
    ///
    /// The scheduler delivers to the main actor one tick later; the recorded ticks are those of the cause.
    func run() -> [String] {
        scheduler.run()
        bag = DisposeBag()
        scheduler.expectIdle()
        return observer.events.compactMap { recorded in
            recorded.value.element.map { state in
                let validity = state.isValid ? "valid" : state.isChecking ? "checking" : "invalid"
                let problem = state.problem.map { ", \($0)" } ?? ""
                return "\(recorded.time - 1) \(state.value) \(validity)\(problem)"
            }
        }
    }
}

@Suite("Form fields", .limitedConcurrency, .nothingSurvives)
struct FormFieldTests {
    @Test("a form field submits its newest value, and only while it is valid")
    func submissions() {
        let form = NicknameForm(asksServer: true)
        form.type("mina", at: 10)
        form.submit(at: 20)
        form.submit(at: 500)
        form.type("jun", at: 600)
        form.submit(at: 600)
        form.submit(at: 1_100)
        form.type("a", at: 1_200)
        form.submit(at: 1_200)
        form.submit(at: 1_300)
        _ = form.run()
        #expect(form.submittedValues == ["500 mina", "1100 jun"])
    }

    @Test("a form field shows its problem after it was left, and then at each change")
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

    @Test("submitting a form shows the problems of untouched fields")
    func submitted() {
        let form = NicknameForm()
        form.type("", at: 10)
        form.submit(at: 20)
        form.submit(at: 30)
        #expect(form.run() == ["10  invalid", "20  invalid, tooShort"])
    }

    @Test(
        "a form field shows the problem of the first broken rule",
        arguments: [("a", NicknameProblem.tooShort), ("annabel", .tooLong), ("bob", .taken)])
    @MainActor
    func order(value: String, problem: NicknameProblem) {
        let field = FormField<String, NicknameProblem>(
            ValidationRule(.tooShort, unless: { $0.count >= 2 }), ValidationRule(.tooLong, unless: { $0.count <= 5 }),
            ValidationRule { _ in .taken })
        let output = field.transform(.init(value: .just(value), touched: .just(())))
        #expect(Received(output.problem).elements.last == problem)
    }

    @Test("an equal value of a form field has no effect")
    func sameValue() {
        let form = NicknameForm(asksServer: true)
        form.type("bob", at: 10)
        form.type("bob", at: 200)
        #expect(form.run() == ["10 bob checking", "410 bob valid"])
    }

    @Test("a form field checks a value that stayed unchanged for the delay, and only if no rule is broken")
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

    @Test("a form field ignores late answers for earlier values")
    func newestWins() {
        let form = NicknameForm(asksServer: true)
        form.type("slow", at: 10)
        form.type("bob", at: 400)
        #expect(form.run() == ["10 slow checking", "400 bob checking", "800 bob valid"])
        #expect(form.asked.events.compactMap(\.value.element) == ["slow", "bob"])
        #expect(form.scheduler.pending.tasks.isEmpty)
    }

    @Test("submitting repeats a check that has found a problem, without its delay")
    func repeatedCheck() {
        let form = NicknameForm(asksServer: true)
        form.type("ann", at: 10)
        form.submit(at: 500)
        form.submit(at: 550)
        form.type("a", at: 700)
        form.submit(at: 710)
        form.type("bob", at: 800)
        form.submit(at: 1_300)
        form.submit(at: 1_310)
        #expect(
            form.run() == [
                "10 ann checking", "410 ann invalid", "500 ann checking", "600 ann invalid, taken",
                "700 a invalid, tooShort", "800 bob checking", "1200 bob valid",
            ])
        #expect(form.asked.events.compactMap(\.value.element) == ["ann", "ann", "bob"])
        #expect(form.submittedValues == ["1300 bob", "1310 bob"])
    }

    @Test("submitting does not repeat a check whose problem is final")
    func finalProblem() {
        let asked = Mutexed(0)
        let scheduler = TestScheduler(resolution: 0.001)
        let taps = scheduler.createHotObservable([.next(400, ()), .next(600, ())])
        let problems = SharingScheduler.mock(scheduler: scheduler) {
            scheduler.start {
                FormField<String, NicknameProblem>()
                    .checked(after: .milliseconds(100), repeatedAfter: { $0 != .taken }) { _ in
                        asked.change { $0 += 1 }
                        return asked.value == 1 ? .tooLong : .taken
                    }
                    .transform(.init(value: .just("mina"), submitted: taps.asObservable())).problem
            }
        }
        #expect(asked.value == 2)
        #expect(problems.events.last?.value.element == .taken)
    }

    @Test("a form field ends when its inputs have ended and no check runs", arguments: [true, false])
    func completion(isChecked: Bool) {
        let scheduler = TestScheduler(resolution: 0.001)
        let ended = SharingScheduler.mock(scheduler: scheduler) {
            scheduler.start {
                var field = FormField<String, NicknameProblem>()
                if isChecked { field = field.checked(after: .milliseconds(100)) { _ in .taken } }
                return field.transform(.init(value: .just("mina"), touched: .just(()), submitted: .empty())).submissions
            }
        }
        #expect(ended.events == [.completed(isChecked ? 300 : 200)])
    }

    @Test("the drivers of a form field emit changes only, and together subscribe to each input once")
    @MainActor
    func drivers() {
        let value = BehaviorRelay(value: "a")
        let taps = PublishRelay<Void>()
        let field = FormField<String, NicknameProblem>(ValidationRule(.tooShort, unless: { $0.count >= 2 }))
        let counted = CountedStream(value.asObservable())
        let output = field.transform(.init(value: counted.stream, submitted: taps.asObservable()))
        #expect(counted.subscriptions == 0)
        let isValid = Received(output.isValid)
        let problem = Received(output.problem)
        let isChecking = Received(output.isChecking)
        #expect(counted.subscriptions == 1)
        for text in ["b", "bo", "bob"] { value.accept(text) }
        taps.accept(())
        value.accept("")
        #expect(isValid.elements == [false, true, false])
        #expect(problem.elements == [nil, .tooShort])
        #expect(isChecking.elements == [false])
    }

    @Test("a rule that tries an initializer has its error as the problem")
    func triedRule() {
        struct Nickname {
            init(_ text: String) throws(NicknameProblem) {
                if text.count < 2 { throw .tooShort }
                if text.count > 5 { throw .tooLong }
            }
        }
        let rule = ValidationRule(trying: Nickname.init)
        #expect(["a", "ann", "annabel"].map(rule.problem) == [.tooShort, nil, .tooLong])
    }
}
