/// A record of the content of a store, to be copied into another store.
///
/// A store is read as its people, its travels and its blocks, in this order, so that whoever a travel or a block names
/// is known before.
package enum StoreRecord: Sendable {
    /// A person, with their picture.
    case person(User, avatar: TravelImage?)
    /// A travel, with everything that belongs to it.
    case travel(StoredTravel)
    /// A person blocks an author.
    case block(author: User.ID, by: User.ID)
}

/// A travel as a store has it, with its likes and reports.
package struct StoredTravel: Sendable {
    /// The travel with its timeline, version and times.
    package let recorded: RecordedTravel
    /// The images that it shows, in the order of `RecordedTravel.images`.
    package let images: [TravelImage]
    /// The people who like it.
    package let likedBy: [User.ID]
    /// The people who have reported it.
    package let reportedBy: [User.ID]
    /// The number of likes that searches sort by, which a store may keep apart from the likes.
    package let likeCount: Int

    /// Creates a travel; `likeCount` is by default the number of `likedBy`.
    package init(
        _ recorded: RecordedTravel, images: [TravelImage] = [], likedBy: [User.ID] = [], reportedBy: [User.ID] = [],
        likeCount: Int? = nil
    ) {
        (self.recorded, self.images) = (recorded, images)
        (self.likedBy, self.reportedBy) = (likedBy, reportedBy)
        self.likeCount = likeCount ?? likedBy.count
    }
}

/// How a store treats its own content when records are written into it.
package enum CopyPolicy: Sendable {
    /// Refuses records unless it is empty.
    case requireEmpty
    /// Removes its content in the same transaction.
    case replace
    /// Keeps its content; a travel that it has already is a conflict.
    case add
}

/// The target store has content, but only an empty store accepts these records.
package struct StoreNotEmpty: Error {
    /// Creates the error.
    package init() {}
}
