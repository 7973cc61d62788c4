import Streams
import StreamsTesting
import TestReporting
import TestConcurrency
import Testing
import ViewModels
import ViewModelsTesting

private enum AccountProblem: Equatable {
    case short, young, taken, offline
}

/// A server that answers after 103 ms: `taken` for names that begin with "taken", and offline for the first questions about
/// names that begin with "off", as many as the digit behind it says.
private final class Server: Sendable {
    private let clock: VirtualClock
    private let questions = Mutexed<[String]>([])

    init(_ clock: VirtualClock) { self.clock = clock }

    var asked: [String] { questions.value }

    static let time = 103

    static func answer(_ name: String, time number: Int) -> AccountProblem? {
        if name.hasPrefix("taken") { return .taken }
        guard name.hasPrefix("off"), let failures = Int(name.dropFirst(3).prefix(1)) else { return nil }
        return number <= failures ? .offline : nil
    }

    func check(_ name: String) async -> AccountProblem? {
        questions.change { $0.append(name) }
        let number = questions.value.count { $0 == name }
        // A virtual clock throws only when the task is cancelled, and then the answer has no observer.
        try? await clock.sleep(for: .milliseconds(Self.time))
        return Self.answer(name, time: number)
    }
}

/// A form of three fields in virtual time: a nickname with a rule and a check, an age with a rule, a code with a check.
private final class AccountForm {
    let scheduler = TestScheduler(resolution: 0.001)
    let server: Server
    let nickname = PublishSubject<String>(), age = PublishSubject<Int>(), code = PublishSubject<String>()
    let taps = PublishSubject<Void>()
    let fields: FormFields<Fields, (String, Int, String)>
    private let submissions: TestableObserver<String>
    private var bag = DisposeBag()

    typealias Fields = (
        FormField<String, AccountProblem>.Output, FormField<Int, AccountProblem>.Output,
        FormField<String, AccountProblem>.Output
    )

    init() {
        let (scheduler, server) = (scheduler, Server(scheduler.virtualClock))
        self.server = server
        submissions = scheduler.createObserver(String.self)
        let named = FormField<String, AccountProblem>(ValidationRule(.short, unless: { $0.count >= 2 }))
            .checked(after: .milliseconds(300)) { await server.check($0) }
        let aged = FormField<Int, AccountProblem>(ValidationRule(.young, unless: { $0 >= 14 }))
        let coded = FormField<String, AccountProblem>().checked(after: .milliseconds(200)) { await server.check($0) }
        fields = SharingScheduler.mock(scheduler: scheduler) { [nickname, age, code, taps] in
            FormFields(
                submitted: taps, named.filled(by: nickname), aged.filled(by: age), coded.filled(by: code))
        }
        fields.submissions.map { "\($0) \($1) \($2)" }.subscribe(submissions).disposed(by: bag)
    }

    func at(_ tick: Int, _ body: @escaping @Sendable (_ form: AccountForm.Inputs) -> Void) {
        let inputs = Inputs(nickname: nickname, age: age, code: code, taps: taps)
        scheduler.scheduleAt(tick) { body(inputs) }
    }

    struct Inputs: Sendable {
        let nickname: PublishSubject<String>, age: PublishSubject<Int>, code: PublishSubject<String>
        let taps: PublishSubject<Void>
        func fill() {
            nickname.onNext("mina")
            age.onNext(20)
            code.onNext("x")
        }
    }

    /// What the form has submitted, with its ticks.
    func run() -> [String] {
        scheduler.run()
        bag = DisposeBag()
        scheduler.expectIdle()
        return submissions.events.compactMap { recorded in recorded.value.element.map { "\(recorded.time) \($0)" } }
    }
}

@Suite("Forms of several fields", .limitedConcurrency, .nothingSurvives)
struct FormFieldsTests {
    @Test("a form submits the newest values of all its fields, and only while all are valid")
    func submissions() {
        let form = AccountForm()
        form.at(10) { $0.fill() }
        form.at(500) { $0.age.onNext(7) }
        form.at(510) { $0.taps.onNext(()) }
        form.at(520) { $0.age.onNext(17) }
        form.at(530) { $0.taps.onNext(()) }
        form.at(540) { $0.age.onNext(18) }
        form.at(540) { $0.taps.onNext(()) }
        #expect(form.run() == ["530 mina 17 x", "540 mina 18 x"])
    }

