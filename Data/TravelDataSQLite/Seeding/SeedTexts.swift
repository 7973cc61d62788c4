import TravelDomain

/// Creates the titles and texts of seeded travels. Caches those that occur many times; most titles occur once.
struct SeedTexts {
    private var titles: [Numbers: Title] = [:]
    private var texts: [Numbers: EntryText] = [:]

    /// A text as the index of its pattern and the indices of its words.
    private struct Numbers: Hashable {
        let pattern: Int
        var first = 0
        var second = 0
        var third = 0
    }

    /// A title for a travel to the region with that index.
    mutating func title(region: Int, _ random: inout SplitMix64) throws(TravelError) -> Title {
        if random.index(below: 500) == 0 {
            let rare = random.index(below: SeedWords.rareTitles.count)
            return try title(Numbers(pattern: 0, first: rare), SeedWords.rareTitles[rare])
        }
        let noun = random.index(below: SeedWords.nouns.count)
        switch random.index(below: 16) {
        case 0: return try title(noun: noun)
        case 1, 2:
            let ending = random.index(below: SeedWords.endings.count)
            return try title(
                Numbers(pattern: 3, first: region, second: noun, third: ending),
                "\(SeedWords.regions[region]) \(SeedWords.nouns[noun]) \(SeedWords.endings[ending])")
        case 3:
            let adjective = random.index(below: SeedWords.adjectives.count)
            let sign = random.index(below: SeedWords.signs.count)
            return try title(
                Numbers(pattern: 2, first: adjective, second: noun, third: sign),
                "\(SeedWords.adjectives[adjective]) \(SeedWords.nouns[noun]) \(SeedWords.signs[sign])")
        case 4...7:
            let surname = random.pick(SeedWords.surnames)
            let name = Self.name(&random)
            return try Title("\(surname)\(name)의 \(random.pick(SeedWords.adjectives)) \(SeedWords.nouns[noun])")
        default:
            let adjective = random.pick(SeedWords.adjectives)
            let name = Self.name(&random)
            return try Title("\(SeedWords.regions[region]) \(adjective) \(SeedWords.nouns[noun]) \(name)")
        }
    }

    private static func name(_ random: inout SplitMix64) -> String {
        let first = random.pick(SeedWords.firstSyllables)
        return first + random.pick(SeedWords.secondSyllables)
    }

    /// The title that consists of the noun with that index.
    mutating func title(noun: Int) throws(TravelError) -> Title {
        try title(Numbers(pattern: 1, first: noun), SeedWords.nouns[noun])
    }

    /// A text about the noun with that index.
    mutating func text(noun: Int, _ random: inout SplitMix64) throws(TravelError) -> EntryText {
        let adjective = random.index(below: SeedWords.adjectives.count)
        let ending = random.index(below: SeedWords.endings.count)
        let numbers = Numbers(pattern: 0, first: adjective, second: noun, third: ending)
        if let text = texts[numbers] { return text }
        let text = try EntryText(
            "\(SeedWords.adjectives[adjective]) \(SeedWords.nouns[noun]), \(SeedWords.endings[ending])")
        texts[numbers] = text
        return text
    }

    private mutating func title(_ numbers: Numbers, _ words: @autoclosure () -> String) throws(TravelError) -> Title {
        if let title = titles[numbers] { return title }
        let title = try Title(words())
        titles[numbers] = title
        return title
    }
}
