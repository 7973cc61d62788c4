import TravelDomain

/// Every title once, to be found by any part of it.
///
/// It knows for each character and each two neighbours, in the form in which titles are compared, which titles have them;
/// of these few the text decides.
struct TitleIndex: Sendable {
    /// A title, in the form in which it is compared too, and the numbers of the travels that have it.
    struct Entry: Sendable {
        let title: Title
        let folded: String
        fileprivate(set) var travels: Set<Int> = []
    }

    /// A character or two neighbours, anywhere or at the beginning of a title.
    private struct Gram: Hashable {
        let characters: Substring
        var isAtStart = false
    }

    /// The titles by their numbers; some numbers are not in use.
    private(set) var entries: [Entry] = []
    private var unused: [Int] = []
    private var numbers: [Title: Int] = [:]
    private var titles: [Gram: Set<Int>] = [:]

    /// Notes that the travel of that number has the title, and returns the number of the title.
    mutating func add(_ title: Title, of travel: Int) -> Int {
        let number = numbers[title] ?? add(title)
        entries[number].travels.insert(travel)
        return number
    }

    /// Notes that the travel of that number has the title no longer.
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

    /// The titles that may contain the keyword; there are no others.
    func mayContain(_ keyword: Keyword) -> Set<Int> {
        let length = min(keyword.folded.count, 2)
        let lists = Self.runs(of: length, in: keyword.folded).map { titles[Gram(characters: $0)] ?? [] }
        return lists.min { $0.count < $1.count } ?? []
    }

    /// The titles that may begin with the keyword; there are no others.
    func mayBegin(_ keyword: Keyword) -> Set<Int> {
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
