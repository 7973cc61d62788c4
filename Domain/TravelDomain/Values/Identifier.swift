#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The identity of one entity, told apart by type: a `Travel.ID` is never mistaken for a `User.ID`.
///
/// ```swift
/// let id = Travel.ID()                 // a new identity
/// Travel.ID(id.description) == id      // true: the text form leads back
/// ```
public struct Identifier<Entity>: Hashable, Sendable {
    /// The 128 bits behind it.
    public let rawValue: UUID

    /// The identity made of `rawValue`; without one, a new identity that no other has.
    public init(_ rawValue: UUID = UUID()) {
        self.rawValue = rawValue
    }

    /// The identity written as a UUID string, in either case; `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        guard let rawValue = UUID(uuidString: String(text)) else { return nil }
        self.rawValue = rawValue
    }
}

extension Identifier: Comparable {
    /// Orders by the 16 bytes, first to last: the order a store sees.
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
