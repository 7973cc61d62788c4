public import Streams

/// A field of a form: validates its value on each change, and shows the problem, if any.
///
/// - The first broken rule determines the problem; the asynchronous check runs only if no rule is broken.
/// - No problem is shown before the person has left the field or submitted the form; from then on it follows each
///   change of the value.
/// - A value that equals the previous one has no effect.
/// - Submitting repeats a check that has found a problem, without its delay: it may not have reached its server.
///
/// ```swift
/// let nickname = FormField<String, NicknameProblem>(
///     ValidationRule(.tooShort, unless: { $0.count >= 2 }),
///     ValidationRule(.tooLong, unless: { $0.count <= 10 })
/// )
/// .checked(after: .milliseconds(300)) { await isTaken($0) ? .taken : nil }
/// .transform(.init(value: input.nickname, touched: input.nicknameLeft, submitted: input.saveTapped))
///
/// let outcomes = nickname.submissions.flatMapFirst { save($0).materialize() }.share()
/// return Output(
///     nicknameProblem: nickname.problem,                // shown beside the field
///     canSave: nickname.isValid,
///     saved: outcomes.elements().asSignal(),
///     failure: outcomes.errors().asSignal())
/// ```
///
/// A form that fails to save stays usable, because `materialize` turns the error into an element where the work is: an error
/// that reaches `asSignal` would end the output. ``FormFields`` combines several fields into one submission.
public struct FormField<Value: Equatable & Sendable, Problem: Equatable & Sendable>: ViewModel {
    public struct Input: Sendable {
        /// The value, beginning with the current one.
        public let value: Observable<Value>
        /// Emits when the person leaves the field: its problem is shown from then on.
        public let touched: Observable<Void>
        /// Emits when the person submits the form: problems are shown, and a valid value is submitted.
        public let submitted: Observable<Void>

        public init(
            value: Observable<Value>, touched: Observable<Void> = .never(), submitted: Observable<Void> = .never()
        ) {
            self.value = value
            self.touched = touched
            self.submitted = submitted
        }
    }

    /// The outputs share one subscription to each input, however many of them are bound.
    public struct Output: Sendable {
        /// The whole state of the field: value, validity, and whether it was touched.
        public let state: Driver<FormFieldState<Value, Problem>>
        /// Emits the value each time the person submits the form while the value is valid, on the thread that emits the
        /// submission.
        ///
        /// Unlike the drivers, which emit later on the main actor, it always uses the newest value: a submission that
        /// immediately follows a change never emits the previous value. It does not wait for a check that runs:
        /// ``FormFields`` does.
        public let submissions: Observable<Value>
        let progress: Observable<FieldProgress<Value, Problem>>

        /// Whether the value may be submitted: every rule and check holds.
        public var isValid: Driver<Bool> { state.map(\.isValid).distinctUntilChanged() }
        /// Whether the asynchronous check of the newest value is pending or running.
        public var isChecking: Driver<Bool> { state.map(\.isChecking).distinctUntilChanged() }
        /// The problem to show beside the field.
        public var problem: Driver<Problem?> { state.map(\.problem).distinctUntilChanged() }
    }

    private let rules: [ValidationRule<Value, Problem>]
    private var check: (@Sendable (FieldRun<Value, Problem>.Check, any SchedulerType) -> Observable<Problem?>)?
    private var repeatsCheck: @Sendable (Problem) -> Bool = { _ in true }

    /// Creates a field whose value must satisfy these rules.
    public init(_ rules: ValidationRule<Value, Problem>...) {
        self.rules = rules
    }

    /// Returns a copy of the field with an asynchronous check, such as a request to a server.
    ///
    /// - The check begins `delay` after the last change. A change cancels it: only the answer for the newest value
    ///   counts.
    /// - Until the answer arrives, the field is not valid.
    /// - The check does not throw: it maps an error to a problem, or to `nil`. The next submission repeats a check that
    ///   has found a problem for which `isRepeated` returns `true`.
    ///
    /// ```swift
    /// FormField<String, NicknameProblem>().checked(after: .milliseconds(300), repeatedAfter: { $0 == .offline }) {
    ///     do { return try await isTaken($0) ? .taken : nil } catch { return .offline }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - delay: The time for which the value must stay unchanged.
    ///   - isRepeated: Whether the next submission repeats the check after this problem; by default after any.
    ///   - file: The source file of the check, for reports of unfinished work.
    ///   - line: The source line of the check.
    ///   - check: Returns the problem of the value; `nil` if there is none.
    public func checked(
        after delay: RxTimeInterval, repeatedAfter isRepeated: @escaping @Sendable (Problem) -> Bool = { _ in true },
        file: StaticString = #fileID, line: UInt = #line,
        by check: @escaping @Sendable (Value) async -> Problem?
    ) -> FormField {
        var field = self
        field.repeatsCheck = isRepeated
        field.check = { request, scheduler in
            let answer = Observable.task(file: file, line: line) { await check(request.value) }
            return request.isRepeated ? answer : answer.delaySubscription(delay, scheduler: scheduler)
        }
        return field
    }

