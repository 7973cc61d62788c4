public import Streams

/// Several fields with one button: submits the newest values of all fields, once all of them are valid.
///
/// - A submission shows the problems of all fields, and repeats the checks that could not be made: see
///   ``FormField/checked(after:repeatedAfter:file:line:by:)``.
/// - If no field has a problem, but checks run, it waits for them. A problem withdraws it, whether a check finds it or the
///   person types it meanwhile.
/// - Several submissions while checks run submit once.
///
/// ```swift
/// let nickname = FormField<String, NicknameProblem>(ValidationRule(.tooShort, unless: { $0.count >= 2 }))
///     .checked(after: .milliseconds(300)) { await isTaken($0) ? .taken : nil }
/// let age = FormField<Int, AgeProblem>(ValidationRule(.tooYoung, unless: { $0 >= 14 }))
///
/// let form = FormFields(
///     submitted: input.saveTapped,
///     nickname.filled(by: input.nickname, left: input.nicknameLeft), age.filled(by: input.age))
/// let outcomes = form.submissions.flatMapFirst { nickname, age in save(nickname, age).materialize() }.share()
/// return Output(
///     nicknameProblem: form.fields.0.problem, ageProblem: form.fields.1.problem,    // shown beside the fields
///     canSave: form.canSubmit,
///     saved: outcomes.elements().asSignal(),
///     failure: outcomes.errors().asSignal())
/// ```
///
/// `flatMapFirst` ignores a submission while the previous one is being saved.
///
/// `Fields` is a tuple of ``FormField/Output``, one for each field, and `Values` the tuple of their values.
public struct FormFields<Fields: Sendable, Values: Sendable>: Sendable {
    /// The outputs of the fields, in their order; with one field, its output.
    public let fields: Fields
    /// Emits the values each time the person submits the form, when all fields are valid: on the thread that emits the
    /// submission, or the answer of the check that it has waited for.
    ///
    /// Always the newest values, as in ``FormField/Output/submissions``: those that the person types while the form waits
    /// are submitted.
    public let submissions: Observable<Values>
    private let status: Driver<[FieldStatus]>

    /// Whether all fields are valid.
    public var isValid: Driver<Bool> {
        status.map { $0.allSatisfy { $0.validity == .valid } }.distinctUntilChanged()
    }

    /// Whether the check of any field is pending or running.
    public var isChecking: Driver<Bool> {
        status.map { $0.contains { $0.validity == .checking } }.distinctUntilChanged()
    }

    /// Whether submitting may succeed: no rule is broken. A check may be running, which a submission waits for, or may have
    /// found a problem after which a submission repeats it.
    public var canSubmit: Driver<Bool> {
        status.map { $0.allSatisfy { $0.validity != .invalid } }.distinctUntilChanged()
    }

    /// Combines fields of any types.
    ///
    /// The outputs of the form and of its fields share one subscription to each input. Nothing is submitted, and no state
    /// is emitted, before each field has a value.
    ///
    /// - Parameters:
    ///   - submitted: Emits when the person submits the form.
    ///   - field: The fields, each with the stream of its values.
    public init<each Value: Equatable & Sendable, each Problem: Equatable & Sendable>(
        submitted: Observable<Void>, _ field: repeat FilledField<each Value, each Problem>
    ) where Fields == (repeat FormField<each Value, each Problem>.Output), Values == (repeat each Value) {
        let attempts = submitted.numbered().share()
        let outputs = (repeat (each field).output(attempts: attempts))
        var progress: [Observable<AnyFieldProgress>] = []
        for output in repeat each outputs {
            progress.append(output.progress.map { AnyFieldProgress(status: $0.status, value: $0.state.value) })
        }
        let all = Observable.combineLatest(progress).share(replay: 1)
        fields = outputs
        status = all.map { $0.map(\.status) }.asDriver { error in
            Hooks.defaultErrorHandler([], error)  // an input failed, which the inputs of a form must not do
            return .empty()
        }
        submissions = all.scan(into: (attempts: SubmissionAttempts(waits: true), values: [any Sendable]?.none)) {
            $0.values = $0.attempts.submit($1.map(\.status)) ? $1.map(\.value) : nil
        }
        .compactMap(\.values)
        .map { values in
            var values = values.makeIterator()
            return (repeat next((each Value).self, of: &values))
        }
    }
}

/// The next value of a form; the values are those of its fields, in their order.
private func next<Value>(_ type: Value.Type, of values: inout IndexingIterator<[any Sendable]>) -> Value {
    guard let value = values.next() as? Value else { preconditionFailure("a form has a value for each field") }
    return value
}

private struct AnyFieldProgress: Sendable {
    let status: FieldStatus
    let value: any Sendable
}

/// A field of a form with the stream of its values; see ``FormField/filled(by:left:)``.
///
/// ```swift
/// FormFields(submitted: input.saveTapped, nickname.filled(by: input.nickname), age.filled(by: input.age))
/// ```
public struct FilledField<Value: Equatable & Sendable, Problem: Equatable & Sendable>: Sendable {
    private let field: FormField<Value, Problem>
    private let value: Observable<Value>
    private let left: Observable<Void>

    fileprivate init(_ field: FormField<Value, Problem>, _ value: Observable<Value>, _ left: Observable<Void>) {
        self.field = field
        self.value = value
        self.left = left
    }

    fileprivate func output(attempts: Observable<Int>) -> FormField<Value, Problem>.Output {
        field.output(of: value, left, attempts: attempts)
    }
}

extension FormField {
    /// This field with the stream of its values, for ``FormFields``.
    ///
    /// - Parameters:
    ///   - value: The value, beginning with the current one.
    ///   - left: Emits when the person leaves the field: its problem is shown from then on.
    public func filled(
        by value: Observable<Value>, left: Observable<Void> = .never()
    ) -> FilledField<Value, Problem> {
        FilledField(self, value, left)
    }
}
