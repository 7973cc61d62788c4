public import Foundation
internal import Synchronization
public import TravelDomain
internal import TravelJSON

/// The account of this device on a server: signs up, in and out, and renews the tokens.
///
/// ```swift
/// let session = RemoteSession(
///     server: try ServerAddress("https://trips.example"), tokens: try FileTokenStore(folder: folder),
///     password: { try Password(await prompt("Password: ")) })
/// let mina = try await session.signUp(Nickname("Mina"), Password("open sesame"))
/// let trips = RemoteTravelStore(session)
/// ```
///
/// The access token of a device expires after some minutes. It is renewed when the server no longer accepts it: once, even
/// if several tasks and processes find that out at the same time. If the server does not renew it, the device is signed
/// out.
///
/// It is the `IdentityProvider` of the device: the use case `SignIn` stores its session.
///
/// Every function throws `TravelError` or `CancellationError`.
public actor RemoteSession {
    let connection: ServerConnection
    private let tokens: any TokenStore
    private let password: @Sendable () async throws -> Password
    /// The password that the user has entered for the deletion of the account that follows.
    private var proof: Password?

    /// Creates the account of this device.
    ///
    /// - Parameters:
    ///   - server: The address of the server.
    ///   - tokens: The tokens of the device.
    ///   - timeout: The time in seconds after which a request fails for which nothing, or less than 1 KiB, is sent or
    ///     received; a request with a body has a second more for each 16 KiB of it.
    ///   - clock: The clock of the pauses between attempts.
    ///   - password: Asks the user for their password.
    public init(
        server: ServerAddress, tokens: any TokenStore, timeout: TimeInterval = 40,
        clock: any Clock<Duration> = ContinuousClock(), password: @escaping @Sendable () async throws -> Password
    ) {
        self.init(
            server: server, tokens: tokens, timeout: timeout,
            clock: ContinuousClock(), pauses: Pauses(clock: clock, random: { .random(in: 0...1) }), password: password)
    }

    init(
        server: ServerAddress, tokens: any TokenStore, timeout: TimeInterval, clock: any Clock<Duration>,
        pauses: Pauses, password: @escaping @Sendable () async throws -> Password
    ) {
        self.tokens = tokens
        self.password = password
        connection = ServerConnection(server, pauses: pauses, timeout: timeout, clock: clock)
    }

    public nonisolated var server: ServerAddress { connection.address }

    /// Returns the signed-in user as they were when the tokens were renewed; `nil` when nobody is signed in.
    ///
    /// - Throws: The errors of the token store.
    public func user() async throws -> User? {
        try await tokens.tokens()?.user
    }

    /// Creates an account, and signs the device in.
    ///
    /// If the answer is lost, the account may exist: ``signIn(_:_:onlyAs:)`` continues.
    ///
    /// - Throws: `TravelError.conflict` when someone has the nickname; `TravelError.invalid` when the server takes no new
    ///   accounts, or none without an invitation; `TravelError.unavailable`; `CancellationError`.
    @discardableResult
    public func signUp(
        _ nickname: Nickname, _ password: Password, invitation: Token? = nil
    ) async throws -> User {
        try await begin(.signUp, SignUpRecord(nickname: nickname, password: password, invitation: invitation))
    }

    /// Signs the device in: as anyone, or only as `owner`, whose trips the device has.
    ///
    /// - Throws: `TravelError.wrongCredentials` when no account has the nickname, or it has another password;
    ///   `TravelError.forbidden` when the account is not that of `owner`, after which the device is signed in as before;
    ///   `TravelError.unavailable`, also after too many attempts; `CancellationError`.
    @discardableResult
    public func signIn(_ nickname: Nickname, _ password: Password, onlyAs owner: User.ID? = nil) async throws -> User {
        try await begin(.signIn, CredentialsRecord(nickname: nickname, password: password), onlyAs: owner)
    }

    private func begin(_ route: Route, _ body: some Encodable, onlyAs owner: User.ID? = nil) async throws -> User {
        let answer = try await connection.answer(
            to: ServerRequest(route).with { $0.body = try JSONCoding.data(for: body) })
        let signedIn = try ServerConnection.value(SignedInRecord.self, in: answer.body).signedIn
        if let owner, signedIn.user.id != owner {
            do {
                _ = try await connection.answer(to: ServerRequest(.signOut).with { $0.token = signedIn.access })
            } catch is TravelError {
                // Tokens that nobody has expire.
            }
            throw TravelError.forbidden(.user(signedIn.user.id))
        }
        try await tokens.updateTokens { _ in signedIn }
        return signedIn.user
    }

    /// Signs the device out. Does nothing if nobody is signed in.
    ///
    /// The device has no tokens after that, even if the server does not answer and this function throws: the server then
    /// keeps them until they expire.
    ///
    /// - Throws: `TravelError.unavailable` when the server or the token store does not answer; `CancellationError`.
    public func signOut() async throws {
        guard let user = try await tokens.tokens()?.user else { return }
        proof = nil
        // Another task or process may renew the tokens in the meantime: those that are stored then are taken, but not
        // those of another user.
        let taken = Mutex<SignedIn?>(nil)
        try await tokens.updateTokens { current in
            guard current?.user.id == user.id else { return current }
            taken.withLock { $0 = current }
            return nil
        }
        guard let former = taken.withLock(\.self) else { return }
        do {
            _ = try await connection.answer(to: ServerRequest(.signOut).with { $0.token = former.access })
        } catch TravelError.signedOut {
            // The access token has expired: a renewed one signs the same device out.
            do {
                let renewed = try await Self.renewal(of: former, connection)
                _ = try await connection.answer(to: ServerRequest(.signOut).with { $0.token = renewed.access })
            } catch TravelError.signedOut {
                // The server had signed it out already.
            }
        }
    }

    /// Changes the password, and signs all other devices out.
    ///
    /// If the answer is lost, sign in with the new password.
    ///
    /// - Throws: `TravelError.wrongCredentials` when `old` is not the password; `TravelError.signedOut`;
    ///   `TravelError.unavailable`; `CancellationError`.
    public func changePassword(from old: Password, to new: Password) async throws {
        let request = try ServerRequest(.changePassword).with {
            $0.body = try JSONCoding.data(for: PasswordChangeRecord(old: old, new: new))
        }
        try await withToken { token in try await replaceTokens(byAnswerTo: request.with { $0.token = token }) }
    }

    /// Meanwhile, nobody renews the former tokens, which the server no longer knows when it answers.
    private func replaceTokens(byAnswerTo request: ServerRequest) async throws {
        try await tokens.updateTokens { [tokens, connection] _ in
            try await tokens.requireRoom()
            let answer = try await connection.answer(to: request)
            return try ServerConnection.value(SignedInRecord.self, in: answer.body).signedIn
        }
    }
}

