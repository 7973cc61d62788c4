import TravelDomain

/// Which titles contain a keyword: each text is compared once, when it is first asked for.
struct KeywordMatches {
    private enum Answer {
        case yes, no, unknown
    }

    private let keyword: Keyword
    private let index: TitleIndex
    private var answers: [Answer]
    /// Whether no title contains it.
    let areNone: Bool

    init(_ keyword: Keyword, in index: TitleIndex) {
        self.keyword = keyword
        self.index = index
        answers = [Answer](repeating: .no, count: index.entries.count)
        let candidates = index.mayContain(keyword)
        for number in candidates { answers[number] = .unknown }
        areNone = candidates.isEmpty
    }

    /// Whether the title of that number contains the keyword.
    mutating func contain(_ number: Int) -> Bool {
        if answers[number] == .unknown {
            answers[number] = keyword.matches(folded: index.entries[number].folded) ? .yes : .no
        }
        return answers[number] == .yes
    }
}