    @Test("a submission waits for the checks that run, and submits once however often it was tapped")
    func waits() {
        let form = AccountForm()
        form.at(10) { $0.fill() }
        for tick in [20, 50, 320] { form.at(tick) { $0.taps.onNext(()) } }
        // The nickname is checked from 310, the code from 210, 103 ms each.
        #expect(form.run() == ["413 mina 20 x"])
    }

    @Test("what is typed while a submission waits is submitted")
    func typedWhileWaiting() {
        let form = AccountForm()
        form.at(10) { $0.fill() }
        form.at(20) { $0.taps.onNext(()) }
        form.at(100) { $0.age.onNext(30) }
        form.at(200) { $0.nickname.onNext("minho") }
        #expect(form.run() == ["603 minho 30 x"])
    }

    @Test("a problem withdraws a submission that waits, whether it is typed or a check finds it")
    func withdrawn() {
        let form = AccountForm()
        form.at(10) { $0.fill() }
        form.at(20) { $0.taps.onNext(()) }
        form.at(100) { $0.age.onNext(1) }
        form.at(110) { $0.age.onNext(21) }
        form.at(600) { $0.code.onNext("taken") }
        form.at(610) { $0.taps.onNext(()) }
        form.at(1_000) { $0.code.onNext("y") }
        #expect(form.run() == [])
    }

    @Test("after checks that could not be made, the next submission makes them again, and submits")
    func repeatedCheck() {
        let form = AccountForm()
        form.at(10) { $0.fill() }
        form.at(20) { $0.nickname.onNext("off1") }
        form.at(30) { $0.code.onNext("off2") }
        form.at(1_000) { $0.taps.onNext(()) }
        form.at(2_000) { $0.taps.onNext(()) }
        #expect(form.run() == ["2103 off1 20 off2"])
        #expect(form.server.asked.count { $0 == "off1" } == 2)
        #expect(form.server.asked.count { $0 == "off2" } == 3)
    }

    @Test("a submission shows the problems of all fields")
    @MainActor
    func problems() {
        let taps = PublishRelay<Void>()
        let short = FormField<String, AccountProblem>(ValidationRule(.short, unless: { $0.count >= 2 }))
        let young = FormField<Int, AccountProblem>(ValidationRule(.young, unless: { $0 >= 14 }))
        let left = PublishRelay<Void>()
        let form = FormFields(
            submitted: taps.asObservable(), short.filled(by: .just("a")),
            young.filled(by: .just(1), left: left.asObservable()))
        let problems = (Received(form.fields.0.problem), Received(form.fields.1.problem))
        left.accept(())
        #expect(problems.0.elements == [nil] && problems.1.elements == [nil, .young])
        taps.accept(())
        #expect(problems.0.elements == [nil, .short] && problems.1.elements == [nil, .young])
    }

