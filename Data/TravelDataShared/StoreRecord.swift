package import TravelDomain

/// A record of the content of a store, to be copied into another store.
///
/// A store is read as its people, its trips and its blocks, in this order, so that whoever a trip or a block names
/// is known before.
package enum StoreRecord: Sendable {
    /// A user, with their picture, and their account if they have one. Devices stay signed in to the store that they know.
    case user(User, avatar: TripImage? = nil, account: StoredAccount? = nil)
    /// A trip, with everything that belongs to it.
    case trip(StoredTrip)
    /// A user blocks an author.
    case block(author: User.ID, by: User.ID)
    /// The ID of a removed trip, which only its author may use again, also after they have left.
    case removed(Trip.ID, author: User.ID)
}

/// The account of a user as a store has it. Times are seconds since 2001.
package struct StoredAccount: Hashable, Sendable {
    package let password: PasswordHash
    /// When it was created; `nil` if that is not known.
    package let since: Double?
    /// When the owner of the store blocked it; `nil` if it is not blocked.
    package let blockedAt: Double?

    package init(_ password: PasswordHash, since: Double? = nil, blockedAt: Double? = nil) {
        (self.password, self.since, self.blockedAt) = (password, since, blockedAt)
    }
}

/// A report of a trip as a store has it.
package struct StoredReport: Hashable, Sendable {
    package let user: User.ID
    /// When it was made, in seconds since 2001; `nil` if that is not known.
    package let time: Double?
    /// Whether it counts towards `Visibility.toleratedReports`.
    package let counts: Bool

    package init(by user: User.ID, at time: Double? = nil, counts: Bool = true) {
        (self.user, self.time, self.counts) = (user, time, counts)
    }

    /// What a trip that the owner of the store has hidden has in addition to the number of its reports, where a store keeps
    /// that number for searches: more than any trip has reports.
    package static let weightOfHiding = 1_000_000_000
    /// The same of a trip that is not public: searches of others leave it out by the number alone. Both together, and the
    /// reports, are less than 2^31.
    package static let weightOfAudience = 1_000_000_000

    /// What a trip with that audience has in addition to the number of its reports.
    package static func weight(of audience: Audience) -> Int { audience == .everyone ? 0 : weightOfAudience }
}

