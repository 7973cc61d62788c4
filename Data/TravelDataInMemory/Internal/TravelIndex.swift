#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TravelDomain

/// Every travel as a search looks at it: its places in both orders, its traits and its title.
struct TravelIndex: Sendable {
    private struct Card: Sendable {
        let id: Travel.ID
        let createdAt: Date
        var traits: TravelTraits
        var title: Int
    }

    private var cards: [Card] = []
    private var unused: [Int] = []
    private var titles = TitleIndex()
    private var newest = DescendingOrder<Date>()
    private var mostLiked = DescendingOrder<Likes>()

    /// What the order of the most liked looks at first.
    private struct Likes: Comparable, Sendable {
        let count: Int
        let createdAt: Date

        static func < (a: Likes, b: Likes) -> Bool { (a.count, a.createdAt) < (b.count, b.createdAt) }
    }

    /// Adds travels that nobody likes yet; returns the number of each.
    mutating func add(_ travels: [RecordedTravel]) -> [Int] {
        let numbers = travels.map { add($0) }
        newest.insert(zip(travels, numbers).map { .init(key: $0.createdAt, id: $0.id, number: $1) })
        mostLiked.insert(
            zip(travels, numbers).map { .init(key: Likes(count: 0, createdAt: $0.createdAt), id: $0.id, number: $1) })
        return numbers
    }

    /// Takes over the new content of a travel.
    mutating func replace(_ number: Int, with content: TravelContent) {
        titles.remove(cards[number].title, of: number)
        cards[number].title = titles.add(content.title, of: number)
        cards[number].traits = TravelTraits(content)
    }

    /// Notes that other people like a travel.
    mutating func setLikes(of number: Int, from old: Int, to new: Int) {
        let card = cards[number]
        mostLiked.move(
            card.id, number, from: Likes(count: old, createdAt: card.createdAt),
            to: Likes(count: new, createdAt: card.createdAt))
    }

    /// Removes a travel that so many people like.
    mutating func remove(_ number: Int, likes: Int) {
        let card = cards[number]
        newest.remove(card.id, at: card.createdAt)
        mostLiked.remove(card.id, at: Likes(count: likes, createdAt: card.createdAt))
        titles.remove(cards[number].title, of: number)
        unused.append(number)
    }

    private mutating func add(_ travel: RecordedTravel) -> Int {
        let number = unused.popLast() ?? cards.count
        let card = Card(
            id: travel.id, createdAt: travel.createdAt, traits: TravelTraits(travel.content),
            title: titles.add(travel.content.title, of: number))
        if number < cards.count { cards[number] = card } else { cards.append(card) }
        return number
    }
}

extension TravelIndex {
    /// Calls `body` with the travels that meet the criteria, in their order and after the cursor, until it returns false.
    func forEach(
        _ criteria: TravelCriteria, after cursor: TravelCursor?, _ body: (Travel.ID) throws -> Bool
    ) throws {
        let filter = TravelTraits.Filter(criteria)
        var titles = criteria.keyword.map { KeywordMatches($0, in: self.titles) }
        if titles?.areNone == true { return }
        var passed = 0
        func visit(_ number: Int) throws -> Bool {
            if passed.isMultiple(of: 4_096) { try Task.checkCancellation() }
            passed += 1
            let card = cards[number]
            guard filter.admits(card.traits), titles?.contain(card.title) ?? true else { return true }
            return try body(card.id)
        }
        switch (criteria.sort, cursor?.position, cursor?.id) {
        case (.newest, .createdAt(let date)?, let id?): try newest.forEach(after: (date, id), visit)
        case (.newest, _, _): try newest.forEach(after: nil, visit)
        case (.mostLiked, .likeCount(let count, let date)?, let id?):
            try mostLiked.forEach(after: (Likes(count: count, createdAt: date), id), visit)
        case (.mostLiked, _, _): try mostLiked.forEach(after: nil, visit)
        }
    }

    /// The titles that contain the keyword and of which `isShown` says so of a travel, those that begin with it first.
    func titles(containing keyword: Keyword, limit: Int, isShown: (Travel.ID) -> Bool) -> [Title] {
        var found: [Title] = []
        func add(_ numbers: Set<Int>, where isWanted: (String) -> Bool) {
            for number in numbers {
                guard found.count < limit else { return }
                let entry = titles.entries[number]
                guard isWanted(entry.folded), entry.travels.contains(where: { isShown(cards[$0].id) }) else { continue }
                found.append(entry.title)
            }
        }
        add(titles.mayBegin(keyword)) { keyword.begins(folded: $0) }
        add(titles.mayContain(keyword)) { !keyword.begins(folded: $0) && keyword.matches(folded: $0) }
        return found
    }
}
