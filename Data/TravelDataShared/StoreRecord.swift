#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
package import TravelDomain

/// A record of the content of a store, to be copied into another store.
///
/// A store is read as its people, its trips and its blocks, in this order, so that whoever a trip or a block names
/// is known before.
package enum StoreRecord: Sendable {
    /// A user, with their picture.
    case person(User, avatar: TravelImage?)
    /// A trip, with everything that belongs to it.
    case travel(StoredTravel)
    /// A user blocks an author.
    case block(author: User.ID, by: User.ID)
}

/// A trip as a store has it, with its likes and reports.
package struct StoredTravel: Sendable {
    /// The trip with its timeline, version and times.
    package let recorded: RecordedTravel
    /// The images that it shows, in the order of `RecordedTravel.images`.
    package let images: [TravelImage]
    /// The people who like it.
    package let likedBy: [User.ID]
    /// The people who have reported it.
    package let reportedBy: [User.ID]
    /// The number of likes that searches sort by, which a store may keep apart from the likes.
    package let likeCount: Int

    /// Creates a trip; `likeCount` is by default the number of `likedBy`.
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
    /// Keeps its content; a trip that it has already is a conflict.
    case add
}

/// The target store has content, but only an empty store accepts these records.
package struct StoreNotEmpty: Error {
    package init() {}
}

/// The number of rows of each kind in a store, and a digest of them, to compare two stores.
///
/// Digests do not depend on the order of the rows. They are comparable within one process only.
package struct StoreSummary: Hashable, Sendable {
    /// A kind of row.
    package enum Kind: String, CaseIterable, Sendable {
        case people, avatars, travels, entries, images, likes, reports, blocks
    }

    private var rows: [Kind: Rows] = [:]

    private struct Rows: Hashable {
        var count = 0
        var digest = 0
    }

    /// The summary of an empty store.
    package init() {}

    /// The number of rows of a kind.
    package func count(of kind: Kind) -> Int { rows[kind]?.count ?? 0 }

    /// The first kind whose rows differ in `other`.
    package func difference(from other: StoreSummary) -> Kind? {
        Kind.allCases.first { rows[$0] != other.rows[$0] }
    }

    /// Adds the rows of a record.
    package mutating func add(_ record: StoreRecord) {
        switch record {
        case .person(let user, let avatar):
            add(.people) { hasher in
                hasher.combine(user.id)
                hasher.combine(text: user.nickname.text)
            }
            if let avatar { add(avatar, of: user.id.rawValue, to: .avatars) }
        case .travel(let travel): add(travel)
        case .block(let author, let user):
            add(.blocks) { hasher in
                hasher.combine(author)
                hasher.combine(user)
            }
        }
    }

    private mutating func add(_ travel: StoredTravel) {
        let recorded = travel.recorded
        add(.travels) { hasher in
            hasher.combine(recorded.id)
            hasher.combine(recorded.author.id)
            hasher.combine(recorded.createdAt)
            hasher.combine(recorded.updatedAt)
            hasher.combine(recorded.version)
            hasher.combine(recorded.content)
            // Equal titles may consist of different scalars.
            hasher.combine(text: recorded.content.title.text)
            hasher.combine(recorded.track)
            hasher.combine(travel.likeCount)
        }
        for entry in recorded.timeline {
            add(.entries) { hasher in
                hasher.combine(recorded.id)
                hasher.combine(entry)
                hasher.combine(text: entry.title.text)
                hasher.combine(text: entry.text.text)
                hasher.combine(text: entry.place?.name ?? "")
                hasher.combine(text: entry.place?.address ?? "")
            }
        }
        for image in travel.images { add(image, of: recorded.id.rawValue, to: .images) }
        for (kind, people) in [(Kind.likes, travel.likedBy), (.reports, travel.reportedBy)] {
            for person in people {
                add(kind) { hasher in
                    hasher.combine(recorded.id)
                    hasher.combine(person)
                }
            }
        }
    }

    private mutating func add(_ image: TravelImage, of owner: UUID, to kind: Kind) {
        add(kind) { hasher in
            hasher.combine(image.id)
            hasher.combine(owner)
            image.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    private mutating func add(_ kind: Kind, _ row: (inout Hasher) -> Void) {
        var hasher = Hasher()
        row(&hasher)
        rows[kind, default: Rows()].count += 1
        // A sum does not depend on the order, and two equal rows do not cancel each other as in an exclusive or.
        rows[kind, default: Rows()].digest &+= hasher.finalize()
    }
}

extension Hasher {
    fileprivate mutating func combine(text: String) {
        var text = text
        combine(text.utf8.count)
        text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
