#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A recorded trip as one particular viewer sees it.
///
/// ```swift
/// let travel = try await repository.travel(id, viewer: author.id)
/// travel.isMine       // true
/// travel.likeCount    // 0
/// ```
public struct Travel: Hashable, Sendable, Identifiable {
    /// The ID of the travel, the same in every store.
    public let id: Identifier<Travel>
    /// The person who recorded it, and who alone edits it.
    public let author: User
    /// The content that its author wrote, without the timeline.
    public let content: TravelContent
    /// The time at which it was recorded.
    public let createdAt: Date
    /// The time of the last change of the content or the timeline; ``createdAt`` if there was none.
    public let updatedAt: Date
    /// The version of the content and the timeline.
    public let version: TravelVersion
    /// The number of people who like it.
    public let likeCount: Int
    /// Whether the viewer likes it; `false` without a viewer.
    public let isLiked: Bool
    /// Whether the viewer is its author; `false` without a viewer.
    public let isMine: Bool
    /// The image that represents the travel: the one its author chose, or else the first one in the timeline.
    public let thumbnail: TravelImage.ID?

    /// Creates a travel from its parts.
    ///
    /// - Parameters:
    ///   - id: The ID.
    ///   - author: The person who recorded it.
    ///   - content: The content.
    ///   - createdAt: The time at which it was recorded.
    ///   - updatedAt: The time of the last change; `nil` for `createdAt`.
    ///   - version: The version, by default the first.
    ///   - likeCount: The number of people who like it.
    ///   - isLiked: Whether the viewer likes it.
    ///   - isMine: Whether the viewer is its author.
    ///   - thumbnail: The image that represents it.
    /// - Throws: ``TravelError/invalid(_:)`` when the number of likes is negative, or when a time is not a number
    ///   (NaN).
    public init(
        id: ID, author: User, content: TravelContent, createdAt: Date, updatedAt: Date? = nil,
        version: TravelVersion = .first, likeCount: Int, isLiked: Bool, isMine: Bool, thumbnail: TravelImage.ID? = nil
    ) throws(TravelError) {
        try createdAt.requireMoment()
        try updatedAt?.requireMoment()
        guard likeCount >= 0 else { throw .invalid(.init(.likeCount, .outOfRange("0 or more"))) }
        self.id = id
        self.author = author
        self.content = content
        self.createdAt = createdAt
        self.updatedAt = updatedAt ?? createdAt
        self.version = version
        self.likeCount = likeCount
        self.isLiked = isLiked
        self.isMine = isMine
        self.thumbnail = thumbnail
    }

    /// The title of its content, of 1 to 60 characters.
    public var title: Title { content.title }
    /// The destination of its content, one region.
    public var region: Region { content.region }
    /// The days of its content, the first through the last.
    public var days: DayRange { content.days }
}
