import Foundation
import TravelDataInMemory
import TravelDataSQLite
import TravelDomain

/// The state of the device, in the data directory: the signed-in person of each place, and the recent keywords.
struct DeviceState: Sendable {
    let session: any SessionRepository
    let recentKeywords: any RecentKeywordRepository
    /// Whether the device uses this place for the first time.
    let isNew: Bool
    /// Closes the file.
    let close: @Sendable () async -> Void

    /// Opens the state of the device for a place where travels are stored.
    ///
    /// - Parameters:
    ///   - file: The database in that place, if it is a file. If an earlier version stored the session there, it is
    ///     copied.
    ///   - account: The account that acts for this run only; then the sessions of the device stay untouched.
    ///   - other: A place whose session is taken over if the place is new: where its travels come from.
    static func open(
        for location: StoreLocation, _ file: TravelDatabase?, as account: User.ID? = nil, or other: StoreLocation? = nil
    ) async throws -> DeviceState {
        let environment = ProcessInfo.processInfo.environment
        do {
            let path = try DataDirectory.devicePath(in: environment)
            try DataDirectory.makeFolder(of: path)
            return try await FileError.naming(path, in: Standard.language) {
                let device = try await DeviceDatabase.open(path: path)
                do {
                    if let account {
                        return DeviceState(
                            session: InMemorySession(device: account), recentKeywords: device.recentKeywords,
                            isNew: false, close: { await device.close() })
                    }
                    let (session, isNew) = try await device.session(
                        in: location.place(in: environment), takingOver: file,
                        or: other?.place(in: environment))
                    return DeviceState(
                        session: session, recentKeywords: device.recentKeywords, isNew: isNew,
                        close: { await device.close() })
                } catch {
                    await device.close()
                    throw error
                }
            }
        } catch let error as UsageError {
            return try withoutDataDirectory(file, as: account, error)
        } catch let error as FileError where error.isInaccessible {
            return try withoutDataDirectory(file, as: account, error)
        }
    }

    /// Copies the session of one place to another, into which its travels were copied, unless the device
    /// has used that place before. Does nothing without a data directory.
    static func keepSession(from source: StoreLocation, _ file: TravelDatabase?, to target: StoreLocation) async throws
    {
        do {
            await (try open(for: source, file)).close()
            await (try open(for: target, nil, or: source)).close()
        } catch is UsageError {
            return
        } catch let error as FileError where error.isInaccessible {
            return
        }
    }

    /// Without a data directory that can be written, a file keeps the state with the travels, as in earlier versions;
    /// there is no other place for that of a server.
    private static func withoutDataDirectory(
        _ file: TravelDatabase?, as account: User.ID?, _ error: any Error
    ) throws -> DeviceState {
        if let account {
            return DeviceState(
                session: InMemorySession(device: account), recentKeywords: InMemoryRecentKeywordRepository(),
                isNew: false, close: {})
        }
        guard let file else { throw error }
        return DeviceState(session: file.session, recentKeywords: file.recentKeywords, isNew: false, close: {})
    }
}

extension StoreLocation {
    /// The name under which the device knows this place. The person's own database has the same name wherever the data
    /// directory is.
    func place(in environment: [String: String]) -> String {
        switch self {
        case .file(let path):
            let file = Self.resolved(path)
            let own = (try? DataDirectory.databasePath(in: environment)).map(Self.resolved)
            return file == own ? Self.own : file
        case .server(let address): return address.place(in: environment)
        }
    }

    /// Whether it is the database in the data directory.
    func isOwn(in environment: [String: String]) -> Bool { place(in: environment) == Self.own }

    /// The name of the place of the person's own database.
    static let own = "own"

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }
}
