import TravelDomain

/// An index of all distinct titles that finds them by any part.
///
/// An inverted index maps each character and each pair of adjacent characters, in folded form, to the titles that
/// contain it. It yields candidates, which the caller then compares with the keyword.
struct TitleIndex: Sendable {
    /// A title with its folded form and the numbers of the travels that have it.
    struct Entry: Sendable {
        let title: Title
        let folded: String
        fileprivate(set) var travels: Set<Int> = []
    }

    /// One or two adjacent characters, anywhere in a title or at its beginning.
    private struct Gram: Hashable {
        let characters: Substring
        var isAtStart = false
    }

    /// The titles by number; some numbers are unused.
    private(set) var entries: [Entry] = []
    private var unused: [Int] = []
    private var numbers: [Title: Int] = [:]
    private var titles: [Gram: Set<Int>] = [:]

    /// Registers that a travel has the title, and returns the number of the title.
    mutating func add(_ title: Title, of travel: Int) -> Int {
        let number = numbers[title] ?? add(title)
        entries[number].travels.insert(travel)
        return number
    }

    /// Unregisters a travel from a title.
    mutating func remove(_ number: Int, of travel: Int) {
        entries[number].travels.remove(travel)
        guard entries[number].travels.isEmpty else { return }
        for gram in Self.grams(of: entries[number].folded) {
            titles[gram]?.remove(number)
            if titles[gram]?.isEmpty == true { titles[gram] = nil }
        }
        numbers[entries[number].title] = nil
        unused.append(number)
    }

    /// A superset of the titles that contain the keyword.
    func candidates(containing keyword: Keyword) -> Set<Int> {
        let length = min(keyword.folded.count, 2)
        let lists = Self.runs(of: length, in: keyword.folded).map { titles[Gram(characters: $0)] ?? [] }
        return lists.min { $0.count < $1.count } ?? []
    }

    /// A superset of the titles that begin with the keyword.
    func candidates(beginningWith keyword: Keyword) -> Set<Int> {
        titles[Gram(characters: keyword.folded.prefix(2), isAtStart: true)] ?? []
    }

    private mutating func add(_ title: Title) -> Int {
        let entry = Entry(title: title, folded: Keyword.folded(title.text))
        let number = unused.popLast() ?? entries.count
        if number < entries.count { entries[number] = entry } else { entries.append(entry) }
        numbers[title] = number
        for gram in Self.grams(of: entry.folded) { titles[gram, default: []].insert(number) }
        return number
    }

    private static func grams(of folded: String) -> Set<Gram> {
        let inside = (runs(of: 1, in: folded) + runs(of: 2, in: folded)).map { Gram(characters: $0) }
        return Set(inside + [folded.prefix(1), folded.prefix(2)].map { Gram(characters: $0, isAtStart: true) })
    }

    private static func runs(of length: Int, in text: String) -> [Substring] {
        zip(text.indices, text.indices.dropFirst(length - 1)).map { text[$0...$1] }
    }
}
