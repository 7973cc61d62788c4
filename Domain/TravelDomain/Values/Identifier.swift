#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A typed ID of an entity: the compiler rejects a `Travel.ID` where a `User.ID` is expected.
///
/// ```swift
/// let id = Travel.ID()                 // a new, unique ID
/// Travel.ID(id.description) == id      // true: the text form round-trips
/// ```
public struct Identifier<Entity>: Hashable, Sendable {
    /// The underlying UUID, which stores and files keep.
    public let rawValue: UUID

    /// Creates an ID from `rawValue`, by default a new, unique one.
    public init(_ rawValue: UUID = UUID()) {
        self.rawValue = rawValue
    }

    /// Creates an ID from a UUID string in either case; `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        guard let rawValue = UUID(uuidString: String(text)) else { return nil }
        self.rawValue = rawValue
    }
}

extension Identifier: Comparable {
    /// Compares the 16 bytes lexicographically, as SQLite compares blobs.
    public static func < (a: Self, b: Self) -> Bool {
        withUnsafeBytes(of: a.rawValue.uuid) { a in
            withUnsafeBytes(of: b.rawValue.uuid) { b in a.lexicographicallyPrecedes(b) }
        }
    }
}

extension Identifier: CustomStringConvertible {
    /// The UUID in lower case: `"6f1c…-…"`.
    public var description: String { rawValue.uuidString.lowercased() }
}
