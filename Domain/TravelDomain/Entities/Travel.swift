#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A recorded trip as one particular viewer sees it.
public struct Travel: Hashable, Sendable, Identifiable {
    /// The ID of the travel.
    public let id: Identifier<Travel>
    /// The person who recorded it.
    public let author: User
    /// The content that its author wrote.
    public let content: TravelContent
    /// The time at which it was recorded.
    public let createdAt: Date
    /// The number of people who like it.
    public let likeCount: Int
    /// Whether the viewer likes it.
    public let isLiked: Bool
    /// Whether the viewer is its author.
    public let isMine: Bool
    /// The image that represents the travel: the one its author chose, or else the first one in the timeline.
    public let thumbnail: TravelImage.ID?

    /// Creates a travel from its parts.
    public init(
        id: ID, author: User, content: TravelContent, createdAt: Date, likeCount: Int, isLiked: Bool, isMine: Bool,
        thumbnail: TravelImage.ID? = nil
    ) {
        self.id = id
        self.author = author
        self.content = content
        self.createdAt = createdAt
        self.likeCount = likeCount
        self.isLiked = isLiked
        self.isMine = isMine
        self.thumbnail = thumbnail
    }

    /// The title.
    public var title: Title { content.title }
    /// The destination.
    public var region: Region { content.region }
    /// The first through the last day.
    public var days: DayRange { content.days }
}
