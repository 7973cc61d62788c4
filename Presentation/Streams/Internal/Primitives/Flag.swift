public import Synchronization

/// A flag that is set once: only the first caller succeeds.
@usableFromInline
final class Flag: Sendable {
    @usableFromInline let isRaised = Atomic(false)

    @inlinable
    init() {}

    /// Sets the flag.
    ///
    /// - Returns: Whether this call set it.
    @inlinable
    func raise() -> Bool {
        !isRaised.exchange(true, ordering: .acquiringAndReleasing)
    }
}
