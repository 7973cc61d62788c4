import Foundation
import TravelDataInMemory
import TravelDataSQLite
import TravelDomain

/// The state of the device, in the data directory: the signed-in user of each place, and the recent keywords.
struct DeviceState: Sendable {
    let session: any SessionRepository
    let recentKeywords: any RecentKeywordRepository
    /// Whether the device uses this place for the first time.
    let isNew: Bool
    let close: @Sendable () async -> Void

    /// Opens the state of the device for a place where trips are stored.
    ///
    /// - Parameters:
    ///   - file: The database in that place, if it is a file: it keeps the state where there is no data directory.
    ///   - account: The account that acts for this run only; then the sessions of the device stay untouched.
    ///   - other: A place whose session is taken over if the place is new: where its trips come from.
    static func open(
        for location: StoreLocation, _ file: TravelDatabase?, as account: User.ID? = nil, or other: StoreLocation? = nil
    ) async throws -> DeviceState {
        let environment = ProcessInfo.processInfo.environment
        do {
            return try await open(
                in: location.place(in: environment), as: account, or: other?.place(in: environment))
        } catch let error where DataDirectory.isMissing(error) {
            return try withoutDataDirectory(file, as: account, error)
        }
    }

    /// Opens the state of the device for a place by its name, such as the address of a server.
    static func open(
        in place: String, as account: User.ID? = nil, or other: String? = nil
    ) async throws -> DeviceState {
        let path = try DataDirectory.devicePath(in: ProcessInfo.processInfo.environment)
        try DataDirectory.makeFolder(of: path)
        return try await FileError.naming(path) {
            let device = try await DeviceDatabase.open(path: path)
            do {
                if let account {
                    return DeviceState(
                        session: InMemorySession(device: account), recentKeywords: device.recentKeywords,
                        isNew: false, close: { await device.close() })
                }
                let (session, isNew) = try await device.session(in: place, or: other)
                return DeviceState(
                    session: session, recentKeywords: device.recentKeywords, isNew: isNew,
                    close: { await device.close() })
            } catch {
                await device.close()
                throw error
            }
        }
    }

    /// Copies the session of one place to another, into which its trips were copied, unless the device
    /// has used that place before. Does nothing without a data directory.
    static func keepSession(from source: StoreLocation, to target: StoreLocation) async throws {
        do {
            await (try open(for: target, nil, or: source)).close()
        } catch let error where DataDirectory.isMissing(error) {}
    }

    /// Without a data directory that can be written, a file keeps the state with the trips; there is no other place
    /// for that of a server.
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
    /// The name under which the device knows this place. The user's own database has the same name wherever the data
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

    /// The name of the place of the user's own database.
    static let own = "own"

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }
}

/// Identifies people on their own device, without a sign-in service: by the device, or by the name of an account.
struct LocalIdentity: IdentityProvider {
    let user: User.ID

    init(_ user: User.ID) {
        self.user = user
    }

    /// The user whose device it is: the ID in the file `person` of the data directory, which is created at the first
    /// use.
    ///
    /// It is the same for all databases of the device, and another one on each device, so that the trips of two people
    /// who exchange files stay apart.
    static func device(in environment: [String: String]) throws -> LocalIdentity {
        let new = User.ID()
        let file = try file(in: environment)
        if let user = try stored(in: file) { return user }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        // Another process may be first: its file is then kept.
        try? Data("\(new)\n".utf8).write(to: file, options: .withoutOverwriting)
        if let user = try stored(in: file) { return user }
        // The file does not contain an ID; it may be empty after a loss of power.
        try Data("\(new)\n".utf8).write(to: file, options: .atomic)
        return LocalIdentity(new)
    }

    private static func file(in environment: [String: String]) throws -> URL {
        URL(fileURLWithPath: try DataDirectory.databasePath(in: environment)).deletingLastPathComponent()
            .appendingPathComponent("person")
    }

    /// The user in the file; `nil` without one.
    ///
    /// - Throws: `FileError` for a file that cannot be read, so that none takes its place: its trips would be those of
    ///   somebody else.
    private static func stored(in file: URL) throws -> LocalIdentity? {
        do {
            let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            return User.ID(text.trimmingCharacters(in: .whitespacesAndNewlines)).map { LocalIdentity($0) }
        } catch {
            guard FileManager.default.fileExists(atPath: file.path) else { return nil }
            throw FileError(
                file.path, "the file that names your account cannot be read; check its permissions",
                "내가 누구인지 적힌 파일을 읽을 수 없습니다. 권한을 확인하세요", .unavailable)
        }
    }

    /// The first nickname of the user of a device, "traveller", and what follows it when others have it: with a number.
    static var deviceNickname: Nickname { get throws { try Nickname("나그네") } }
    static var otherDeviceNicknames: [Nickname] { get throws { try (2...100).map { try Nickname("나그네\($0)") } } }

    /// The account with that name, and the nickname that it has at first. The same name is always the same account,
    /// also when the nickname changes.
    ///
    /// - Throws: `UsageError` for a name that is not a nickname.
    static func account(named name: String) throws -> (user: User.ID, nickname: Nickname) {
        let nickname = try Nickname(name, as: "the name of an account", "계정 이름")
        // FNV-1a (Fowler, Noll, Vo) with two offsets, in a UUID of version 8 (RFC 9562). Names come from the user
        // themselves: nobody profits from a collision.
        let text = nickname.text.precomposedStringWithCanonicalMapping.lowercased()
        func hash(_ offset: UInt64) -> UInt64 { text.utf8.reduce(offset) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
        let high = hash(0xCBF2_9CE4_8422_2325) & ~0xF000 | 0x8000
        let low = hash(0x8422_2325_CBF2_9CE4) & (.max >> 2) | 1 << 63
        let digits = [high, low].map { number in
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
        let identification = try Identification(digits)
        let range: ClosedRange<User.ID> = identification.range()
        return (range.lowerBound, nickname)
    }

    func identify() -> Session { Session(user: user) }

    func refresh(_ session: Session) throws -> Session { Session(user: session.user) }

    /// The user is at the device: everyone who can open the file is trusted.
    func reauthenticate() -> User.ID { user }
}
