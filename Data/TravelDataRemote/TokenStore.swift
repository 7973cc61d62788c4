public import TravelDomain
internal import TravelDataShared
internal import TravelJSON

/// Stores the tokens of a device persistently. They are secret: whoever has them is the user.
///
/// ``FileTokenStore`` is one; an app for Apple platforms can use the Keychain.
public protocol TokenStore: Sendable {
    /// Returns the tokens; `nil` when nobody is signed in.
    ///
    /// - Throws: `TravelError.unavailable` when the store cannot answer; `CancellationError`.
    func tokens() async throws -> SignedIn?

    /// Replaces the tokens by the result of `change`; `nil` signs out. No other process or task changes them while it
    /// runs, because a token that two of them renew signs the device out.
    ///
    /// - Throws: The errors of `change`, after which nothing has changed; `TravelError.unavailable`; `CancellationError`.
    @discardableResult
    func updateTokens(_ change: @Sendable (SignedIn?) async throws -> SignedIn?) async throws -> SignedIn?

    /// Checks, inside a change, that new tokens can be stored. It is called before a server replaces the tokens: if the new
    /// ones could not be stored, the device would be signed out. By default, does nothing.
    ///
    /// - Throws: `TravelError.unavailable` when they cannot be stored, as on a full disk.
    func requireRoom() async throws

    /// Returns, inside a change, the refresh token that follows `refresh`: the one that an earlier call for it has stored, or
    /// `proposal`, which is stored durably then.
    ///
    /// It is called before a server replaces the tokens. If the answer is lost, or the process ends, the next attempt names
    /// the same token again, and the server repeats its answer: without it, the device would be signed out. By default,
    /// returns `nil`: the server makes the token.
    ///
    /// - Throws: `TravelError.unavailable` when it cannot be stored.
    func nextRefresh(after refresh: Token, proposal: Token) async throws -> Token?
}

extension TokenStore {
    public func requireRoom() async throws {}
    public func nextRefresh(after refresh: Token, proposal: Token) async throws -> Token? { nil }
}

/// Tokens in a file that only its owner can read.
///
/// ```swift
/// let tokens = try FileTokenStore(folder: "/home/mina/.local/share/traveline/server")
/// ```
public struct FileTokenStore: TokenStore {
    private let files = SystemFiles(of: "the tokens of this device")
    private let folder: String
    private let clock: any Clock<Duration>

    /// Creates a store in `folder`, which contains nothing else; creates the folder if necessary, but not the one that
    /// contains it. A relative path is resolved here: the current directory may change later.
    ///
    /// `clock` is the one on which a change waits for that of another process.
    ///
    /// - Throws: `TravelError.unavailable` when the folder cannot be created.
    public init(folder: String, clock: any Clock<Duration> = ContinuousClock()) throws {
        let folder = try files.absolute(folder)
        try files.makeFolder(folder)
        (self.folder, self.clock) = (folder, clock)
    }

    private static let name = "tokens.json"
    private var path: String { "\(folder)/\(Self.name)" }
    /// The file of the last renewal, as it is sent.
    private static let renewalName = "renewal.json"
    private var renewalPath: String { "\(folder)/\(Self.renewalName)" }

    public func tokens() async throws -> SignedIn? {
        try Task.checkCancellation()
        guard let data = try files.read(path) else { return nil }
        do {
            return try JSONCoding.value(SignedInRecord.self, in: data, isStored: true).signedIn
        } catch {
            throw TravelError.unavailable(
                .init(
                    "The file with the tokens of this device is damaged: sign in again.",
                    cause: .damagedSession, canRetry: false))
        }
    }

    @discardableResult
    public func updateTokens(_ change: @Sendable (SignedIn?) async throws -> SignedIn?) async throws -> SignedIn? {
        let lock = try await lock()
        defer { withExtendedLifetime(lock) {} }
        let before: SignedIn?
        do {
            before = try await tokens()
        } catch TravelError.unavailable(let outage) where outage.cause == .damagedSession {
            // Nobody is signed in with it.
            before = nil
        }
        let after = try await change(before)
        guard after != before else { return after }
        if let after {
            try files.replace(Self.name, in: folder, with: JSONCoding.data(for: SignedInRecord(after)))
        } else {
            try files.remove(path)
            try files.remove(renewalPath)
            try files.sync(folder)
        }
        return after
    }

    public func requireRoom() async throws {
        // Tokens with the nickname take less.
        try files.requireRoom(for: 4_096, in: folder)
    }

    public func nextRefresh(after refresh: Token, proposal: Token) async throws -> Token? {
        if let data = try files.read(renewalPath) {
            do {
                let stored = try JSONCoding.value(RefreshRecord.self, in: data, isStored: true)
                if stored.refresh == refresh, let next = stored.next { return next }
            } catch {
                // A damaged file is replaced.
            }
        }
        let record = RefreshRecord(refresh, next: proposal)
        try files.replace(Self.renewalName, in: folder, with: JSONCoding.data(for: record))
        return proposal
    }

    private func lock() async throws -> FolderLock {
        while true {
            if let lock = try files.lock(folder, isShared: false) { return lock }
            try await clock.sleep(for: .milliseconds(20))
        }
    }
}
