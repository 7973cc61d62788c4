/// A screen as a function from input streams to output streams.
///
/// `transform` only composes: it subscribes to nothing and starts nothing. The caller (a view, a terminal, a test)
/// subscribes to each output once, which starts the work. One-time events such as navigation and toasts are outputs too
/// (`Signal`), never calls from inside a chain. In tests, `expectOnlyComposes` of ViewModelsTesting checks that a view
/// model follows this rule.
///
/// ```swift
/// struct Greeter: ViewModel {
///     struct Input { let name: Observable<String> }
///     struct Output { let greeting: Driver<String> }
///
///     func transform(_ input: Input) -> Output {
///         Output(greeting: input.name.map { "Hello, \($0)" }.asDriver(onErrorJustReturn: ""))
///     }
/// }
/// ```
public protocol ViewModel: Sendable {
    /// The inputs of the screen: taps, texts, appearances.
    associatedtype Input
    /// The outputs of the screen: its displayed values, and its one-time events.
    associatedtype Output

    /// Composes the outputs from the inputs, without subscribing.
    ///
    /// ```swift
    /// let greeting = Greeter().transform(.init(name: .just("Mina"))).greeting
    /// greeting.drive(onNext: { print($0) })    // prints Hello, Mina
    /// ```
    func transform(_ input: Input) -> Output
}

extension ViewModel where Input == Void {
    /// The outputs of a screen without inputs.
    ///
    /// ```swift
    /// struct Watch: ViewModel {
    ///     struct Output { let seconds: Driver<Int> }
    ///
    ///     func transform(_: Void) -> Output { … }
    /// }
    ///
    /// let seconds = Watch().transform().seconds
    /// ```
    public func transform() -> Output { transform(()) }
}
