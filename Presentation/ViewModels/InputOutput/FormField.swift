public import Streams

/// A field of a form: validates its value on each change, and shows the problem, if any.
///
/// - The first broken rule determines the problem; the asynchronous check runs only if no rule is broken.
/// - No problem is shown before the person has left the field or submitted the form; from then on it follows each
///   change of the value.
/// - A value that equals the previous one has no effect.
///
/// ```swift
/// let nickname = FormField<String, NicknameProblem>(
///     ValidationRule(.tooShort, unless: { $0.count >= 2 }),
///     ValidationRule(.tooLong, unless: { $0.count <= 10 })
/// )
/// .checked(after: .milliseconds(300)) { await isTaken($0) ? .taken : nil }
/// .transform(.init(value: input.nickname, touched: input.nicknameLeft, submitted: input.saveTapped))
///
/// return Output(
///     nicknameProblem: nickname.problem,                // shown beside the field
///     canSave: .combineLatest(nickname.isValid, email.isValid) { $0 && $1 },
///     saved: nickname.submissions.flatMapFirst { save($0) }.asSignal(onErrorSignalWith: .empty()))
/// ```
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
        /// immediately follows a change never emits the previous value.
        public let submissions: Observable<Value>

        /// Whether the value may be submitted: every rule and check holds.
        public var isValid: Driver<Bool> { state.map(\.isValid).distinctUntilChanged() }
        /// Whether the asynchronous check of the newest value is pending or running.
        public var isChecking: Driver<Bool> { state.map(\.isChecking).distinctUntilChanged() }
        /// The problem to show beside the field.
        public var problem: Driver<Problem?> { state.map(\.problem).distinctUntilChanged() }
    }

    private let rules: [ValidationRule<Value, Problem>]
    private var check: (@Sendable (Value, any SchedulerType) -> Observable<Problem?>)?

    /// Creates a field whose value must satisfy these rules.
    public init(_ rules: ValidationRule<Value, Problem>...) {
        self.rules = rules
    }

    /// Returns a copy of the field with an asynchronous check, such as a request to a server.
    ///
    /// - The check begins `delay` after the last change. A change cancels it: only the answer for the newest value
    ///   counts.
    /// - Until the answer arrives, the field is not valid.
    /// - The check does not throw: it maps an error to a problem, or to `nil`.
    ///
    /// - Parameters:
    ///   - delay: The time for which the value must stay unchanged.
    ///   - file: The source file of the check, for reports of unfinished work.
    ///   - line: The source line of the check.
    ///   - check: Returns the problem of the value; `nil` if there is none.
    public func checked(
        after delay: RxTimeInterval, file: StaticString = #fileID, line: UInt = #line,
        by check: @escaping @Sendable (Value) async -> Problem?
    ) -> FormField {
        var field = self
        field.check = { value, scheduler in
            .task(file: file, line: line) { await check(value) }.delaySubscription(delay, scheduler: scheduler)
        }
        return field
    }

    public func transform(_ input: Input) -> Output {
        let scheduler = DriverSharingStrategy.scheduler
        let validated = input.value.distinctUntilChanged().flatMapLatest { value in
            validity(of: value, scheduler).map { (value: value, validity: $0) }
        }
        let submitted = input.submitted.share()
        let isTouched = Observable.merge(input.touched, submitted).take(1).map { true }.startWith(false)
        let state = Observable.combineLatest(validated, isTouched) {
            FormFieldState($0.value, $0.validity, isTouched: $1)
        }
        .share(replay: 1)
        return Output(
            state: state.asDriver { error in
                Hooks.defaultErrorHandler([], error)  // an input failed, which the inputs of a form must not do
                return .empty()
            },
            submissions: submitted.withLatestFrom(state).filter(\.isValid).map(\.value))
    }

    private func validity(
        of value: Value, _ scheduler: any SchedulerType
    ) -> Observable<FormFieldState<Value, Problem>.Validity> {
        for rule in rules {
            if let problem = rule.problem(value) { return .just(.invalid(problem)) }
        }
        guard let check else { return .just(.valid) }
        return check(value, scheduler).map { $0.map { .invalid($0) } ?? .valid }.startWith(.checking)
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

    /// Creates a rule with `problem` for each value for which `holds` returns `false`.
    public init(_ problem: Problem, unless holds: @escaping @Sendable (Value) -> Bool) where Problem: Sendable {
        self.init { holds($0) ? nil : problem }
    }
}
