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
    private var folder: URL
    private let limits: Limits
    private let now: @Sendable () -> Date
    private var staged: [Key: (size: Int, until: Date)] = [:]

    init(
        in folder: URL?, limits: Limits = Limits(), now: @escaping @Sendable () -> Date
    ) throws(TravelError) {
        parent = folder ?? FileManager.default.temporaryDirectory
        self.folder = try Self.makeFolder(in: parent)
        self.limits = limits
        self.now = now
    }

    private static func makeFolder(in parent: URL) throws(TravelError) -> URL {
        let folder = parent.appendingPathComponent("traveline-pictures-\(UUID().uuidString.lowercased())")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            return folder
        } catch {
            throw .unavailable(
                .init("The folder for pictures cannot be created.", cause: .inaccessible, canRetry: false))
        }
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
        if !FileManager.default.fileExists(atPath: folder.path) {
            // Systems remove what is old from their temporary folder. The new one has a name that nobody has seen.
            folder = try Self.makeFolder(in: parent)
        }
        do {
            try image.bytes.write(to: folder.appendingPathComponent(key.fileName), options: .atomic)
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
                return try TripImage(id: id, bytes: Data(contentsOf: folder.appendingPathComponent(key.fileName)))
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
        try? FileManager.default.removeItem(at: folder)
    }

    private func removeExpired() {
        let now = now()
        for (key, value) in staged where value.until <= now { remove(key) }
    }

    private func remove(_ key: Key) {
        guard staged.removeValue(forKey: key) != nil else { return }
        // A file that cannot be removed is not found any more.
        try? FileManager.default.removeItem(at: folder.appendingPathComponent(key.fileName))
    }
}
#endif
