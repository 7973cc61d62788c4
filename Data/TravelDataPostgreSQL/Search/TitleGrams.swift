#if PostgreSQL
    import TravelDataSQL
    import TravelDomain

    /// The grams of a title that the index stores: numbers for its characters, bigrams and trigrams in folded form.
    ///
    /// A title can contain a keyword only if it has the gram of the keyword; `Keyword.matches(_:)` then decides. Grams are
    /// part of the stored form; changing them requires a migration.
    enum TitleGrams {
        /// All grams of a title.
        static func of(_ title: Title) -> [Int32] {
            let keys = keys(of: Keyword.folded(title.text))
            return Set((1...3).flatMap { length in numbers(of: keys, length: length) }).sorted()
        }

        /// One gram that a title must have to contain the keyword: one of the longest, which are the most selective. The
        /// planner multiplies the shares of several as if they were independent, and then reads the wrong index.
        static func of(_ keyword: Keyword) -> Int32? {
            let keys = keys(of: keyword.folded)
            let grams = numbers(of: keys, length: min(keys.count, 3))
            return grams.isEmpty ? nil : grams[grams.count / 2]
        }

        private static func keys(of text: String) -> [Unicode.Scalar] {
            text.map(CharacterKey.scalar(of:))
        }

        private static func numbers(of keys: [Unicode.Scalar], length: Int) -> [Int32] {
            guard length > 0, keys.count >= length else { return [] }
            return (0...keys.count - length).map { start in
                // FNV-1a over the characters.
                let hash = keys[start..<start + length].reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, key in
                    (hash ^ UInt64(key.value)) &* 0x0000_0100_0000_01b3
                }
                return Int32(truncatingIfNeeded: (hash ^ UInt64(length)) >> 29)
            }
        }
    }
#endif
