#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TravelDomain

/// A search index of all travels: both orders, the filter traits and the titles.
struct TravelIndex: Sendable {
    private struct Record: Sendable {
        let id: Travel.ID
        let createdAt: Date
        var traits: TravelTraits
        var title: Int
    }

    private var records: [Record] = []
    private var unused: [Int] = []
    private var titles = TitleIndex()
    private var newest = DescendingOrder<Date>()
    private var mostLiked = DescendingOrder<Likes>()

    /// The sort key of the order by likes.
    private struct Likes: Comparable, Sendable {
        let count: Int
        let createdAt: Date

        static func < (a: Likes, b: Likes) -> Bool { (a.count, a.createdAt) < (b.count, b.createdAt) }
    }

    /// Adds travels without likes and returns their numbers.
    mutating func add(_ travels: [RecordedTravel]) -> [Int] {
        let numbers = travels.map { add($0) }
        newest.insert(zip(travels, numbers).map { .init(key: $0.createdAt, id: $0.id, number: $1) })
        mostLiked.insert(
            zip(travels, numbers).map { .init(key: Likes(count: 0, createdAt: $0.createdAt), id: $0.id, number: $1) })
        return numbers
    }

    /// Replaces the content of a travel.
    mutating func replace(_ number: Int, with content: TravelContent) {
        titles.remove(records[number].title, of: number)
        records[number].title = titles.add(content.title, of: number)
        records[number].traits = TravelTraits(content)
    }

    /// Updates the number of likes of a travel.
    mutating func setLikes(of number: Int, from old: Int, to new: Int) {
        let record = records[number]
        mostLiked.move(
            record.id, number, from: Likes(count: old, createdAt: record.createdAt),
            to: Likes(count: new, createdAt: record.createdAt))
    }

    /// Removes a travel with that number of likes.
    mutating func remove(_ number: Int, likes: Int) {
        let record = records[number]
        newest.remove(record.id, at: record.createdAt)
        mostLiked.remove(record.id, at: Likes(count: likes, createdAt: record.createdAt))
        titles.remove(records[number].title, of: number)
        unused.append(number)
    }

    private mutating func add(_ travel: RecordedTravel) -> Int {
        let number = unused.popLast() ?? records.count
        let record = Record(
            id: travel.id, createdAt: travel.createdAt, traits: TravelTraits(travel.content),
            title: titles.add(travel.content.title, of: number))
        if number < records.count { records[number] = record } else { records.append(record) }
        return number
    }
}

extension TravelIndex {
    /// Calls `body` with each travel that meets the criteria, in order and after the cursor, until `body` returns
    /// false.
    func forEach(
        _ criteria: TravelCriteria, after cursor: TravelCursor?, _ body: (Travel.ID) throws -> Bool
    ) throws {
        let filter = TravelTraits.Filter(criteria)
        var titles = criteria.keyword.map { KeywordMatches($0, in: self.titles) }
        if titles?.areNone == true { return }
        var visited = 0
        func visit(_ number: Int) throws -> Bool {
            if visited.isMultiple(of: 4_096) { try Task.checkCancellation() }
            visited += 1
            let record = records[number]
            guard filter.admits(record.traits), titles?.contain(record.title) ?? true else { return true }
            return try body(record.id)
        }
        switch (criteria.sort, cursor?.position, cursor?.id) {
        case (.newest, .createdAt(let date)?, let id?): try newest.forEach(after: (date, id), visit)
        case (.newest, _, _): try newest.forEach(after: nil, visit)
        case (.mostLiked, .likeCount(let count, let date)?, let id?):
            try mostLiked.forEach(after: (Likes(count: count, createdAt: date), id), visit)
        case (.mostLiked, _, _): try mostLiked.forEach(after: nil, visit)
        }
    }
}
