public import Observation
public import Streams

/// A value that a person changes and the program may correct: the two ways of a text field, without an echo.
///
/// - What the person sets, by ``value``, is told to ``edits``.
/// - What the program says, by a driver handed to ``follow(_:)``, becomes the value and is not told to ``edits``. So
///   a program that answers every edit does not hear its own answer.
/// - What is equal to the value already, from either side, is no change: nothing is told, and nothing is read again.
///
/// It subscribes to the driver in ``follow(_:)``, and lets it go when it goes itself. Neither the driver nor who
/// listens to ``edits`` keeps it alive: its life is that of whoever holds it, such as the object that stands for a
/// screen.
///
/// ```swift
/// let title = Editable("")
/// let output = viewModel.transform(.init(title: title.values, saveTapped: saveTapped))
/// title.follow(output.title)    // such as the first 14 characters of what was typed
///
/// TextField("Title", text: $title.value)    // in a view that has it as `@Bindable`
/// ```
@Observable
@MainActor
public final class Editable<Value: Equatable & Sendable> {
    /// The value, for the view: read again when it changes; setting it is an edit.
    public var value: Value {
        get { current }
        set { change(to: newValue, isEdit: true) }
    }

    /// Every value that the person sets, from the subscription on; not what the program says, and nothing before anyone
    /// types.
    @ObservationIgnored public nonisolated let edits: Observable<Value>
    /// The value at the time of the subscription, then the ``edits``: for what is combined with other inputs, such as whether
    /// a form is complete.
    @ObservationIgnored public nonisolated let values: Observable<Value>

    private var current: Value
    @ObservationIgnored private let changes: BehaviorRelay<Change>
    @ObservationIgnored private let bag = DisposeBag()

    /// A value to begin with.
    public init(_ value: Value) {
        let changes = BehaviorRelay(value: Change(value: value, isEdit: false))
        current = value
        self.changes = changes
        edits = changes.skip(1).filter(\.isEdit).map(\.value)
        values = changes.enumerated().filter { $0.index == 0 || $0.element.isEdit }.map(\.element.value)
    }

    /// Makes what `driver` says the value, from now on.
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
