#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A position in the order of search results: immediately after one travel.
///
/// Orders are total, because the ID breaks ties. A page that begins at a cursor therefore neither repeats nor skips
/// a travel, even if travels are added in between.
///
/// ```swift
/// let cursor = TravelCursor(after: page.travels[9], in: .newest)
/// let rest = try await search(criteria, after: cursor)    // the travels from the eleventh on
/// ```
public struct TravelCursor: Hashable, Sendable {
    /// The sort key of a position, without the ID.
    ///
    /// ```swift
    /// TravelCursor(after: travel, in: .newest).position    // .createdAt(travel.createdAt)
    /// ```
    public enum Position: Hashable, Sendable {
        /// The time of recording.
        case createdAt(Date)
        /// The number of likes, then the time of recording.
        case likeCount(Int, createdAt: Date)
        /// The first day of the travel, then the time of recording.
        case firstDay(CalendarDay, createdAt: Date)
    }

    /// The sort key of the travel before this position.
    public let position: Position
    /// The ID that breaks ties between equal positions.
    public let id: Travel.ID

    init(position: Position, id: Travel.ID) {
        self.position = position
        self.id = id
    }

    /// Creates the position immediately after `travel` in the order `sort`.
    public init(after travel: Travel, in sort: TravelSort) {
        self.position =
            switch sort {
            case .newest: .createdAt(travel.createdAt)
            case .mostLiked: .likeCount(travel.likeCount, createdAt: travel.createdAt)
            case .tripDate: .firstDay(travel.days.first, createdAt: travel.createdAt)
            }
        self.id = travel.id
    }

    /// The order to which the position belongs.
    public var sort: TravelSort {
        switch position {
        case .createdAt: .newest
        case .likeCount: .mostLiked
        case .firstDay: .tripDate
        }
    }
}

extension TravelSort {
    /// Whether `a` comes before `b`: more likes or the later first day first, then the later one, then the greater ID.
    public func precedes(_ a: Travel, _ b: Travel) -> Bool {
        switch self {
        case .newest: (a.createdAt, a.id) > (b.createdAt, b.id)
        case .mostLiked: (a.likeCount, a.createdAt, a.id) > (b.likeCount, b.createdAt, b.id)
        case .tripDate: (a.days.first, a.createdAt, a.id) > (b.days.first, b.createdAt, b.id)
        }
    }
}

extension TravelCursor {
    /// Whether `travel` comes after this position in its order.
    public func precedes(_ travel: Travel) -> Bool {
        switch position {
        case .createdAt(let date): (travel.createdAt, travel.id) < (date, id)
        case .likeCount(let count, let date): (travel.likeCount, travel.createdAt, travel.id) < (count, date, id)
        case .firstDay(let day, let date): (travel.days.first, travel.createdAt, travel.id) < (day, date, id)
        }
    }
}
