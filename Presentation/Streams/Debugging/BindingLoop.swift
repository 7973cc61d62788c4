#if DEBUG
import Synchronization

/// Counts the elements in a row that a multicast receives from its own observers: two relays that are bound to each other
/// send one element back and forth without end. Used in debug builds only.
struct BindingLoop: ~Copyable, Sendable {
    /// The number of elements at which a warning is issued.
    static let warningThreshold = 10_000

    /// The thread that is delivering an enqueued element; 0 if none is.
    private let thread = Atomic<UInt>(0)
    private let count = Atomic(0)

    func beginDelivery() { thread.store(Thread.current, ordering: .relaxed) }

    func countElement() {
        switch thread.load(ordering: .relaxed) {
        case 0: count.store(0, ordering: .relaxed)  // from an observer that receives an element from outside
        case Thread.current: count.add(1, ordering: .relaxed)
        default: break
        }
    }

    func endDelivery(by owner: Any.Type) {
        thread.store(0, ordering: .relaxed)
        let isNew = count.compareExchange(
            expected: Self.warningThreshold, desired: Self.warningThreshold + 1, ordering: .relaxed)
        if !isNew.exchanged { return }
        Hooks.warningHandler(
            "\(Self.warningThreshold) elements in a row were sent to a \(owner) by its own observers, as by streams that are "
                + "bound to each other. Put `distinctUntilChanged()` into the loop. See LiveSubscriptions.")
    }
}
#endif
