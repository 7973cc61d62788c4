import Observation
import Synchronization

/// Whether a view that reads `value` would read it again because of `change`.
@MainActor
func readsAgain<Value>(_ value: @autoclosure () -> Value, when change: () -> Void) -> Bool {
    let isChanged = Atomic(false)
    withObservationTracking {
        _ = value()
    } onChange: {
        isChanged.store(true, ordering: .relaxed)
    }
    change()
    return isChanged.load(ordering: .relaxed)
}
