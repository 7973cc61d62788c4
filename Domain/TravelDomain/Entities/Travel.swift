#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A trip that someone recorded, as one particular viewer sees it.
public struct Travel: Hashable, Sendable, Identifiable {
    /// Which travel it is.
    public let id: Identifier<Travel>
    /// Who recorded it.
    public let author: User
    /// What its author wrote about it.
    public let content: TravelContent
    /// When it was recorded.
    public let createdAt: Date
    /// How many people like it.
    public let likeCount: Int
    /// Whether the viewer likes it.
    public let isLiked: Bool
    /// Whether the viewer is its author.
    public let isMine: Bool
    /// The image that stands for it: the one its author chose, else the first of its timeline.
    public let thumbnail: TravelImage.ID?

    /// A travel with these parts.
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
    /// Where the trip went.
    public var region: Region { content.region }
    /// When the trip was.
    public var days: DayRange { content.days }
}