    public func transform(_ input: Input) -> Output {
        output(of: input.value, input.touched, attempts: input.submitted.numbered())
    }

    func output(of value: Observable<Value>, _ touched: Observable<Void>, attempts: Observable<Int>) -> Output {
        let progress = progress(of: value, touched, attempts).share(replay: 1)
        return Output(
            state: progress.map(\.state).distinctUntilChanged().asDriver { error in
                Hooks.defaultErrorHandler([], error)  // an input failed, which the inputs of a form must not do
                return .empty()
            },
            submissions: progress.scan(into: (attempts: SubmissionAttempts(waits: false), value: Value?.none)) {
                $0.value = $0.attempts.submit([$1.status]) ? $1.state.value : nil
            }
            .compactMap(\.value),
            progress: progress)
    }

    private func progress(
        of value: Observable<Value>, _ touched: Observable<Void>, _ attempts: Observable<Int>
    ) -> Observable<FieldProgress<Value, Problem>> {
        typealias Run = FieldRun<Value, Problem>
        let scheduler = DriverSharingStrategy.scheduler
        return .deferred { [rules, check, repeatsCheck] in
            // The answers lead back into the run, which begins the checks. `merge` puts all events in one order.
            let checks = PublishSubject<Run.Check?>()
            let answers = checks.flatMapLatest { request -> Observable<Run.Event> in
                guard let request, let check else { return .empty() }
                return check(request, scheduler).map { .answered($0, request.number) }
            }
            let inputs = Observable<Run.Event>.merge(
                value.distinctUntilChanged().map { .changed($0) }, touched.map { .touched },
                attempts.map { .submitted($0) })
            return Observable.merge(answers, .concat(inputs, .just(.ended)))
                .scan(into: Run(rules, check == nil ? nil : repeatsCheck)) { $0.apply($1) }
                .map { run in
                    if run.beginsCheck || run.endsCheck { checks.onNext(run.check) }
                    return run
                }
                .take(until: \.isOver, behavior: .inclusive)
                .compactMap(\.progress)
        }
    }
}

extension ObservableType where Element == Void {
    /// The numbers of the elements, from 1: of the submissions of a form.
    func numbered() -> Observable<Int> { scan(0) { count, _ in count + 1 } }
}

/// Where a field stands: what the outputs of the field and of its form follow from.
struct FieldProgress<Value: Sendable, Problem: Sendable>: Sendable {
    let state: FormFieldState<Value, Problem>
    let status: FieldStatus
}

/// What a form has to know about a field.
struct FieldStatus: Sendable {
    enum Validity: Sendable { case valid, checking, repeatable, invalid }

    /// Valid, or why not: a check runs, a submission would repeat the check that has found a problem, or the value has one.
    let validity: Validity
    /// The number of the last submission that the field has handled.
    let attempt: Int
}

/// The validation of a field, as a state machine.
struct FieldRun<Value: Equatable & Sendable, Problem: Equatable & Sendable>: Sendable {
    enum Event: Sendable {
        case changed(Value)
        case touched
        case submitted(Int)
        case answered(Problem?, Int)
        /// The inputs have ended.
        case ended
    }

    struct Check: Sendable {
        let number: Int
        let value: Value
        let isRepeated: Bool
    }

    private let rules: [ValidationRule<Value, Problem>]
    /// Whether a check is repeated after a problem; `nil` without a check.
    private let repeatsCheck: (@Sendable (Problem) -> Bool)?
    private var value: Value?
    private var validity = FormFieldState<Value, Problem>.Validity.valid
    /// Whether the next submission repeats the check that has found the problem.
    private var isRepeatable = false
    private var isTouched = false
    private var attempt = 0
    private var hasEnded = false
    private var checkCount = 0
    /// The check that runs; `nil` if none does.
    private(set) var check: Check?
    /// Whether the last event has begun a check, or ended one that was running.
    private(set) var beginsCheck = false, endsCheck = false

    init(_ rules: [ValidationRule<Value, Problem>], _ repeatsCheck: (@Sendable (Problem) -> Bool)?) {
        self.rules = rules
        self.repeatsCheck = repeatsCheck
    }

    /// Whether nothing can change any more.
    var isOver: Bool { hasEnded && check == nil }

    /// `nil` before the first value.
    var progress: FieldProgress<Value, Problem>? {
        guard let value else { return nil }
        let status: FieldStatus.Validity =
            switch validity {
            case .valid: .valid
            case .checking: .checking
            case .invalid: isRepeatable ? .repeatable : .invalid
            }
        return FieldProgress(
            state: FormFieldState(value, validity, isTouched: isTouched),
            status: FieldStatus(validity: status, attempt: attempt))
    }

