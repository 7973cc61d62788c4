public import Observation
public import Streams

/// What a driver says, as a property that SwiftUI, or anything else that uses Observation, reads again when it changes.
///
/// It is an edge: it subscribes to the driver when it is made, and lets it go when it goes itself; the driver does not
/// keep it alive. So its life is that of whoever holds it, such as the object that stands for a screen.
///
/// ```swift
/// @MainActor final class MovieScreen {
///     let title: Observed<String>
///
///     init(_ viewModel: MovieDetailsViewModel, appeared: Observable<Void>) {
///         let output = viewModel.transform(.init(trigger: appeared))
///         title = Observed(output.title, initially: "…")
///     }
/// }
///
/// struct MovieView: View {
///     let screen: MovieScreen
///     var body: some View { Text(screen.title.value) }    // drawn again when the driver says another title
/// }
/// ```
///
/// See ``Editable`` for a value that the view changes as well.
@Observable
@MainActor
public final class Observed<Value: Sendable> {
    /// What the driver said last.
    public private(set) var value: Value
    @ObservationIgnored private let bag = DisposeBag()

    /// The value of `driver`; `initially`, until it says something.
    public init(_ driver: Driver<Value>, initially value: Value) {
        self.value = value
        driver.drive(with: self, onNext: { $0.value = $1 }).disposed(by: bag)
    }

    /// The value of `driver`; `initially`, until it says something. A value that comes once more is no change, and
    /// nothing is read again.
    public init(_ driver: Driver<Value>, initially value: Value) where Value: Equatable {
        self.value = value
        driver.drive(with: self, onNext: { if $0.value != $1 { $0.value = $1 } }).disposed(by: bag)
    }
}
