/// A screen as a function from input streams to output streams.
///
/// `transform` only composes: it subscribes to nothing and starts nothing. The edge (a view, a terminal, a test)
/// subscribes each output once, and that subscription is what pulls the input through. One-time happenings such as
/// navigation and toasts are outputs too (`Signal`), never calls out of the middle of a chain. In tests,
/// `expectOnlyComposes` of ViewModelsTesting says whether a view model keeps to this.
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
    /// What the screen is told: taps, texts, appearances.
    associatedtype Input
    /// What the screen shows and does.
    associatedtype Output

    /// Composes the outputs from the inputs, without subscribing.
    func transform(_ input: Input) -> Output
}
