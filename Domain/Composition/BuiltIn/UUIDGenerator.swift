import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A generator of unique identifiers.
///
/// ```swift
/// @Dependency(\.uuid) private var uuid
/// let draft = Draft(id: uuid())
/// ```
public struct UUIDGenerator: Sendable {
    private let generate: @Sendable () -> UUID

    /// Creates a generator that returns the identifiers of `generate`, which is called on the calling thread.
    public init(_ generate: @escaping @Sendable () -> UUID) {
        self.generate = generate
    }

    /// A generator that always returns the same identifier.
    ///
    /// ```swift
    /// let id = UUID()
    /// UUIDGenerator.constant(id)() == id    // true
    /// ```
    public static func constant(_ uuid: UUID) -> UUIDGenerator { UUIDGenerator { uuid } }

    /// A generator that counts in hexadecimal: `00000000-0000-0000-0000-000000000000`, `…-000000000001`, and so on.
    /// Each access of `incrementing` returns a generator that starts at 0; several threads may use it.
    public static var incrementing: UUIDGenerator {
        let counter = Counter()
        return UUIDGenerator { UUID(number: counter.next()) }
    }

    /// Returns the next identifier, on the calling thread.
    ///
    /// ```swift
    /// let uuid = UUIDGenerator.incrementing
    /// uuid().uuidString    // 00000000-0000-0000-0000-000000000000
    /// uuid().uuidString    // 00000000-0000-0000-0000-000000000001
    /// ```
    public func callAsFunction() -> UUID { generate() }
}

private final class Counter: Sendable {
    private let count = Atomic<UInt64>(0)

    func next() -> UInt64 { count.add(1, ordering: .relaxed).oldValue }
}

extension UUID {
    /// Stores the number in the last 8 bytes, the most significant first; the others are 0.
    fileprivate init(number: UInt64) {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        self.init(
            uuid: (
                0, 0, 0, 0, 0, 0, 0, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]
            ))
    }
}