extension RemoteSession: IdentityProvider {
    /// Returns the session of the user of this device; it expires when its tokens can no longer be renewed.
    ///
    /// - Throws: `TravelError.signedOut` when nobody is signed in.
    public func identify() async throws -> Session {
        guard let signedIn = try await tokens.tokens() else { throw TravelError.signedOut }
        return try Session(user: signedIn.user.id, expiresAt: signedIn.refreshExpiresAt)
    }

    /// Renews the tokens, and returns the session with its new expiry.
    ///
    /// - Throws: `TravelError.signedOut` when nobody, or someone else, is signed in, and when the server does not renew
    ///   the tokens; `TravelError.unavailable`; `CancellationError`.
    public func refresh(_ session: Session) async throws -> Session {
        guard let signedIn = try await tokens.tokens(), signedIn.user.id == session.user else {
            throw TravelError.signedOut
        }
        let renewed = try await renewed(after: signedIn.access)
        return try Session(user: renewed.user.id, expiresAt: renewed.refreshExpiresAt)
    }

    /// Asks the user for their password, and keeps it in memory for the removal of their account that follows: the server
    /// checks it then.
    ///
    /// - Throws: `TravelError.signedOut` when nobody is signed in; the errors of the function that asks.
    public func reauthenticate() async throws -> User.ID {
        guard try await user() != nil else { throw TravelError.signedOut }
        return try await reauthenticate(with: password())
    }