    @Test("a form tells whether all fields are valid, whether a check runs, and whether submitting may succeed")
    func drivers() {
        let form = AccountForm()
        let observer = form.scheduler.createObserver(String.self)
        let bag = DisposeBag()
        SharingScheduler.mock(scheduler: form.scheduler) {
            let (valid, checking, submittable) = (form.fields.isValid, form.fields.isChecking, form.fields.canSubmit)
            Observable.merge(
                valid.asObservable().map { "valid \($0)" }, checking.asObservable().map { "checking \($0)" },
                submittable.asObservable().map { "submittable \($0)" }
            )
            .subscribe(observer).disposed(by: bag)
        }
        form.at(10) { $0.fill() }
        form.at(600) { $0.nickname.onNext("taken") }
        form.at(1_200) { $0.age.onNext(1) }
        withExtendedLifetime(bag) { _ = form.run() }
        // The scheduler delivers to the main actor one tick later.
        #expect(
            observer.events.compactMap { event in event.value.element.map { "\(event.time - 1) \($0)" } } == [
                "10 valid false", "10 checking true", "10 submittable true", "413 valid true", "413 checking false",
                "600 valid false", "600 checking true", "1003 checking false", "1200 submittable false",
            ])
    }

    @Test("a form of one field submits its value, and waits for its check")
    func oneField() {
        let scheduler = TestScheduler(resolution: 0.001)
        let name = scheduler.createHotObservable([.next(210, "mina")]),
            taps = scheduler.createHotObservable([.next(220, ())])
        let submitted = SharingScheduler.mock(scheduler: scheduler) {
            scheduler.start {
                let form = FormFields(
                    submitted: taps.asObservable(),
                    FormField<String, AccountProblem>().checked(after: .milliseconds(100)) { _ in nil }
                        .filled(by: name.asObservable()))
                return form.submissions
            }
        }
        #expect(submitted.events == [.next(310, "mina")])
    }

    @Test("a form submits nothing for a tap that came before each field had a value, or before it was bound")
    func earlyTaps() {
        let form = AccountForm()
        form.at(5) { $0.taps.onNext(()) }
        form.at(10) { $0.fill() }
        let late = form.scheduler.createObserver(Int.self)
        let bag = DisposeBag()
        let submissions = form.fields.submissions
        form.at(500) { $0.taps.onNext(()) }
        form.scheduler.scheduleAt(600) { submissions.map { $0.1 }.subscribe(late).disposed(by: bag) }
        #expect(withExtendedLifetime(bag) { form.run() } == ["500 mina 20 x"])
        #expect(late.events.isEmpty)
    }

    @Test("the outputs of a form and of its fields share one subscription to each input")
    @MainActor
    func subscriptions() {
        let name = CountedStream(Observable.just("mina")), age = CountedStream(Observable.just(20))
        let taps = PublishRelay<Void>(), counted = CountedStream(taps.asObservable())
        let form = FormFields(
            submitted: counted.stream, FormField<String, AccountProblem>().filled(by: name.stream),
            FormField<Int, AccountProblem>().filled(by: age.stream))
        #expect(counted.subscriptions == 0)
        let received = (Received(form.fields.0.state), Received(form.fields.1.problem), Received(form.canSubmit))
        let submitted = Received(form.submissions.map { "\($0) \($1)" }.asSignal(onErrorSignalWith: .empty()))
        withExtendedLifetime(received) { taps.accept(()) }
        #expect(submitted.elements == ["mina 20"])
        #expect((name.subscriptions, age.subscriptions, counted.subscriptions) == (1, 1, 1))
    }

    @Test("a form ends when its inputs have ended and no check runs")
    func completion() {
        let scheduler = TestScheduler(resolution: 0.001)
        let ended = SharingScheduler.mock(scheduler: scheduler) {
            scheduler.start {
                let field = FormField<String, AccountProblem>().checked(after: .milliseconds(100)) { _ in nil }
                let form = FormFields(
                    submitted: .empty(), field.filled(by: .just("mina"), left: .empty()),
                    field.filled(by: .just("jun"), left: .empty()))
                return Observable.merge(
                    form.fields.0.state.asObservable().map { "\($0.isValid)" },
                    form.submissions.map { "\($0)" })
            }
        }
        #expect(ended.events.last?.value == .completed)
        #expect((ended.events.last?.time ?? 0) >= 300)
    }

    @Test(
        "a form whose inputs come from several threads submits valid values, at most once for each tap",
        arguments: 0..<4)
    func threads(seed: Int) {
        for _ in 0..<50 {
            let name = BehaviorSubject(value: "mina"), age = BehaviorSubject(value: 20), taps = PublishSubject<Void>()
            let form = FormFields(
                submitted: taps,
                FormField<String, AccountProblem>(ValidationRule(.short, unless: { $0.count >= 2 })).filled(by: name),
                FormField<Int, AccountProblem>(ValidationRule(.young, unless: { $0 >= 14 })).filled(by: age))
            let submitted = Mutexed<[String]>([])
            let subscription = form.submissions.subscribe(onNext: { name, age in
                submitted.change { $0.append(name.count >= 2 && age >= 14 ? "" : "\(name) \(age)") }
            })
            onThreads(3) { thread in
                for number in 0..<40 {
                    switch thread {
                    case 0: name.onNext(number.isMultiple(of: 3) ? "a" : "name \(number)")
                    case 1: age.onNext(number)
                    default: taps.onNext(())
                    }
                }
            }
            name.onNext("jun")
            age.onNext(30)
            let before = submitted.value.count
            taps.onNext(())
            subscription.dispose()
            #expect(submitted.value.allSatisfy { $0 == "" })
            #expect(before <= 40 && submitted.value.count == before + 1)
        }
    }

    // MARK: Random forms

    /// One field of the model: what it shows, and when its check answers.
    private struct ModelField {
        enum Status { case valid, checking, refused, broken }
        let delay: Int?
        var value: String?
        var status = Status.valid
        var due: (begin: Int, end: Int)?

        mutating func type(_ value: String, at tick: Int, isBroken: Bool) {
            if value == self.value { return }
            self.value = value
            due = nil
            status = isBroken ? .broken : .valid
            guard !isBroken, let delay else { return }
            status = .checking
            due = (tick + delay, tick + delay + Server.time)
        }

        mutating func tap(at tick: Int) {
            guard status == .refused else { return }
            status = .checking
            due = (tick, tick + Server.time)
        }
    }

    private enum Input { case nickname(String), age(Int), code(String), tap }

    /// What a form submits, found by stepping through each tick.
    private func model(_ inputs: [(tick: Int, input: Input)]) -> [String] {
        var fields = [ModelField(delay: 300), ModelField(delay: nil), ModelField(delay: 200)]
        var asked: [String: Int] = [:], numbers: [Int: Int] = [:]
        var (isPending, submitted): (Bool, [String]) = (false, [])
        func settle(at tick: Int) {
            guard isPending else { return }
            if fields.contains(where: { $0.status == .broken || $0.status == .refused }) {
                isPending = false
            } else if fields.allSatisfy({ $0.status == .valid }) {
                isPending = false
                submitted.append("\(tick) " + fields.map { $0.value ?? "" }.joined(separator: " "))
            }
        }
        for tick in 0..<(inputs.last?.tick ?? 0) + 1_000 {
            for index in fields.indices {
                if let due = fields[index].due, due.end == tick {
                    fields[index].due = nil
                    let isRefused = Server.answer(fields[index].value ?? "", time: numbers[index] ?? 0) != nil
                    fields[index].status = isRefused ? .refused : .valid
                    settle(at: tick)
                }
            }
            for (_, input) in inputs.filter({ $0.tick == tick }) {
                switch input {
                case .nickname(let name): fields[0].type(name, at: tick, isBroken: name.count < 2)
                case .age(let age): fields[1].type("\(age)", at: tick, isBroken: age < 14)
                case .code(let code): fields[2].type(code, at: tick, isBroken: false)
                case .tap:
                    for index in fields.indices { fields[index].tap(at: tick) }
                    isPending = fields.allSatisfy { $0.value != nil }
                }
                settle(at: tick)
            }
            for index in fields.indices {
                if let due = fields[index].due, due.begin == tick, let value = fields[index].value {
                    asked[value, default: 0] += 1
                    numbers[index] = asked[value]
                }
            }
        }
        return submitted
    }

    @Test("a form equals a simple model for random typing, taps and answers", arguments: 0..<20)
    func random(batch: Int) {
        for number in 0..<10 {
            let seed = UInt64(batch * 10 + number)
            var draw = SeededGenerator(seed: seed)
            var tick = 0
            let names = ["a", "mina", "jun", "taken1", "off1", "off2"], codes = ["x", "y", "taken2", "off1x", "off3x"]
            var inputs: [(tick: Int, input: Input)] = []
            for _ in 0..<Int.random(in: 3...30, using: &draw) {
                // Steps of 10, so that no answer, which takes 103, falls on an input.
                tick += 10 * Int.random(in: 1...(Bool.random(using: &draw) ? 5 : 60), using: &draw)
                let input: Input =
                    switch Int.random(in: 0..<6, using: &draw) {
                    case 0: .nickname(names.randomElement(using: &draw) ?? "")
                    case 1: .age(Int.random(in: 10...20, using: &draw))
                    case 2: .code(codes.randomElement(using: &draw) ?? "")
                    default: .tap
                    }
                inputs.append((tick, input))
            }
            let form = AccountForm()
            for (tick, input) in inputs {
                form.at(tick) { form in
                    switch input {
                    case .nickname(let name): form.nickname.onNext(name)
                    case .age(let age): form.age.onNext(age)
                    case .code(let code): form.code.onNext(code)
                    case .tap: form.taps.onNext(())
                    }
                }
            }
            #expect(form.run() == model(inputs), "seed \(seed): \(inputs)")
        }
    }
}
