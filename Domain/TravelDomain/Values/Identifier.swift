/// A typed ID of an entity: the compiler rejects a `Trip.ID` where a `User.ID` is expected.
///
/// ```swift
/// let id = Trip.ID()                 // a new, unique ID
/// Trip.ID(id.description) == id      // true: the text form round-trips
/// ```
public struct Identifier<Entity>: Hashable, Sendable {
    /// The bytes of the UUID as two numbers, the first byte in the highest bits of `high`. The bytes of a UUID are copied and
    /// compared one by one.
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

    public var rawValue: UUID { withBytes { UUID(uuid: $0.load(as: uuid_t.self)) } }
}

extension Identifier {
    /// Creates an ID from the first 16 of these bytes.
    @inlinable
    package init(bytes: UnsafeRawBufferPointer) {
        self.init(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    /// Calls `body` with the 16 bytes of the UUID.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { body($0) }
    }
}

extension Identifier: Comparable {
    /// Compares the 16 bytes lexicographically, as SQLite compares blobs.
    public static func < (a: Self, b: Self) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

// The text of an ID is read and written here: by the C functions behind a UUID, it takes several times as long.
extension Identifier: CustomStringConvertible {
    /// The UUID in lower case: `"6f1c…-…"`.
    public var description: String { withText { String(decoding: $0, as: UTF8.self) } }

    /// Creates an ID from a UUID string in either case; `nil` for any other text.
    public init?(_ text: some StringProtocol) {
        var text = String(text)
        guard let id = text.withUTF8(Self.init(utf8:)) else { return nil }
        self = id
    }

    private init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        guard text.count == Self.textSize else { return nil }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for (place, character) in text.enumerated() {
            if Self.isHyphen(place) {
                guard character == UInt8(ascii: "-") else { return nil }
            } else {
                guard let digit = character.hexadecimalDigit else { return nil }
                high = high << 4 | low >> 60
                low = low << 4 | UInt64(digit)
            }
        }
        self.init(high: high, low: low)
    }

    private static var textSize: Int { 36 }

    /// Whether there is a hyphen at that place of the text (RFC 9562, section 4).
    private static func isHyphen(_ place: Int) -> Bool { place == 8 || place == 13 || place == 18 || place == 23 }

    /// Calls `body` with the ``description`` in ASCII.
    package func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.textSize) { text in
            var (high, low) = (high, low)
            for place in (0..<Self.textSize).reversed() {
                var character = UInt8(ascii: "-")
                if !Self.isHyphen(place) {
                    let digit = UInt8(truncatingIfNeeded: low) & 15
                    character = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                    low = low >> 4 | high << 60
                    high >>= 4
                }
                text.initializeElement(at: place, to: character)
            }
            return body(UnsafeBufferPointer(text))
        }
    }
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
