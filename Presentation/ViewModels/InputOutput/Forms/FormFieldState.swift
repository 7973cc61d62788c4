/// The state of a form field.
///
/// ```swift
/// var name = FormFieldState("", .invalid("A name is required"), isTouched: false)
/// name.problem              // nil
/// name.isTouched = true
/// name.problem              // "A name is required"
/// name.isValid              // false
/// ```
public struct FormFieldState<Value: Sendable, Problem: Sendable>: Sendable {
    /// The result of the validation.
    ///
    /// ```swift
    /// FormFieldState("", .invalid("A name is required"), isTouched: true).isValid           // false
    /// FormFieldState<String, String>("Mina", .checking, isTouched: true).isChecking         // true
    /// ```
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
    /// The result of the validation.
    public var validity: Validity
    /// Whether the person has left the field or submitted the form; before, ``problem`` is `nil`.
    public var isTouched: Bool

    /// Creates the state of a field from its value, its validity, and whether the person has touched it.
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
