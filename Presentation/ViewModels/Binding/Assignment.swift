/// A value for one part of a state: what a view sets through a binding.
///
/// ```swift
/// var state = Form.State()
/// Assignment(\Form.State.title, "Busan").apply(to: &state)
/// state.title    // "Busan"
/// ```
///
/// Two assignments are equal if they set the same part to equal values.
public struct Assignment<State>: Sendable {
    private let part: any PartialKeyPath<State> & Sendable
    private let value: any Equatable & Sendable
    private let assign: @Sendable (inout State) -> Void

    public init<Value: Equatable & Sendable>(_ part: any WritableKeyPath<State, Value> & Sendable, _ value: Value) {
        self.part = part
        self.value = value
        assign = { $0[keyPath: part] = value }
    }

    private var keyPath: PartialKeyPath<State> { part }

    /// Sets the part.
    public func apply(to state: inout State) { assign(&state) }

    /// Whether this is an assignment to that part; a reducer may react to it.
    ///
    /// ```swift
    /// case .set(let assignment):
    ///     assignment.apply(to: &state)
    ///     return assignment.sets(\.text) ? .latest(.search(state.text), after: .milliseconds(300)) : .none
    /// ```
    public func sets<Value>(_ part: WritableKeyPath<State, Value>) -> Bool { keyPath == part }
}

extension Assignment: Equatable {
    public static func == (lhs: Assignment, rhs: Assignment) -> Bool {
        func isEqual<Value: Equatable>(_ value: Value) -> Bool { rhs.value as? Value == value }
        return lhs.keyPath == rhs.keyPath && isEqual(lhs.value)
    }
}

extension Assignment: CustomStringConvertible {
    public var description: String { "\(keyPath) = \(Difference.describe(value))" }
}

/// The actions of a screen with a form: one of them sets a part of the state, whichever the user changes.
///
/// ```swift
/// struct Form: Flow {
///     struct State: Equatable { var title = "", isPublic = false }
///     enum Action: AssigningAction { case set(Assignment<State>), saveTapped }
///
///     var initialState: State { State() }
///
///     func reduce(_ state: inout State, _ action: Action) -> Next<Never, Never> {
///         switch action {
///         case .set(let assignment): assignment.apply(to: &state)
///         case .saveTapped: break
///         }
///         return .none
///     }
/// }
///
/// store.send(.set(\.title, "Busan"))
/// ```
///
/// With it, a property of an ``ObservedStore`` can be set, and SwiftUI binds to it: `TextField("Title", text:
/// $store.title)`. A flow that reacts differently to each field has an action for each, and uses
/// `ObservedStore.binding(_:send:)`.
public protocol AssigningAction<State>: Sendable {
    associatedtype State
    static func set(_ assignment: Assignment<State>) -> Self
}

extension AssigningAction {
    /// The action that sets a part of the state.
    public static func set<Value: Equatable & Sendable>(
        _ part: any WritableKeyPath<State, Value> & Sendable, _ value: Value
    ) -> Self { set(Assignment(part, value)) }
}

extension ObservedStore where Action: AssigningAction<State> {
    /// A part of the state; setting it sends an action. Setting a value that equals the part sends nothing. If the reducer
    /// refuses or corrects the value, the readers of the part read it again.
    ///
    /// ```swift
    /// store.title = "Busan"    // as store.send(.set(\.title, "Busan"))
    /// ```
    public subscript<Value: Equatable & Sendable>(dynamicMember part: any WritableKeyPath<State, Value> & Sendable)
        -> Value
    {
        get { self[dynamicMember: part as KeyPath<State, Value>] }
        set {
            if newValue != store.currentState[keyPath: part] {
                send(.set(part, newValue), setting: part, to: newValue)
            }
        }
    }
}
