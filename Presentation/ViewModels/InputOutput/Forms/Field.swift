public import Streams

/// A field of a form: validates its value as it changes, and says what is wrong once the person has had their chance.
///
/// - The first rule that is broken says what is wrong; the check that takes time is asked only if none is.
/// - What is wrong shows after the field was touched, or the form submitted, and from then on as the value changes.
/// - A value that comes once more changes nothing.
///
/// ```swift
/// let nickname = Field<String, NicknameProblem>(
///     Rule(.tooShort, unless: { $0.count >= 2 }),
///     Rule(.tooLong, unless: { $0.count <= 10 })
/// )
/// .checked(after: .milliseconds(300)) { await isTaken($0) ? .taken : nil }
/// .transform(.init(value: input.nickname, touched: input.nicknameLeft, submitted: input.saveTapped))
///
/// return Output(
///     nicknameProblem: nickname.problem,                // shown beside the field
///     canSave: allValid(nickname, email))
/// ```
public struct Field<Value: Equatable & Sendable, Problem: Equatable & Sendable>: ViewModel {
    /// What the field is told.
    public struct Input: Sendable {
        /// The value, beginning with the one at the time.
        public let value: Observable<Value>
        /// The person has left the field.
        public let touched: Observable<Void>
        /// The person tries to send the form.
        public let submitted: Observable<Void>

        /// Input from these streams; those left out say nothing.
        public init(
            value: Observable<Value>, touched: Observable<Void> = .never(), submitted: Observable<Void> = .never()
        ) {
            self.value = value
            self.touched = touched
            self.submitted = submitted
        }
    }

    /// What the field shows. However many of its drivers are bound, each input is subscribed once.
    public struct Output: Sendable {
        /// All of it.
        public let state: Driver<FieldState<Value, Problem>>

        /// Whether the value may be sent.
        public var isValid: Driver<Bool> { state.map(\.isValid).distinctUntilChanged() }
        /// Whether the check that takes time is under way.
        public var isChecking: Driver<Bool> { state.map(\.isChecking).distinctUntilChanged() }
        /// What to say beside the field.
        public var problem: Driver<Problem?> { state.map(\.problem).distinctUntilChanged() }
    }

    private let rules: [Rule<Value, Problem>]
    private var check: (@Sendable (Value, any SchedulerType) -> Observable<Problem?>)?

    /// A field whose value has to fulfil these rules.
    public init(_ rules: Rule<Value, Problem>...) {
        self.rules = rules
    }

    /// The field with a check that takes time, such as a question to a server.
    ///
    /// - The check begins `delay` after the last change. A change cancels it: only the newest value's answer counts.
    /// - Until there is an answer the field is not valid.
    /// - A check cannot fail: what it cannot find out is a problem in the terms of the form, or none.
    ///
    /// - Parameters:
    ///   - delay: How long the value has to stay as it is.
    ///   - file: Where the code is that checks, for reports of what is still going on.
    ///   - line: Where the code is that checks.
    ///   - check: Returns what is wrong with the value; `nil` if nothing is.
    public func checked(
        after delay: RxTimeInterval, file: StaticString = #fileID, line: UInt = #line,
        by check: @escaping @Sendable (Value) async -> Problem?
    ) -> Field {
        var field = self
        field.check = { value, scheduler in
            .task(file: file, line: line) { await check(value) }.delaySubscription(delay, scheduler: scheduler)
        }
        return field
    }

    /// Composes the field from the input.
    public func transform(_ input: Input) -> Output {
        let scheduler = DriverSharingStrategy.scheduler
        let validated = input.value.distinctUntilChanged().flatMapLatest { value in
            validity(of: value, scheduler).map { (value: value, validity: $0) }
        }
        let isTouched = Observable.merge(input.touched, input.submitted).take(1).map { true }.startWith(false)
        let state = Observable.combineLatest(validated, isTouched) {
            FieldState($0.value, $0.validity, isTouched: $1)
        }
        return Output(
            state: state.asDriver { error in
                Hooks.defaultErrorHandler([], error)  // an input failed, which those of a form do not
                return .empty()
            })
    }

    private func validity(
        of value: Value, _ scheduler: any SchedulerType
    ) -> Observable<FieldState<Value, Problem>.Validity> {
        for rule in rules {
            if let problem = rule.problem(value) { return .just(.invalid(problem)) }
        }
        guard let check else { return .just(.valid) }
        return check(value, scheduler).map { $0.map { .invalid($0) } ?? .valid }.startWith(.checking)
    }
}

/// Whether every one of the fields is valid: when a form may be sent.
///
/// ```swift
/// let canSave = allValid(title, text, nickname)
/// ```
public func allValid<each Value, each Problem>(
    _ fields: repeat Field<each Value, each Problem>.Output
) -> Driver<Bool> {
    var valid: [Driver<Bool>] = []
    repeat valid.append((each fields).isValid)
    return Driver.combineLatest(valid) { $0.allSatisfy { $0 } }.distinctUntilChanged()
}