    mutating func apply(_ event: Event) {
        (beginsCheck, endsCheck) = (false, false)
        switch event {
        case .changed(let new):
            value = new
            isRepeatable = false
            endsCheck = check != nil
            check = nil
            if let problem = rules.lazy.compactMap({ $0.problem(new) }).first {
                validity = .invalid(problem)
            } else if repeatsCheck != nil {
                begin(new, isRepeated: false)
            } else {
                validity = .valid
            }
        case .touched: isTouched = true
        case .submitted(let number):
            isTouched = true
            attempt = number
            if isRepeatable, let value { begin(value, isRepeated: true) }
        case .answered(let problem, let number):
            guard check?.number == number else { break }
            check = nil
            isRepeatable = problem.flatMap { repeatsCheck?($0) } ?? false
            validity = problem.map { .invalid($0) } ?? .valid
        case .ended: hasEnded = true
        }
    }

    private mutating func begin(_ value: Value, isRepeated: Bool) {
        checkCount += 1
        check = Check(number: checkCount, value: value, isRepeated: isRepeated)
        beginsCheck = true
        isRepeatable = false
        validity = .checking
    }
}

/// Decides which submissions of a form submit its values.
struct SubmissionAttempts: Sendable {
    /// Whether a submission waits for the checks that run.
    let waits: Bool
    /// The newest submission that all fields have handled; `nil` before the first state.
    private var handled: Int?
    private var isPending = false

    init(waits: Bool) {
        self.waits = waits
    }

    /// Whether the values are submitted now.
    mutating func submit(_ fields: [FieldStatus]) -> Bool {
        guard let newest = fields.lazy.map(\.attempt).max() else { return false }
        guard let handled else {
            // What was submitted before anybody has listened is over.
            handled = newest
            return false
        }
        // A field that has not handled it may be about to repeat its check.
        guard fields.allSatisfy({ $0.attempt == newest }) else { return false }
        if newest != handled { (self.handled, isPending) = (newest, true) }
        guard isPending else { return false }
        let isChecking = fields.contains { $0.validity == .checking }
        let isInvalid = fields.contains { $0.validity == .invalid || $0.validity == .repeatable }
        isPending = waits && isChecking && !isInvalid
        return !isChecking && !isInvalid
    }
}

public struct FormFieldState<Value: Sendable, Problem: Sendable>: Sendable {
    /// The result of the validation.
    public enum Validity: Sendable {
        /// No rule is broken, and the check found no problem.
        case valid
        /// No rule is broken; the asynchronous check is pending or running.
        case checking
        /// The value has this problem: that of the first broken rule, or that of the check.
        case invalid(Problem)
    }

    /// The value as the person has entered it.
    public var value: Value
    public var validity: Validity
    /// Whether the person has left the field or submitted the form; before, ``problem`` is `nil`.
    public var isTouched: Bool

    public init(_ value: Value, _ validity: Validity, isTouched: Bool) {
        self.value = value
        self.validity = validity
        self.isTouched = isTouched
    }

    /// Whether the value may be submitted, regardless of `isTouched`.
    public var isValid: Bool {
        if case .valid = validity { true } else { false }
    }

    /// Whether the asynchronous check of the value is pending or running.
    public var isChecking: Bool {
        if case .checking = validity { true } else { false }
    }

    /// The problem to show beside the field; `nil` before the field is touched.
    public var problem: Problem? {
        if isTouched, case .invalid(let problem) = validity { problem } else { nil }
    }
}

extension FormFieldState.Validity: Equatable where Problem: Equatable {}
extension FormFieldState: Equatable where Value: Equatable, Problem: Equatable {}

/// A condition on a value, with the problem of values that violate it.
///
/// ```swift
/// let short = ValidationRule(NicknameProblem.tooShort, unless: { $0.count >= 2 })
/// short.problem("a")       // .tooShort
/// short.problem("ann")     // nil
/// ```
public struct ValidationRule<Value, Problem>: Sendable {
    /// Returns the problem of a value; `nil` if there is none.
    public let problem: @Sendable (Value) -> Problem?

    public init(_ problem: @escaping @Sendable (Value) -> Problem?) {
        self.problem = problem
    }

    /// Creates a rule whose problem is the error that `make` throws, such as the initializer of a type that refuses values:
    /// the rule of the domain is not written again.
    ///
    /// ```swift
    /// struct Title {
    ///     init(_ text: String) throws(TitleProblem) { … }
    /// }
    ///
    /// let title = FormField<String, TitleProblem>(ValidationRule(trying: Title.init))
    /// ```
    public init<Made>(trying make: @escaping @Sendable (Value) throws(Problem) -> Made) where Problem: Error {
        self.init { value in
            do throws(Problem) {
                _ = try make(value)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Creates a rule with `problem` for each value for which `holds` returns `false`.
    public init(_ problem: Problem, unless holds: @escaping @Sendable (Value) -> Bool) where Problem: Sendable {
        self.init { holds($0) ? nil : problem }
    }
}
