package import TravelDomain

/// The terms by which stores find titles, and the titles and places of entries: hashes of the characters of a folded text,
/// of the pairs of adjacent characters, and of its beginnings.
///
/// A title contains a keyword only if it has all pairs of the keyword, or its only character; `Keyword.matches(_:)`
/// then decides. Pairs find Korean words of two syllables, which a trigram index cannot. Different texts may have the same
/// term. The upper bits of a term are evenly distributed: a store that needs fewer takes these.
///
/// The terms are part of the stored form; changing them requires a migration.
package struct TitleTerms {
    private let keys: [UInt64]

    private init(folded text: String) { keys = text.map { UInt64(CharacterKey.scalar(of: $0).value) } }

    /// The terms of the characters and pairs of a title; of the first `limit` characters only if it has more, and
    /// whether it has.
    package static func grams(of title: Title, atMost limit: Int = .max) -> (terms: [UInt64], isCut: Bool) {
        let keys = TitleTerms(folded: Keyword.folded(title.text)).keys
        let first = keys.prefix(limit)
        return (first.map(term) + pairs(first), first.count < keys.count)
    }

    /// The terms of the title of an entry or the name of its place: of its pairs, of its triples if it has at most `length`
    /// characters, and of its first `limit` different characters; and whether some are missing.
    ///
    /// A timeline has many texts: triples keep those apart that have the pairs of a keyword in several of them.
    package static func grams(
        ofEntryText text: String, length: Int = .max, characters limit: Int = .max
    ) -> (terms: [UInt64], isCut: Bool) {
        let keys = TitleTerms(folded: Keyword.folded(text)).keys
        var characters: Set<UInt64> = []
        for key in keys where characters.count < limit { characters.insert(key) }
        let isLong = keys.count > length
        let isCut = isLong || keys.contains { !characters.contains($0) }
        return (characters.map(term) + pairs(keys[...]) + (isLong ? [] : triples(keys)), isCut)
    }

    /// The terms of the triples that every text of an entry with `keyword` has, if none is missing; of the pairs or the only
    /// character of a shorter keyword.
    package static func required(ofEntriesBy keyword: Keyword) -> [UInt64] {
        let keys = TitleTerms(folded: keyword.folded).keys
        return keys.count < 3 ? required(by: keyword) : triples(keys)
    }

    /// The terms of the characters and pairs of a keyword.
    package static func grams(of keyword: Keyword) -> [UInt64] {
        let keys = TitleTerms(folded: keyword.folded).keys
        return keys.map(term) + pairs(keys[...])
    }

    /// The terms that every title with `keyword` has, in the order of the text.
    package static func required(by keyword: Keyword) -> [UInt64] {
        let keys = TitleTerms(folded: keyword.folded).keys
        return keys.count == 1 ? keys.map(term) : pairs(keys[...])
    }

    /// The terms of the beginnings of each of the title's openings.
    package static func openings(of title: Title) -> [UInt64] {
        title.openings.flatMap { TitleTerms(folded: $0).openings }
    }

    /// The term that every title has of which `keyword` opens a word: that of the longest beginning, since a title with
    /// it also has those of the others.
    package static func opening(by keyword: Keyword) -> UInt64? { TitleTerms(folded: keyword.keystrokes).openings.last }

    /// The numbers of letters of the beginnings; `Keyword.opens(_:)` compares further letters.
    private static let openingLengths = [1, 2, 3, 4, 6, 8, 10, 14]

    private var openings: [UInt64] {
        Self.openingLengths.prefix { $0 <= keys.count }.map { length in
            // FNV-1a, with the length, so that a beginning has another term than a pair.
            var hash = 0xCBF2_9CE4_8422_2325 ^ UInt64(length)
            for index in 0..<length { hash = (hash ^ keys[index]) &* 0x100_0000_01B3 }
            return Self.term(hash)
        }
    }

    private static func pairs(_ keys: ArraySlice<UInt64>) -> [UInt64] {
        zip(keys, keys.dropFirst()).map { term($0 << 32 | $1) }
    }

    private static func triples(_ keys: [UInt64]) -> [UInt64] {
        zip(zip(keys, keys.dropFirst()), keys.dropFirst(2)).map { term(1 << 63 | $0.0 << 42 | $0.1 << 21 | $1) }
    }

    /// A Fibonacci hash.
    private static func term(_ text: UInt64) -> UInt64 { (text ^ text >> 29) &* 0x9E37_79B9_7F4A_7C15 }
}
