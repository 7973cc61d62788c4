/// A typed ID of an entity: the compiler rejects a `Trip.ID` where a `User.ID` is expected.
///
/// ```swift
/// let id = Trip.ID()                 // a new, unique ID
/// Trip.ID(id.description) == id      // true: the text form round-trips
/// ```
public struct Identifier<Entity>: Hashable, Sendable {
    /// The bytes of the UUID as two numbers, the first byte in the highest bits of `high`: they are copied, compared and hashed
    /// in a fraction of the time of a UUID.
    @usableFromInline package let high, low: UInt64

    @inlinable
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates an ID from `rawValue`, by default a new, unique one.
    public init(_ rawValue: UUID = UUID()) {
        self = withUnsafeBytes(of: rawValue.uuid) { Self(bytes: $0) }
    }

    /// Creates an ID from the first 16 of these bytes.
    @inlinable
    package init(bytes: UnsafeRawBufferPointer) {
        self.init(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    public var rawValue: UUID { withBytes { UUID(uuid: $0.load(as: uuid_t.self)) } }

    /// Calls `body` with the 16 bytes of the UUID.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { body($0) }
    }

    /// Creates an ID from a UUID string in either case; `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 36, let rawValue = UUID(uuidString: String(text)) else { return nil }
        self.init(rawValue)
    }
}

extension Identifier: Comparable {
    /// Compares the 16 bytes lexicographically, as SQLite compares blobs.
    public static func < (a: Self, b: Self) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

extension Identifier: CustomStringConvertible {
    /// The UUID in lower case: `"6f1c…-…"`.
    public var description: String { rawValue.uuidString.lowercased() }
}

/// The version of the content and the timeline of a trip.
///
/// It is opaque: a caller compares versions, and hands the one that it has read back to an edit, which then fails if
/// someone else has changed the trip in the meantime. Each change of the content or the timeline increases it, likes
/// do not.
///
/// ```swift
/// let trip = try await trips.trip(id, viewer: me)
/// try await editTrip(id, content, expecting: trip.version)
/// ```
public struct TripVersion: Hashable, Sendable {
    /// The number of the version, 1-based, for stores.
    public let number: Int

    public static let first = TripVersion(unchecked: 1)

    /// Creates the version with that number; `nil` for a number below 1 or above 2^62, which no trip reaches.
    public init?(number: Int) {
        guard (1...1 << 62).contains(number) else { return nil }
        self.number = number
    }

    private init(unchecked number: Int) {
        self.number = number
    }

    public var next: TripVersion { TripVersion(unchecked: number + 1) }
}

extension TripVersion: Comparable {
    public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

extension TripVersion: CustomStringConvertible {
    public var description: String { String(number) }
}
