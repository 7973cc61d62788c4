import TravelDomain

/// Finds long names of members in a JSON text, without reading it as a value.
enum JSONNames {
    /// The largest number of bytes between the quotation marks of a name.
    static let longest = 256

    /// Whether a string of more than ``longest`` bytes stands before a colon, as the name of a member does. One pass over the
    /// bytes; what is not JSON is the decoder's to describe.
    static func haveLongOne(_ data: Data) -> Bool {
        data.withUnsafeBytes { bytes in
            var index = 0
            while index < bytes.count {
                guard bytes[index] == UInt8(ascii: "\"") else {
                    index += 1
                    continue
                }
                let start = index + 1
                index = start
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                let length = index - start
                index += 1
                guard length > longest else { continue }
                var next = index
                while next < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[next]) { next += 1 }
                if next < bytes.count, bytes[next] == UInt8(ascii: ":") { return true }
            }
            return false
        }
    }
}
