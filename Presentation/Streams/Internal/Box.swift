/// State of one stage of one subscription, such as the last element of `distinctUntilChanged`.
///
/// Touched only from inside the stage, which is called serially (see ``Sink``); hence neither a lock nor the
/// run-time exclusivity check, which would cost 9 ns an element.
@usableFromInline
final class Box<Value> {
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
    }
}
