/// The error of a side effect's stream.
///
/// A stream that fails is a programming error: convert errors to actions in ``Flow/perform(_:)``, for example with
/// `catch`. The effect counts as ended; the flow continues. `Hooks.defaultErrorHandler` and the trace receive the
/// failure, and a `FlowTester` fails its test.
///
/// ```swift
/// func perform(_ sideEffect: SideEffect) -> Observable<Action> {
///     titles.search(sideEffect.text)
///         .map { .arrived($0) }
///         .catch { .just(.failed("\($0)")) }    // without it, an error of the search is an EffectFailure
/// }
/// ```
public struct EffectFailure: Error, Sendable, CustomStringConvertible {
    /// A description of the side effect whose stream failed.
    public let sideEffect: String
    /// The error with which its stream failed.
    public let error: any Error

    /// Creates the failure of a side effect with an error.
    public init<SideEffect>(of sideEffect: SideEffect, _ error: any Error) {
        self.sideEffect = "\(sideEffect)"
        self.error = error
    }

    /// The side effect, its error, and how to handle it.
    public var description: String {
        "the side effect \(sideEffect) failed: \(error). Turn errors into actions, in `perform`, with `catch`"
    }
}