    /// Keeps a password that the user has entered in memory, as ``reauthenticate()`` does.
    ///
    /// - Throws: `TravelError.signedOut` when nobody is signed in.
    public func reauthenticate(with password: Password) async throws -> User.ID {
        guard let user = try await user() else { throw TravelError.signedOut }
        proof = password
        return user.id
    }

    /// Returns the password of the last ``reauthenticate()`` once.
    func takeProof() -> Password? {
        defer { proof = nil }
        return proof
    }

    /// Forgets the tokens of a removed account.
    func forget(_ user: User.ID) async throws {
        try await tokens.updateTokens { $0?.user.id == user ? nil : $0 }
    }
}

extension RemoteSession {
    /// Sends the request with the token of this device, which is renewed if the server does not accept it.
    ///
    /// - Throws: `TravelError.signedOut` when nobody is signed in; the errors of the server.
    func answer(to request: ServerRequest) async throws -> HTTPAnswer {
        try await withToken { token in try await connection.answer(to: request.with { $0.token = token }) }
    }

    /// Runs `send` with the access token, and once more with a new one if the server does not accept it.
    private func withToken<Value>(_ send: (Token) async throws -> Value) async throws -> Value {
        let token = try await accessToken()
        do {
            return try await send(token)
        } catch TravelError.signedOut {
            return try await send(renewed(after: token).access)
        }
    }

    /// - Throws: `TravelError.signedOut` when nobody is signed in.
    func accessToken() async throws -> Token {
        guard let signedIn = try await tokens.tokens() else { throw TravelError.signedOut }
        return signedIn.access
    }

    /// Returns new tokens in place of those with an access token that the server has not accepted.
    ///
    /// - Throws: `TravelError.signedOut` when the server does not renew them: the device is signed out then;
    ///   `TravelError.unavailable`.
    func renewed(after rejected: Token) async throws -> SignedIn {
        let (tokens, connection) = (tokens, connection)
        // A renewal must not be cut off with the task that happens to need it: the former tokens are used up, and the new
        // ones would be lost.
        let task = Task {
            try await tokens.updateTokens { current in
                // Another task or process may have done so in the meantime.
                guard let current, current.access == rejected else { return current }
                try await tokens.requireRoom()
                let next = try await tokens.nextRefresh(after: current.refresh, proposal: .random())
                do {
                    return try await Self.renewal(of: current, next: next, connection)
                } catch TravelError.signedOut {
                    return nil
                }
            }
        }
        guard let renewed = try await task.value else { throw TravelError.signedOut }
        return renewed
    }

    private static func renewal(
        of signedIn: SignedIn, next: Token? = nil, _ connection: ServerConnection
    ) async throws -> SignedIn {
        let answer = try await connection.answer(
            to: ServerRequest(.refresh).with {
                $0.body = try JSONCoding.data(for: RefreshRecord(signedIn.refresh, next: next))
            })
        // A server of an earlier version makes the next token itself.
        return try ServerConnection.value(SignedInRecord.self, in: answer.body).signedIn
    }
}

extension Token {
    /// A token that a server accepts as the next one.
    fileprivate static func random() -> Token {
        // Cryptographically secure, as the documentation of `SystemRandomNumberGenerator` promises.
        var random = SystemRandomNumberGenerator()
        while true {
            let bytes = (0..<Token.size).map { _ in UInt8.random(in: 0...255, using: &random) }
            if let token = Token(bytes: bytes), token.isPlausible { return token }
        }
    }
}
