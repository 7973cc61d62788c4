#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
public import TravelDomain

extension Identifier {
    /// Derives an ID from `seed`: equal seeds have equal IDs, different seeds different ones.
    ///
    /// ```swift
    /// Travel.ID(seed: 1) == Travel.ID(seed: 1)    // true
    /// ```
    public init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        self.init(using: &random)
    }

    /// Creates an ID from random bits (a UUID of version 4).
    public init(using random: inout some RandomNumberGenerator) {
        var uuid = UUID().uuid
        withUnsafeMutableBytes(of: &uuid) { bytes in
            bytes.storeBytes(of: random.next().bigEndian, toByteOffset: 0, as: UInt64.self)
            bytes.storeBytes(of: random.next().bigEndian, toByteOffset: 8, as: UInt64.self)
            bytes[6] = bytes[6] & 0x0F | 0x40
            bytes[8] = bytes[8] & 0x3F | 0x80
        }
        self.init(UUID(uuid: uuid))
    }
}
