/// The version of the content and the timeline of a travel.
///
/// It is opaque: a caller compares versions, and hands the one that it has read back to an edit, which then fails if
/// someone else has changed the travel in the meantime. Each change of the content or the timeline increases it, likes
/// do not.
///
/// ```swift
/// let travel = try await travels.travel(id, viewer: me)
/// try await editTravel(id, content, expecting: travel.version)
/// ```
public struct TravelVersion: Hashable, Sendable {
    /// The number of the version, 1-based, for stores.
    public let number: Int

    /// The version of a new travel, before any edit.
    public static let first = TravelVersion(unchecked: 1)

    /// Creates the version with that number; `nil` for a number below 1 or above 2^62, which no travel reaches.
    public init?(number: Int) {
        guard (1...1 << 62).contains(number) else { return nil }
        self.number = number
    }

    private init(unchecked number: Int) {
        self.number = number
    }

    /// The version after the next change.
    public var next: TravelVersion { TravelVersion(unchecked: number + 1) }
}

extension TravelVersion: Comparable {
    /// Whether `a` is older than `b`, a version of the same travel.
    public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

extension TravelVersion: CustomStringConvertible {
    /// The number of the version, in decimal digits.
    public var description: String { String(number) }
}
