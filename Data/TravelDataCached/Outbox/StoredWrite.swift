#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import TravelDomain

/// An item of the outbox in its file format: a write, and the reason if it was refused; or a travel that has vanished.
struct StoredWrite: Codable {
    enum Kind: String, Codable {
        case add, update, remove, setLiked, report, block, unblock, addUser, rename, setAvatar, removeUser
        /// A travel that has vanished, with its images; not a write.
        case vanished
    }

    struct Refusal: Codable {
        let reason: String
        let theirs: StoredTravel?
    }

    var kind: Kind
    var travels: [StoredTravel]?
    var images: [StoredImage]?
    var travel: UUID?
    var version: Int?
    var isLiked: Bool?
    /// The person that writes, or that is added, renamed or removed.
    var user: UUID?
    var author: UUID?
    var nickname: String?
    var refusal: Refusal?

    init(_ vanished: VanishedTravel, images new: [TravelImage]) {
        kind = .vanished
        (travels, images) = ([StoredTravel(vanished.travel)], new.map { StoredImage($0) })
    }

    init(_ write: TravelWrite, _ conflict: TravelConflict?) {
        kind = .add
        switch write {
        case .add(let added, let new):
            travels = added.map { StoredTravel($0) }
            images = new.map { StoredImage($0) }
        case .update(let changed, let replaced, let new):
            (kind, travels, version) = (.update, [StoredTravel(changed)], replaced.number)
            images = new.map { StoredImage($0) }
        case .remove(let id, let replaced, let person):
            (kind, travel, version, user) = (.remove, id.rawValue, replaced.number, person.rawValue)
        case .setLiked(let liked, let id, let person):
            (kind, isLiked, travel, user) = (.setLiked, liked, id.rawValue, person.rawValue)
        case .report(let id, let person): (kind, travel, user) = (.report, id.rawValue, person.rawValue)
        case .block(let id, let person): (kind, author, user) = (.block, id.rawValue, person.rawValue)
        case .unblock(let id, let person): (kind, author, user) = (.unblock, id.rawValue, person.rawValue)
        case .addUser(let person):
            (kind, user, nickname) = (.addUser, person.id.rawValue, person.nickname.text)
        case .rename(let person, let name): (kind, user, nickname) = (.rename, person.rawValue, name.text)
        case .setAvatar(let person, let image):
            (kind, user) = (.setAvatar, person.rawValue)
            images = image.map { [StoredImage($0)] }
        case .removeUser(let person): (kind, user) = (.removeUser, person.rawValue)
        }
        refusal = conflict.map {
            Refusal(reason: $0.reason.rawValue, theirs: $0.theirs.map { StoredTravel($0) })
        }
    }

    func write() throws -> TravelWrite {
        switch kind {
        case .add: try .add(recorded(), images: newImages())
        case .update:
            try .update(required(recorded().first), replacing: replacedVersion(), images: newImages())
        case .remove: try .remove(travelID(), replacing: replacedVersion(), by: userID())
        case .setLiked: try .setLiked(required(isLiked), travelID(), by: userID())
        case .report: try .report(travelID(), by: userID())
        case .block: try .block(User.ID(required(author)), by: userID())
        case .unblock: try .unblock(User.ID(required(author)), by: userID())
        case .addUser: try .addUser(User(id: userID(), nickname: Nickname(required(nickname))))
        case .rename: try .rename(userID(), Nickname(required(nickname)))
        case .setAvatar: try .setAvatar(userID(), newImages().first)
        case .removeUser: try .removeUser(userID())
        case .vanished: throw UnknownValue()
        }
    }

    func conflict(number: Int) throws -> TravelConflict? {
        guard let refusal else { return nil }
        return TravelConflict(
            id: number, wanted: try write(), reason: TravelConflict.Reason(rawValue: refusal.reason),
            theirs: try refusal.theirs?.travel())
    }

    func vanished(number: Int) throws -> OutboxRecord {
        .vanished(VanishedTravel(number: number, travel: try required(recorded().first)), images: try newImages())
    }

    private func recorded() throws -> [RecordedTravel] { try (travels ?? []).map { try $0.travel() } }
    private func newImages() throws -> [TravelImage] { try (images ?? []).map { try $0.image() } }
    private func travelID() throws -> Travel.ID { Travel.ID(try required(travel)) }
    private func userID() throws -> User.ID { User.ID(try required(user)) }
    private func replacedVersion() throws -> TravelVersion {
        try required(version.flatMap { TravelVersion(number: $0) })
    }
}

/// A pending or refused write, with its number in the outbox.
struct QueuedWrite: Sendable {
    let number: Int
    let write: TravelWrite
    /// The conflict if it was refused; `nil` while it is pending.
    var conflict: TravelConflict?

    init(number: Int, write: TravelWrite, conflict: TravelConflict? = nil) {
        (self.number, self.write, self.conflict) = (number, write, conflict)
    }

    func item() throws -> OutboxItem { try OutboxItem(number, StoredWrite(write, conflict)) }
}

/// The content of an item of the outbox.
enum OutboxRecord {
    case write(QueuedWrite)
    case vanished(VanishedTravel, images: [TravelImage])

    /// Reads an item; `nil` when its bytes are damaged, or were written by a later version.
    init?(_ item: OutboxItem) {
        do {
            let stored = try JSONDecoder().decode(StoredWrite.self, from: item.bytes)
            self =
                switch stored.kind {
                case .vanished: try stored.vanished(number: item.number)
                default:
                    .write(
                        QueuedWrite(
                            number: item.number, write: try stored.write(),
                            conflict: try stored.conflict(number: item.number)))
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
