#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
public import TravelDomain

extension TravelImage {
    /// Creates an image that begins with the signature of PNG; the rest cannot be decoded.
    ///
    /// - Parameters:
    ///   - seed: The seed of the ID and the bytes.
    ///   - size: The number of bytes.
    /// - Throws: `TravelError.invalid` when `size` is below 8 or above `maximumSize`.
    public init(seed: UInt64, size: Int = 64) throws(TravelError) {
        var random = SeededGenerator(seed: seed)
        try self.init(id: ID(seed: seed), size: size, using: &random)
    }

    /// Creates an image of random bits, which repeat after 4,099 bytes: a prime, so that no two pages of a store are
    /// equal.
    init(id: ID, size: Int, using random: inout SeededGenerator) throws(TravelError) {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        var bytes = Data(signature.prefix(max(size, 0)))
        while bytes.count < min(size, 4_099) {
            withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0.prefix(min(size, 4_099) - bytes.count)) }
        }
        let block = bytes
        while bytes.count < size { bytes.append(block.prefix(size - bytes.count)) }
        try self.init(id: id, bytes: bytes)
    }
}
