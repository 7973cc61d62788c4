import Synchronization

/// Detects whether two threads execute the same code concurrently.
final class Flag: Sendable {
    private let isUp = Atomic(false)

    func tryToEnter() -> Bool { !isUp.exchange(true, ordering: .acquiringAndReleasing) }
    func leave() { isUp.store(false, ordering: .releasing) }
}