/// A trip as a store has it, with its likes and reports.
package struct StoredTrip: Sendable {
    /// The trip with its timeline, version and times.
    package let recorded: RecordedTrip
    /// The images that it shows, in the order of `RecordedTrip.images`.
    package let images: [TripImage]
    package let likedBy: [User.ID]
    package let reports: [StoredReport]
    /// Whether the owner of the store has hidden it.
    package let isHidden: Bool
    /// The number of likes that searches sort by, which a store may keep apart from the likes.
    package let likeCount: Int

    /// Creates a trip; `likeCount` is by default the number of `likedBy`.
    package init(
        _ recorded: RecordedTrip, images: [TripImage] = [], likedBy: [User.ID] = [], reports: [StoredReport] = [],
        isHidden: Bool = false, likeCount: Int? = nil
    ) {
        (self.recorded, self.images) = (recorded, images)
        (self.likedBy, self.reports, self.isHidden) = (likedBy, reports, isHidden)
        self.likeCount = likeCount ?? likedBy.count
    }

    /// The number by which searches decide whether the trip is shown.
    package var reportCount: Int {
        reports.count { $0.counts } + (isHidden ? StoredReport.weightOfHiding : 0)
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

/// A store whose whole content can be read, and written in one transaction.
package protocol CopiedStore: Sendable {
    /// Reads everything that the store holds, as one snapshot, and calls `receive` with each record.
    ///
    /// `receive` runs on a thread of the database, and may block it. It must not be called again from the beginning: open
    /// a database on a server with a `retryCount` of 0.
    ///
    /// - Throws: `TravelError.unavailable` when the store cannot answer, or an image is missing or damaged; the errors of
    ///   `receive`; `CancellationError`.
    func readRecords(_ receive: @escaping @Sendable (StoreRecord) throws -> Void) async throws

    /// Writes records of another store in one transaction, with their versions and times.
    ///
    /// `next` and `check` run on a thread of the database, and may block it; others can read meanwhile. When this throws,
    /// or the process ends, nothing has changed. Records cannot be had twice: open a database on a server with a
    /// `retryCount` of 0.
    ///
    /// - Parameters:
    ///   - policy: What happens to the content of this store.
    ///   - next: Returns the records one after the other, and then `nil`.
    ///   - check: Called before the commit with a summary of everything that the store holds then, for which all of it is
    ///     read; `nil` to read nothing.
    /// - Throws: `StoreNotEmpty` for a store that has to be empty and is not; `TravelError.conflict` for a trip, entry or
    ///   image that it has already; `TravelError.unavailable` when it cannot answer; the errors of `next` and `check`;
    ///   `CancellationError`.
    func writeRecords(
        _ policy: CopyPolicy, next: @escaping @Sendable () throws -> StoreRecord?,
        check: (@Sendable (StoreSummary) throws -> Void)?
    ) async throws
}

/// Records that a store writes together.
package struct RecordBatch {
    package private(set) var users: [(user: User, avatar: TripImage?, account: StoredAccount?)] = []
    package private(set) var trips: [StoredTrip] = []
    package private(set) var blocks: [(author: User.ID, user: User.ID)] = []
    package private(set) var removed: [(trip: Trip.ID, author: User.ID)] = []
    private var imageBytes = 0

    private mutating func append(_ record: StoreRecord) {
        switch record {
        case .user(let user, let avatar, let account):
            users.append((user, avatar, account))
            imageBytes += avatar?.bytes.count ?? 0
        case .trip(let trip):
            trips.append(trip)
            imageBytes += trip.images.reduce(0) { $0 + $1.bytes.count }
        case .block(let author, let user): blocks.append((author, user))
        case .removed(let trip, let author): removed.append((trip, author))
        }
    }

    /// Calls `write` with batches of at most `limit` records, and of as many images as four of the maximum size.
    package static func forEach(
        of next: () throws -> StoreRecord?, limit: Int, _ write: (RecordBatch) throws -> Void
    ) throws {
        var batch = RecordBatch()
        while let record = try next() {
            batch.append(record)
            let count = batch.users.count + batch.trips.count + batch.blocks.count + batch.removed.count
            guard count >= limit || batch.imageBytes >= 4 * TripImage.maximumSize else { continue }
            try write(batch)
            batch = RecordBatch()
        }
        try write(batch)
    }
}

/// The number of rows of each kind in a store, and a digest of them, to compare two stores.
///
/// Digests do not depend on the order of the rows. They are comparable within one process only.
package struct StoreSummary: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case users = "people"
        case avatars, accounts, trips, entries, images, likes, reports, blocks
    }

    private var rows: [Kind: Rows] = [:]

    private struct Rows: Hashable {
        var count = 0
        var digest = 0
    }

    package init() {}

    package func count(of kind: Kind) -> Int { rows[kind]?.count ?? 0 }

    /// The first kind whose rows differ in `other`.
    package func difference(from other: StoreSummary) -> Kind? {
        Kind.allCases.first { rows[$0] != other.rows[$0] }
    }

    package mutating func add(_ record: StoreRecord) {
        switch record {
        case .user(let user, let avatar, let account):
            add(.users, user.id, Bytes(user.nickname.text))
            if let avatar { add(.avatars, avatar.id, user.id, Bytes(avatar)) }
            if let account { add(.accounts, user.id, Bytes(account.password.text), account.since, account.blockedAt) }
        case .trip(let trip): add(trip)
        case .block(let author, let user): add(.blocks, author, user)
        // A store to which records are added may know more of them.
        case .removed: break
        }
    }

    private mutating func add(_ trip: StoredTrip) {
        let (recorded, content) = (trip.recorded, trip.recorded.content)
        add(
            .trips, recorded.id, recorded.author.id, recorded.createdAt, recorded.updatedAt, recorded.version,
            content, Bytes(content.title.text), recorded.track, trip.likeCount, trip.isHidden)
        for entry in recorded.timeline {
            add(
                .entries, recorded.id, entry, Bytes(entry.title.text), Bytes(entry.text.text),
                Bytes(entry.place?.name ?? ""), Bytes(entry.place?.address ?? ""))
        }
        for image in trip.images { add(.images, image.id, recorded.id, Bytes(image)) }
        for user in trip.likedBy { add(.likes, recorded.id, user) }
        for report in trip.reports { add(.reports, recorded.id, report) }
    }

    private mutating func add<each Part: Hashable>(_ kind: Kind, _ parts: repeat each Part) {
        var hasher = Hasher()
        repeat hasher.combine(each parts)
        rows[kind, default: Rows()].count += 1
        // A sum does not depend on the order, and two equal rows do not cancel each other as in an exclusive or.
        rows[kind, default: Rows()].digest &+= hasher.finalize()
    }

    /// All bytes of an image, or of a text: equal texts may consist of different scalars.
    private struct Bytes: Hashable {
        private let bytes: Data

        init(_ text: String) { bytes = Data(text.utf8) }

        init(_ image: TripImage) { bytes = image.bytes }

        func hash(into hasher: inout Hasher) {
            hasher.combine(bytes.count)
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }
}
