import Synchronization

/// Shows whether two threads are in one place.
final class Flag: Sendable {
    private let isUp = Atomic(false)

    func tryToEnter() -> Bool { !isUp.exchange(true, ordering: .acquiringAndReleasing) }
    func leave() { isUp.store(false, ordering: .releasing) }
}
