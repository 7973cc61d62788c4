public import Observation
public import Streams

/// The latest element of a driver as an observable property, for SwiftUI and other clients of Observation.
///
/// It subscribes to the driver from its creation until it is released; the driver does not retain it. Store it in the
/// object that represents the screen.
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
///     var body: some View { Text(screen.title.value) }    // updated when the driver emits another title
/// }
/// ```
///
/// See ``Editable`` for a value that the view also changes.
@Observable
@MainActor
public final class Observed<Value: Sendable> {
    /// The latest element of the driver.
    public private(set) var value: Value
    @ObservationIgnored private let bag = DisposeBag()

    /// Creates a value that follows `driver`; `initially` until its first element.
    public init(_ driver: Driver<Value>, initially value: Value) {
        self.value = value
        driver.drive(with: self, onNext: { $0.value = $1 }).disposed(by: bag)
    }

    /// Creates a value that follows `driver`; `initially` until its first element. An element that equals the value
    /// updates no view.
    public init(_ driver: Driver<Value>, initially value: Value) where Value: Equatable {
        self.value = value
        driver.drive(with: self, onNext: { if $0.value != $1 { $0.value = $1 } }).disposed(by: bag)
    }
}
