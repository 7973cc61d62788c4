/// What a field of a form shows.
public struct FieldState<Value: Sendable, Problem: Sendable>: Sendable {
    /// Whether the value may be sent.
    public enum Validity: Sendable {
        /// Every rule holds.
        case valid
        /// The rules hold; the check that takes time is not over.
        case checking
        /// That is wrong.
        case invalid(Problem)
    }

    /// The value.
    public var value: Value
    /// Whether it may be sent.
    public var validity: Validity
    /// Whether the person has left the field or tried to send the form: only then are they told what is wrong.
    public var isTouched: Bool

    /// The state of a field.
    public init(_ value: Value, _ validity: Validity, isTouched: Bool) {
        self.value = value
        self.validity = validity
        self.isTouched = isTouched
    }

    /// Whether the value may be sent, be the field touched or not.
    public var isValid: Bool {
        if case .valid = validity { true } else { false }
    }

    /// Whether the check that takes time is under way.
    public var isChecking: Bool {
        if case .checking = validity { true } else { false }
    }

    /// What to say beside the field: nothing before it is touched.
    public var problem: Problem? {
        if isTouched, case .invalid(let problem) = validity { problem } else { nil }
    }
}

extension FieldState.Validity: Equatable where Problem: Equatable {}
extension FieldState: Equatable where Value: Equatable, Problem: Equatable {}
