internal import TravelDataShared
internal import TravelDomain
internal import TravelJSON

/// An outbox in a folder, one file for each item.
///
/// An item is written under a temporary name, synced and renamed: once the call has returned, it survives the end of
/// the process and a loss of power. The outbox locks the folder against other processes until it is released.
///
/// ```swift
/// let outbox = try FileOutbox(folder: "/home/mina/.local/share/traveline/outbox")
/// try await outbox.items().count    // the writes of the last run that were not sent
/// ```
public actor FileOutbox: Outbox {
    private let files = SystemFiles(of: "the outbox")
    private let folder: String
    private let lock: FolderLock

    /// Opens the folder; creates it if necessary, but not the one that contains it. A relative path is resolved here: the
    /// current directory may change later.
    ///
    /// - Throws: `TravelError.unavailable` when the folder cannot be created, or when another outbox uses it.
    public init(folder: String) throws {
        let folder = try files.absolute(folder)
        try files.makeFolder(folder)
        guard let lock = try files.lock(folder, isShared: false) else {
            throw TravelError.unavailable(
                .init("The outbox is in use by another process.", cause: .busy, canRetry: true))
        }
        (self.folder, self.lock) = (folder, lock)
    }

    /// Returns all items, ordered by number. Drafts that were not written completely, and files of other names, are
    /// ignored; a folder with the name of an item is one without bytes.
    ///
    /// - Throws: `TravelError.unavailable` when the folder or a file cannot be read.
    public func items() async throws -> [OutboxItem] {
        try Self.reading {
            try FileManager.default.contentsOfDirectory(atPath: folder)
                .compactMap { name in Self.number(of: name) }.sorted()
                .map { OutboxItem(number: $0, bytes: try bytes(of: $0)) }
        }
    }

    /// Stores an item durably, and replaces the one with the same number.
    ///
    /// - Throws: `TravelError.unavailable` when it cannot be written, or has a number that no later outbox would read.
    public func save(_ item: OutboxItem) async throws {
        let last = Self.largestNumber
        guard item.number <= last else {
            throw TravelError.unavailable(
                .init("Item \(last) of the outbox has the largest possible number: remove it.", canRetry: false))
        }
        try files.replace(Self.name(of: item.number), in: folder, with: item.bytes)
    }

    /// Removes the item with that number durably.
    ///
    /// - Throws: `TravelError.unavailable` when it cannot be removed.
    public func remove(_ number: Int) async throws {
        try files.remove(path(of: number))
        try files.sync(folder)
    }

    private static func name(of number: Int) -> String { "\(number).json" }
    private func path(of number: Int) -> String { "\(folder)/\(Self.name(of: number))" }

    private func bytes(of number: Int) throws -> Data {
        // Anything else of that name, such as a folder, is an item that cannot be read, as a file with other bytes is.
        let type = try FileManager.default.attributesOfItem(atPath: path(of: number))[.type] as? FileAttributeType
        guard type == .typeRegular || type == .typeSymbolicLink else { return Data() }
        return try Data(contentsOf: URL(filePath: path(of: number)))
    }

    /// The largest number of an item. Files with larger ones are those of others: 30 million years of an item a second.
    private static let largestNumber = 999_999_999_999_999

    /// The number of the item in the file of that name; `nil` for other files.
    private static func number(of name: String) -> Int? {
        guard let number = Int(name.dropLast(".json".count)), 1...largestNumber ~= number, name == Self.name(of: number)
        else { return nil }
        return number
    }

    private static func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch is CocoaError {
            throw TravelError.unavailable(
                .init("The outbox cannot be read: check its permissions.", cause: .inaccessible, canRetry: false))
        }
    }
}

/// A value of the outbox that this version does not know.
struct UnknownValue: Error {}

/// The value of an item that this version must know.
func required<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw UnknownValue() }
    return value
}

/// An item of the outbox in its file format: a write, and the reason if it was refused; or a trip that has vanished.
struct StoredWrite: Codable {
    enum Kind: String, Codable {
        case add, update, remove, setLiked, report, block, unblock, addUser, rename, setAvatar
        /// A trip that has vanished, with its images; not a write.
        case vanished
    }

    struct Refusal: Codable {
        let reason: String
        let theirs: RecordedTripRecord?
        /// The numbers of the later edits that the conflict includes. They leave the outbox after it has the conflict.
        var including: [Int]?
    }

    var kind: Kind
    var trips: [RecordedTripRecord]?
    var images: [ImageRecord]?
    var trip: UUID?
    var version: Int?
    var isLiked: Bool?
    /// The user that writes, or that is added or renamed.
    var user: UUID?
    var author: UUID?
    var nickname: String?
    var refusal: Refusal?
    /// The number of the conflict that this write resolves. It leaves the outbox after that has the write.
    var resolves: Int?
    /// The digest of the content that the write replaces.
    var base: String?

