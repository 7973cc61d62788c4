public import Synchronization

/// Something that happens once, whoever comes first.
@usableFromInline
final class Flag: Sendable {
    @usableFromInline let isRaised = Atomic(false)

    @inlinable
    init() {}

    /// Raises the flag; whether this was the first time.
    @inlinable
    func raise() -> Bool {
        !isRaised.exchange(true, ordering: .acquiringAndReleasing)
    }
}
