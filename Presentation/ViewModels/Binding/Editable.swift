public import Observation
public import Streams

/// A value that a person edits and the program may correct: the two-way binding of a text field, without an echo.
///
/// - A value that the person sets, through ``value``, is emitted by ``edits``.
/// - A value that a driver of ``follow(_:)`` emits becomes the value and is not emitted by ``edits``. So a program that
///   answers every edit does not receive its own answer.
/// - Setting an equal value, from either side, has no effect: nothing is emitted, and no view is updated.
///
/// It subscribes to the driver in ``follow(_:)`` until it is released. Neither the driver nor the observers of
/// ``edits`` retain it: store it in the object that represents the screen.
///
/// ```swift
/// let title = Editable("")
/// let output = viewModel.transform(.init(title: title.values, saveTapped: saveTapped))
/// title.follow(output.title)    // such as the first 14 typed characters
///
/// TextField("Title", text: $title.value)    // in a view that has it as `@Bindable`
/// ```
@Observable
@MainActor
public final class Editable<Value: Equatable & Sendable> {
    /// The value for the view: observable; setting it is an edit.
    public var value: Value {
        get { current }
        set { change(to: newValue, isEdit: true) }
    }

    /// Emits every value that the person sets after the subscription, but not the values of the program.
    @ObservationIgnored public nonisolated let edits: Observable<Value>
    /// Emits the value at the time of the subscription, then the ``edits``: to combine it with other inputs, such as
    /// whether a form is complete.
    @ObservationIgnored public nonisolated let values: Observable<Value>

    private var current: Value
    @ObservationIgnored private let changes: BehaviorRelay<Change>
    @ObservationIgnored private let bag = DisposeBag()

    /// Creates an editable with its first value, which is not an edit.
    public init(_ value: Value) {
        let changes = BehaviorRelay(value: Change(value: value, isEdit: false))
        current = value
        self.changes = changes
        edits = changes.skip(1).filter(\.isEdit).map(\.value)
        values = changes.enumerated().filter { $0.index == 0 || $0.element.isEdit }.map(\.element.value)
    }

    /// Sets the value to each element of `driver`, from now on.
    ///
    /// ```swift
    /// let name = Editable("")
    /// name.follow(Driver.just("Mina"))
    /// name.value    // "Mina"; `edits` emits nothing, because this is no edit by the person
    /// ```
    public func follow(_ driver: Driver<Value>) {
        driver.drive(with: self, onNext: { $0.change(to: $1, isEdit: false) }).disposed(by: bag)
    }

    private func change(to value: Value, isEdit: Bool) {
        if value == current { return }
        current = value
        changes.accept(Change(value: value, isEdit: isEdit))
    }

    private struct Change: Sendable {
        let value: Value
        let isEdit: Bool
    }
}
