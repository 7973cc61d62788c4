import Observation
import Synchronization

/// Whether `change` invalidates a view that reads `value`.
@MainActor
func isInvalidated<Value>(_ value: @autoclosure () -> Value, when change: () -> Void) -> Bool {
    let isChanged = Atomic(false)
    withObservationTracking {
        _ = value()
    } onChange: {
        isChanged.store(true, ordering: .relaxed)
    }
    change()
    return isChanged.load(ordering: .relaxed)
}
