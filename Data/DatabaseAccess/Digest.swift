/// A digest of a text that is stable across platforms and versions.
package enum Digest {
    /// Returns the 64-bit FNV-1a hash of the text's UTF-8, as 16 hexadecimal digits.
    ///
    /// It detects edits of a migration, and gives no protection against forgery.
    package static func text(of text: String) -> String {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Returns a name for a text: the 128-bit FNV-1a hash of its UTF-8, as 32 hexadecimal digits.
    ///
    /// Among a billion different texts, two have the same name with a probability of 1 to 10²⁰.
    package static func name(of text: String) -> String {
        let hash = text.utf8.reduce(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d as UInt128) { hash, byte in
            (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}
