import TravelDomain

/// Creates the titles and texts of generated travels. Caches those that occur many times; most titles occur once.
struct GeneratedTexts {
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
            let rare = random.index(below: GeneratedWords.rareTitles.count)
            return try title(Numbers(pattern: 0, first: rare), GeneratedWords.rareTitles[rare])
        }
        let noun = random.index(below: GeneratedWords.nouns.count)
        switch random.index(below: 16) {
        case 0: return try title(noun: noun)
        case 1, 2:
            let ending = random.index(below: GeneratedWords.endings.count)
            return try title(
                Numbers(pattern: 3, first: region, second: noun, third: ending),
                "\(GeneratedWords.regions[region]) \(GeneratedWords.nouns[noun]) \(GeneratedWords.endings[ending])")
        case 3:
            let adjective = random.index(below: GeneratedWords.adjectives.count)
            let sign = random.index(below: GeneratedWords.signs.count)
            return try title(
                Numbers(pattern: 2, first: adjective, second: noun, third: sign),
                "\(GeneratedWords.adjectives[adjective]) \(GeneratedWords.nouns[noun]) \(GeneratedWords.signs[sign])")
        case 4...7:
            let surname = random.pick(GeneratedWords.surnames)
            let name = Self.name(&random)
            return try Title(
                "\(surname)\(name)의 \(random.pick(GeneratedWords.adjectives)) \(GeneratedWords.nouns[noun])")
        default:
            let adjective = random.pick(GeneratedWords.adjectives)
            let name = Self.name(&random)
            return try Title("\(GeneratedWords.regions[region]) \(adjective) \(GeneratedWords.nouns[noun]) \(name)")
        }
    }

    private static func name(_ random: inout SplitMix64) -> String {
        let first = random.pick(GeneratedWords.firstSyllables)
        return first + random.pick(GeneratedWords.secondSyllables)
    }

    /// The title that consists of the noun with that index.
    mutating func title(noun: Int) throws(TravelError) -> Title {
        try title(Numbers(pattern: 1, first: noun), GeneratedWords.nouns[noun])
    }

    /// A text about the noun with that index.
    mutating func text(noun: Int, _ random: inout SplitMix64) throws(TravelError) -> EntryText {
        let adjective = random.index(below: GeneratedWords.adjectives.count)
        let ending = random.index(below: GeneratedWords.endings.count)
        let numbers = Numbers(pattern: 0, first: adjective, second: noun, third: ending)
        if let text = texts[numbers] { return text }
        let text = try EntryText(
            "\(GeneratedWords.adjectives[adjective]) \(GeneratedWords.nouns[noun]), \(GeneratedWords.endings[ending])")
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
