/// The stream of a side effect failed: a mistake in the program, because an error has to become an action, for example
/// by `catch`, in ``Flow/perform(_:)``.
///
/// The effect counts as ended; the flow goes on. `Hooks.defaultErrorHandler` and the trace are told, and a `FlowTester`
/// fails its test.
public struct EffectFailure: Error, Sendable, CustomStringConvertible {
    /// The side effect, in words.
    public let sideEffect: String
    /// What its stream failed with.
    public let error: any Error

    /// The failure of a side effect with an error.
    public init<SideEffect>(of sideEffect: SideEffect, _ error: any Error) {
        self.sideEffect = "\(sideEffect)"
        self.error = error
    }

    /// What failed, with what, and what to do about it.
    public var description: String {
        "the side effect \(sideEffect) failed: \(error). Turn errors into actions, in `perform`, with `catch`"
    }
}
