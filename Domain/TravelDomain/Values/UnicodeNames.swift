/// Which texts look alike, by the table of confusables of Unicode Technical Standard 39 (Unicode Security Mechanisms,
/// section 4).
///
/// The table is parsed at the first use, which takes a few milliseconds.
enum Confusables {
    /// The same text for all texts that look alike, in Normalization Form D.
    ///
    /// The standard compares texts as they are shown. Here letter case does not count either, and the capital and the small
    /// form of a letter may look like two others; their skeletons are found for both.
    static func skeleton(_ text: String) -> String {
        let visible = text.unicodeScalars.filter { !TextFolding.isInvisible($0) }
        var skeleton = prototype(String(String.UnicodeScalarView(visible)))
        // Few letters need a third round: the small form of what a capital looks like may look like yet another letter.
        for _ in 0..<4 {
            let next = prototype(withoutCase(skeleton))
            if next.unicodeScalars.elementsEqual(skeleton.unicodeScalars) { break }
            skeleton = next
        }
        return skeleton
    }

    /// The skeleton of the standard: each character replaced by what it looks like, between two decompositions.
    private static func prototype(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.decomposed.unicodeScalars {
            if let target = targets[scalar] { result.append(contentsOf: target) } else { result.append(scalar) }
        }
        return String(result).decomposed
    }

    private static func withoutCase(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            // A capital I looks like a small l.
            if scalar == "i" {
                result.append("l")
            } else if scalar.isASCII {
                result.append(("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) + 0x20) : scalar)
            } else {
                result.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            }
        }
        return String(result)
    }

    /// What each confusable character looks like.
    private static let targets: [Unicode.Scalar: String.UnicodeScalarView] = {
        var targets: [Unicode.Scalar: String.UnicodeScalarView] = [:]
        for (key, ranges) in UnicodeNames.groups(of: UnicodeNames.confusableText) {
            let target = key.split(separator: "+").compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
            let visible = String.UnicodeScalarView(target.filter { !TextFolding.isInvisible($0) })
            for (first, _) in ranges { targets[first] = visible }
        }
        return targets
    }()
}

/// The writing systems in whose texts a character occurs: the augmented script set of Unicode Technical Standard 39 (section
/// 5.1), a bit for each.
struct NameScripts: Hashable {
    private let bits: UInt64

    /// The writing systems of a character; `nil` if no name can contain it.
    static func of(_ scalar: Unicode.Scalar) -> NameScripts? {
        var range = 0..<ranges.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            let (first, last, scripts) = ranges[middle]
            if scalar < first {
                range = range.lowerBound..<middle
            } else if scalar > last {
                range = middle + 1..<range.upperBound
            } else {
                return scripts
            }
        }
        return nil
    }

    /// Whether a text of characters with these writing systems is at the level "highly restrictive" (section 5.2).
    static func areHighlyRestrictive(_ scripts: [NameScripts]) -> Bool {
        if scripts.reduce(.max, { $0 & $1.bits }) != 0 { return true }
        return covers.contains { cover in scripts.allSatisfy { $0.bits & cover != 0 } }
    }

    private static let covers = ["Jpan", "Kore", "Hanb"].map { table.bit(of: "Latn") | table.bit(of: $0) }
    private static let ranges = table.ranges.sorted { $0.first < $1.first }

    private static let table = {
        var table = Table()
        for (key, ranges) in UnicodeNames.groups(of: UnicodeNames.scriptText) {
            let scripts = table.scripts(of: key)
            table.ranges += ranges.map { ($0.first, $0.last, scripts) }
        }
        return table
    }()

    private struct Table {
        var ranges: [(first: Unicode.Scalar, last: Unicode.Scalar, scripts: NameScripts)] = []
        private var bits: [Substring: UInt64] = [:]

        /// The set that a key of the table names: `Hira+Jpan`, or `Zyyy` for characters that occur in all texts.
        mutating func scripts(of key: Substring) -> NameScripts {
            if key == "Zyyy" { return NameScripts(bits: .max) }
            var all: UInt64 = 0
            for name in key.split(separator: "+") {
                let bit = bits[name] ?? 1 << bits.count
                bits[name] = bit
                all |= bit
            }
            return NameScripts(bits: all)
        }

        func bit(of name: Substring) -> UInt64 { bits[name] ?? 0 }
    }
}

/// The tables of Unicode that `Tests/Tools/pack-unicode-names.py` writes.
///
/// A table has words between white space. One that ends with a colon is a key, and those that follow are the characters that
/// have it, in hexadecimal digits: `A6`, or `41-5A` for several in a row.
enum UnicodeNames {
    typealias Characters = (first: Unicode.Scalar, last: Unicode.Scalar)

    /// The keys of a table with their characters.
    static func groups(of table: String) -> [(key: Substring, characters: [Characters])] {
        var groups: [(key: Substring, characters: [Characters])] = []
        for word in table.utf8.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }) {
            if word.last == UInt8(ascii: ":") {
                groups.append((Substring(word.dropLast()), []))
                continue
            }
            let ends = word.split(separator: UInt8(ascii: "-"))
                .compactMap { UInt32(Substring($0), radix: 16).flatMap(Unicode.Scalar.init) }
            if let first = ends.first, let last = ends.last {
                groups[groups.count - 1].characters.append((first, last))
            }
        }
        return groups
    }
}

extension Character {
    /// Whether the character is an emoji, and has no scalar that is not a part of it: joiners are between emoji, a variation
    /// selector is behind one, and tags are those of a flag (Unicode Technical Standard 51).
    var isEmojiSequence: Bool {
        let scalars = Array(unicodeScalars)
        if scalars[0].isASCII {
            return scalars[0].properties.isEmoji && scalars.dropFirst().elementsEqual(["\u{FE0F}", "\u{20E3}"])
        }
        return scalars.indices.allSatisfy { index in
            switch scalars[index] {
            case "\u{FE0F}": index > 0 && scalars[index - 1].isEmoji
            case "\u{200D}": index > 0 && index + 1 < scalars.count && scalars[index + 1].isEmoji
            case "\u{E0020}"..."\u{E007F}": scalars[0] == "🏴"
            case let scalar: scalar.isEmoji
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is an emoji, or a part of one, by itself. Digits, which have that property too, are not.
    var isEmoji: Bool { !isASCII && properties.isEmoji }
}
