#if Server
import Foundation
internal import TravelDomain

/// Keeps pictures that a device has sent until it sends the trip that shows them, in files.
///
/// Each belongs to the account that has sent it; nobody else can use or see it.
actor StagedImages {
    struct Limits: Sendable {
        /// Bytes of one account.
        var perAccount = 200 << 20
        /// Bytes in all.
        var inAll = 4 << 30
        /// Pictures of one account.
        var count = 1_000
        /// The time for which a picture is kept, in seconds.
        var lifetime: TimeInterval = 3_600
    }

    private struct Key: Hashable {
        let account: User.ID
        let image: TripImage.ID

        var fileName: String { "\(account).\(image)" }
    }

    private let parent: URL
    private var folder: StagingFolder
    private let limits: Limits
    private let now: @Sendable () -> Date
    private var staged: [Key: (size: Int, until: Date)] = [:]

    init(
        in folder: URL?, limits: Limits = Limits(), now: @escaping @Sendable () -> Date
    ) throws(TravelError) {
        parent = folder ?? FileManager.default.temporaryDirectory
        StagingFolder.removeAbandoned(in: parent)
        self.folder = try StagingFolder(in: parent)
        self.limits = limits
        self.now = now
    }

    /// Keeps a picture for an hour.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when there is no room for it.
    func keep(_ image: TripImage, for account: User.ID) throws {
        removeExpired()
        let key = Key(account: account, image: image.id)
        let others = staged.filter { $0.key != key }
        let own = others.filter { $0.key.account == account }
        let size = image.bytes.count
        guard own.count < limits.count, own.values.reduce(size, { $0 + $1.size }) <= limits.perAccount,
            others.values.reduce(size, { $0 + $1.size }) <= limits.inAll
        else {
            throw TravelError.unavailable(
                .init("Too many uploaded pictures are waiting for their trips.", cause: .serverBusy, canRetry: true))
        }
        if !FileManager.default.fileExists(atPath: folder.url.path) {
            // Systems remove what is old from their temporary folder. The new one has a name that nobody has seen.
            folder = try StagingFolder(in: parent)
        }
        do {
            try image.bytes.write(to: folder.url.appendingPathComponent(key.fileName), options: .atomic)
        } catch {
            throw TravelError.unavailable(.init("The picture cannot be stored.", cause: .diskFull, canRetry: true))
        }
        staged[key] = (size, now().addingTimeInterval(limits.lifetime))
    }

    /// The pictures with those IDs that the account has sent, without those that are not here.
    func images(_ ids: [TripImage.ID], of account: User.ID) throws -> [TripImage] {
        removeExpired()
        return try ids.compactMap { id in
            let key = Key(account: account, image: id)
            guard staged[key] != nil else { return nil }
            do {
                return try TripImage(id: id, bytes: Data(contentsOf: folder.url.appendingPathComponent(key.fileName)))
            } catch CocoaError.fileReadNoSuchFile {
                remove(key)
                return nil
            } catch {
                throw TravelError.unavailable(.init("The picture cannot be read.", cause: .damaged, canRetry: true))
            }
        }
    }

    /// Drops pictures whose trip is stored.
    func remove(_ ids: [TripImage.ID], of account: User.ID) {
        for id in ids { remove(Key(account: account, image: id)) }
    }

    func removeAll() {
        staged = [:]
        // What is left is removed with the temporary files of the system.
        try? FileManager.default.removeItem(at: folder.url)
    }

    private func removeExpired() {
        let now = now()
        for (key, value) in staged where value.until <= now { remove(key) }
    }

    private func remove(_ key: Key) {
        guard staged.removeValue(forKey: key) != nil else { return }
        // A file that cannot be removed is not found any more.
        try? FileManager.default.removeItem(at: folder.url.appendingPathComponent(key.fileName))
    }
}

/// A new folder for pictures, with a lock that the process holds as long as it lives: at the next start, folders without a
/// holder are those of processes that were killed.
///
/// **Why this is `Sendable`.** Its properties are constants.
private final class StagingFolder: Sendable {
    private static let prefix = "traveline-pictures-"
    private static let lockName = "lock"
    /// The age in seconds from which a folder without a lock belongs to nobody: pictures are kept for an hour.
    private static let abandonedAge: TimeInterval = 24 * 60 * 60

    let url: URL
    private let lock: Int32

    init(in parent: URL) throws(TravelError) {
        url = parent.appendingPathComponent(Self.prefix + UUID().uuidString.lowercased())
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .unavailable(
                .init("The folder for pictures cannot be created.", cause: .inaccessible, canRetry: false))
        }
        // Without a lock, the folder is removed a day after its last use.
        lock = open(url.appendingPathComponent(Self.lockName).path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if lock >= 0 { flock(lock, LOCK_EX | LOCK_NB) }
    }

    deinit {
        if lock >= 0 { close(lock) }
    }

    /// Removes the folders of processes that have ended. What cannot be removed stays.
    static func removeAbandoned(in parent: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let url = parent.appendingPathComponent(name)
            // Of a link, these are its own.
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path),
                attributes[.type] as? FileAttributeType == .typeDirectory,
                (attributes[.ownerAccountID] as? NSNumber)?.uint32Value == getuid()
            else { continue }
            let lock = open(url.appendingPathComponent(lockName).path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            if lock >= 0 {
                if flock(lock, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(at: url) }
                close(lock)
            } else if let date = attributes[.modificationDate] as? Date, -date.timeIntervalSinceNow > abandonedAge {
                try? FileManager.default.removeItem(at: url)
            }
        }
    }
}
#endif
