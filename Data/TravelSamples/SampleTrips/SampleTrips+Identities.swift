#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

public import TravelDomain

/// IDs derived from the numbers in the texts: UUIDs of version 8 (RFC 9562), whose content is application-defined.
extension SampleTrips {
    /// The ID of the traveller with that letter.
    static func travelerID(_ letter: Character) -> User.ID {
        User.ID(uuid(kind: 1, Int(letter.asciiValue ?? 0), 0))
    }

    /// The ID of the trip with that number.
    static func travelID(_ number: Int) -> RecordedTravel.ID {
        Travel.ID(uuid(kind: travelKind, number, 0))
    }

    /// The ID of an entry at that 1-based position in the text of the trip.
    static func entryID(trip number: Int, position: Int) -> TimelineEntry.ID {
        TimelineEntry.ID(uuid(kind: 3, number, position))
    }

    /// Whether a travel with that ID is one of the samples. Their IDs have a mark in common, so that no sample has to
    /// be read for an answer.
    public static func contains(_ id: Travel.ID) -> Bool {
        withUnsafeBytes(of: id.rawValue.uuid) { bytes in
            bytes[4...12].elementsEqual([0x53, 0x41, 0x80, travelKind, 0x80, 0x4D, 0x50, 0x4C, 0x45])
        }
    }

    private static let travelKind: UInt8 = 2

    /// The first four bytes differ for all of them, so that people can name a trip by the first characters of its ID.
    private static func uuid(kind: UInt8, _ number: Int, _ position: Int) -> UUID {
        let high = UInt8(truncatingIfNeeded: number >> 8)
        let low = UInt8(truncatingIfNeeded: number)
        let place = UInt8(truncatingIfNeeded: position)
        // A finalizer of MurmurHash3 (Austin Appleby): different numbers have different hashes.
        var hash = UInt32(kind) << 24 | UInt32(high) << 16 | UInt32(low) << 8 | UInt32(place)
        hash = (hash ^ hash >> 16) &* 0x85EB_CA6B
        hash = (hash ^ hash >> 13) &* 0xC2B2_AE35
        hash ^= hash >> 16
        let start = (0..<4).map { UInt8(truncatingIfNeeded: hash >> (24 - 8 * $0)) }
        return UUID(
            uuid: (
                start[0], start[1], start[2], start[3], 0x53, 0x41, 0x80, kind, 0x80, 0x4D, 0x50, 0x4C, 0x45, high, low,
                place
            ))
    }
}
