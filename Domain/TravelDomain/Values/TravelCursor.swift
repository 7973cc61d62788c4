#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A place in the order of a search: right after one travel.
///
/// Orders are total, because the identity decides between equals; a page that begins at a cursor therefore
/// neither repeats nor skips a travel, however many are written in between.
public struct TravelCursor: Hashable, Sendable {
    /// What the order looks at first.
    public enum Position: Hashable, Sendable {
        /// When the travel was recorded.
        case createdAt(Date)
        /// How many people like it, and then when it was recorded.
        case likeCount(Int, createdAt: Date)
    }

    /// What the order looks at first.
    public let position: Position
    /// What decides between equals.
    public let id: Travel.ID

    /// The place right after `travel` in that order.
    public init(after travel: Travel, in sort: TravelSort) {
        self.position =
            switch sort {
            case .newest: .createdAt(travel.createdAt)
            case .mostLiked: .likeCount(travel.likeCount, createdAt: travel.createdAt)
            }
        self.id = travel.id
    }

    /// The order it is a place in.
    public var sort: TravelSort {
        switch position {
        case .createdAt: .newest
        case .likeCount: .mostLiked
        }
    }
}

extension TravelSort {
    /// Whether `a` comes before `b`: the more liked first, then the later, and the greater identity between equals.
    public func precedes(_ a: Travel, _ b: Travel) -> Bool {
        switch self {
        case .newest: (a.createdAt, a.id) > (b.createdAt, b.id)
        case .mostLiked: (a.likeCount, a.createdAt, a.id) > (b.likeCount, b.createdAt, b.id)
        }
    }
}

extension TravelCursor {
    /// Whether `travel` comes after this place in its order.
    public func precedes(_ travel: Travel) -> Bool {
        switch position {
        case .createdAt(let date): (travel.createdAt, travel.id) < (date, id)
        case .likeCount(let count, let date): (travel.likeCount, travel.createdAt, travel.id) < (count, date, id)
        }
    }
}
