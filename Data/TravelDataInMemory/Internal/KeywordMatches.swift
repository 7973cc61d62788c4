import TravelDomain

/// Decides which titles contain a keyword. Each title is compared lazily and at most once.
struct KeywordMatches {
    private enum Answer {
        case yes, no, unknown
    }

    private let keyword: Keyword
    private let index: TitleIndex
    private var answers: [Answer]
    /// Whether no title contains the keyword.
    let areNone: Bool

    init(_ keyword: Keyword, in index: TitleIndex) {
        self.keyword = keyword
        self.index = index
        answers = [Answer](repeating: .no, count: index.entries.count)
        let candidates = index.candidates(containing: keyword)
        for number in candidates { answers[number] = .unknown }
        areNone = candidates.isEmpty
    }

    /// Whether the title with that number contains the keyword.
    mutating func contain(_ number: Int) -> Bool {
        if answers[number] == .unknown {
            answers[number] = keyword.matches(folded: index.entries[number].folded) ? .yes : .no
        }
        return answers[number] == .yes
    }
}