    init(_ vanished: VanishedTrip, images new: [TripImage]) {
        kind = .vanished
        (trips, images) = ([RecordedTripRecord(vanished.trip)], new.map { ImageRecord($0) })
    }

    init(_ queued: QueuedWrite) {
        kind = .add
        (resolves, base) = (queued.resolves, queued.base)
        switch queued.write {
        case .add(let added, let new):
            trips = added.map { RecordedTripRecord($0) }
            images = new.map { ImageRecord($0) }
        case .update(let changed, let replaced, let new):
            (kind, trips, version) = (.update, [RecordedTripRecord(changed)], replaced.number)
            images = new.map { ImageRecord($0) }
        case .remove(let id, let replaced, let actor):
            (kind, trip, version, user) = (.remove, id.rawValue, replaced.number, actor.rawValue)
        case .setLiked(let liked, let id, let actor):
            (kind, isLiked, trip, user) = (.setLiked, liked, id.rawValue, actor.rawValue)
        case .report(let id, let actor): (kind, trip, user) = (.report, id.rawValue, actor.rawValue)
        case .block(let id, let actor): (kind, author, user) = (.block, id.rawValue, actor.rawValue)
        case .unblock(let id, let actor): (kind, author, user) = (.unblock, id.rawValue, actor.rawValue)
        case .addUser(let new):
            (kind, user, nickname) = (.addUser, new.id.rawValue, new.nickname.text)
        case .rename(let id, let name): (kind, user, nickname) = (.rename, id.rawValue, name.text)
        case .setAvatar(let id, let image):
            (kind, user) = (.setAvatar, id.rawValue)
            images = image.map { [ImageRecord($0)] }
        }
        refusal = queued.conflict.map {
            Refusal(
                reason: $0.reason.rawValue, theirs: $0.theirs.map { RecordedTripRecord($0) },
                including: queued.included)
        }
    }

    func write() throws -> TripWrite {
        switch kind {
        case .add: .add(recorded(), images: newImages())
        case .update:
            try .update(required(recorded().first), replacing: replacedVersion(), images: newImages())
        case .remove: try .remove(tripID(), replacing: replacedVersion(), by: userID())
        case .setLiked: try .setLiked(required(isLiked), tripID(), by: userID())
        case .report: try .report(tripID(), by: userID())
        case .block: try .block(User.ID(required(author)), by: userID())
        case .unblock: try .unblock(User.ID(required(author)), by: userID())
        case .addUser: try .addUser(User(id: userID(), nickname: Nickname(stored: required(nickname))))
        case .rename: try .rename(userID(), Nickname(stored: required(nickname)))
        case .setAvatar: try .setAvatar(userID(), newImages().first)
        case .vanished: throw UnknownValue()
        }
    }

    func conflict(number: Int) throws -> TripConflict? {
        guard let refusal else { return nil }
        return TripConflict(
            id: number, wanted: try write(), reason: TripConflict.Reason(rawValue: refusal.reason),
            theirs: refusal.theirs?.trip)
    }

    func vanished(number: Int) throws -> OutboxRecord {
        .vanished(VanishedTrip(number: number, trip: try required(recorded().first)), images: newImages())
    }

    private func recorded() -> [RecordedTrip] { (trips ?? []).map(\.trip) }
    private func newImages() -> [TripImage] { (images ?? []).map(\.image) }
    private func tripID() throws -> Trip.ID { Trip.ID(try required(trip)) }
    private func userID() throws -> User.ID { User.ID(try required(user)) }
    private func replacedVersion() throws -> TripVersion {
        try required(version.flatMap { TripVersion(number: $0) })
    }
}

/// The content of an item of the outbox.
enum OutboxRecord {
    case write(QueuedWrite)
    case vanished(VanishedTrip, images: [TripImage])

    /// Reads an item; `nil` when its bytes are damaged, or were written by a later version.
    init?(_ item: OutboxItem) {
        do {
            let stored = try JSONCoding.decoder(isStored: true).decode(StoredWrite.self, from: item.bytes)
            self =
                switch stored.kind {
                case .vanished: try stored.vanished(number: item.number)
                default:
                    .write(
                        QueuedWrite(
                            number: item.number, write: try stored.write(),
                            conflict: try stored.conflict(number: item.number),
                            included: stored.refusal?.including ?? [], resolves: stored.resolves, base: stored.base))
                }
        } catch {
            // The cause would name bytes of the write, which are personal data. The status has the number.
            return nil
        }
    }
}

extension OutboxItem {
    init(_ number: Int, _ stored: StoredWrite) throws {
        do {
            self.init(number: number, bytes: try JSONEncoder().encode(stored))
        } catch {
            throw TravelError.unavailable(.init("A write cannot be stored in the outbox.", canRetry: false))
        }
    }
}
