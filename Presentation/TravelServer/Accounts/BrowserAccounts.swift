#if Server
import Foundation
internal import Synchronization
internal import TravelDomain

/// The accounts of a server, for an application in browsers that the same server hosts.
///
/// A browser is a device of its account: a change of the password signs it out, as all others, and the store is asked for
/// its session with each request. Its token is the secret of the session, by which another process, or the server after a
/// restart, knows the browser again.
package struct BrowserAccounts: Sendable {
    private let application: Application

    init(_ application: Application) {
        self.application = application
    }

    /// Who may create an account.
    package var signUpPolicy: SignUp.Policy { application.signUp }

    /// Signs a browser in.
    ///
    /// - Parameter client: The address of the client, which limits its attempts.
    /// - Throws: ``TooManyAttempts``; the errors of ``SignInWithPassword``.
    package func signIn(
        _ nickname: Nickname, _ password: Password, from client: String
    ) async throws -> BrowserDevice {
        let network = SocketAddress.network(of: client)
        return try await application.attempts.limiting(nickname.folded, from: network) {
            let signedIn = try await SignInWithPassword(application.browserAccess())(nickname, password)
            application.attempts.signedIn(nickname.folded, from: network)
            return try await device(of: signedIn)
        }
    }

    /// Creates an account, and signs a browser in.
    ///
    /// - Throws: ``TooManyAttempts``; the errors of ``SignUp``.
    package func signUp(
        _ nickname: Nickname, _ password: Password, invitation: Token?, from client: String
    ) async throws -> BrowserDevice {
        let network = SocketAddress.network(of: client)
        try application.attempts.beginSignUp(from: network)
        let signUp = SignUp(application.browserAccess(), policy: application.signUp)
        let signedIn = try await signUp(nickname, password, invitation: invitation)
        application.attempts.signedIn(nickname.folded, from: network)
        return try await device(of: signedIn)
    }

    /// Changes the password, signs all devices of the account out, and returns the new device of this browser.
    ///
    /// - Throws: ``TooManyAttempts``; the errors of ``ChangePassword``.
    package func changePassword(
        of device: BrowserDevice, from old: Password, to new: Password, client: String
    ) async throws -> BrowserDevice {
        let network = SocketAddress.network(of: client)
        return try await application.attempts.limiting(device.user.description, from: network) {
            let change = ChangePassword(application.browserAccess(), session: device)
            return try await self.device(of: change(from: old, to: new))
        }
    }

    /// Deletes the account of a device with everything that the user owns, and signs all devices out.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` also after too many attempts; the errors of ``DeleteAccount``.
    package func deleteAccount(of device: BrowserDevice, _ password: Password, client: String) async throws {
        let network = SocketAddress.network(of: client)
        do {
            try await application.attempts.limiting(device.user.description, from: network) {
                let identity = PasswordIdentity(application.access, session: device, password: password)
                try await useCases(of: device).deleteAccount(confirmedBy: identity)()
                application.observations.end(of: device.user)
            }
        } catch let error as TooManyAttempts {
            throw TravelError.unavailable(.init(error.description, cause: .serverBusy, canRetry: true))
        }
    }

    private func device(of signedIn: SignedIn) async throws -> BrowserDevice {
        guard let device = try await device(withToken: signedIn.access.text) else { throw TravelError.signedOut }
        return device
    }

    /// Returns the browser that has signed in with this token, also before the server was restarted; `nil` when it is signed
    /// out, and for any other text.
    ///
    /// - Throws: The errors of the store.
    package func device(withToken text: String) async throws -> BrowserDevice? {
        guard let token = Token(text) else { return nil }
        let accounts = application.stores.accounts
        let digest = BrowserTokens.digest(of: token, by: application.tokens)
        guard let device = try await accounts.device(withAccess: digest) else { return nil }
        let signedInAt = device.tokens.accessExpiresAt.addingTimeInterval(-DeviceTokens.accessLifetime)
        return BrowserDevice(
            device: device, token: token, age: application.now().timeIntervalSince(signedInAt), accounts: accounts,
            observations: application.observations)
    }

    // MARK: What a signed-in browser works with

    /// The trips and the people, within the quota of each account.
    ///
    /// - Parameter turn: What an observation waits for before it shows a change; its first value does not wait.
    package func store(_ turn: @escaping @Sendable () async -> Void = {}) -> any TravelStore {
        QuotaStore(base: application.stores.trips, quota: application.accountQuota, turn: turn)
    }

    /// Decides whether a picture may be published.
    package var review: any ImageReview { application.review }

    /// The use cases of the user of a device.
    package func useCases(of device: BrowserDevice) -> UseCases {
        UseCases(store: store(), session: device, review: review, now: application.now)
    }

    /// Returns a picture as a user sees it, without metadata.
    ///
    /// - Parameter key: The key of a link that the user presents.
    /// - Throws: The errors of the store.
    package func picture(
        _ id: TripImage.ID, in size: PictureSize?, for device: BrowserDevice, client: String, key: LinkKey? = nil
    ) async throws -> (mediaType: String, bytes: Data) {
        let trips = application.stores.trips
        return try await application.pictures.withPicture(
            id, in: size, of: key.map(trips.following) ?? trips, viewer: device.user,
            for: SocketAddress.network(of: client)
        ) { ($0, $1) }
    }

    /// Whether a user needs the key of a link to see the trip, and sees it with this one.
    ///
    /// - Throws: The errors of the store.
    package func opens(_ key: LinkKey, _ trip: Trip.ID, for device: BrowserDevice) async throws -> Bool {
        do {
            let trip = try await application.stores.trips.following(key).trip(trip, viewer: device.user)
            return !trip.isMine && trip.content.audience.key?.matches(key) == true
        } catch TravelError.notFound {
            return false
        }
    }
}

/// A browser that is signed in on a server: the session of everything that its user does there.
package struct BrowserDevice: SessionRepository {
    private let device: SignedInDevice
    /// What its browser keeps as a secret.
    package let token: String
    /// The seconds since it signed in, when it was read.
    package let age: Double
    private let accounts: any AccountRepository
    private let observations: OpenObservations

    init(
        device: SignedInDevice, token: Token, age: Double, accounts: any AccountRepository,
        observations: OpenObservations
    ) {
        (self.device, self.token, self.age) = (device, token.text, age)
        (self.accounts, self.observations) = (accounts, observations)
    }

    package var user: User.ID { device.user }

    /// The session, which ends when the device is signed out; how long a browser may use it is up to its application.
    package func session() async throws -> Session? {
        try Task.checkCancellation()
        return try await accounts.device(withAccess: device.tokens.access) == nil ? nil : Session(user: device.user)
    }

    /// Signs the device out if `change` does. Nobody else can be signed in.
    ///
    /// - Throws: ``TravelError/forbidden(_:)`` when the result of `change` is the session of someone else; the errors of
    ///   the repository.
    package func updateSession(_ change: @escaping @Sendable (inout Session?) -> Void) async throws {
        var session = try await session()
        change(&session)
        guard let session else { return try await accounts.removeDevice(device.id) }
        guard session.user == device.user else { throw TravelError.forbidden(.user(session.user)) }
    }

    /// Emits the session, and `nil` when it has ended on this server.
    package func observeSession() -> any AsyncSequence<Session?, any Error> & Sendable {
        let (sessions, continuation) = AsyncThrowingStream<Session?, any Error>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            do {
                try await observations.observing(as: device) { end in
                    let session = try await session()
                    continuation.yield(session)
                    if session == nil { return }
                    for await _ in end {}
                    if !Task.isCancelled { continuation.yield(nil) }
                }
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return sessions
    }

    /// Returns when the session has ended on this server, or the task is cancelled.
    package func waitUntilSignedOut() async {
        await observations.observing(as: device) { end in
            // It may have ended just before. A store that cannot answer is asked again by the next request.
            guard (try? await session()) != .some(nil) else { return }
            for await _ in end {}
        }
    }
}

/// Makes the tokens with which one browser signs in. Their digests are made twice: a token of the interface for devices is
/// not that of a browser, which is valid for longer, and the token of a browser is of no use to the interface.
final class BrowserTokens: TokenSource {
    private let base: any TokenSource
    private let made = Mutex<Set<Token>>([])

    init(base: any TokenSource) {
        self.base = base
    }

    func token() -> Token {
        let token = base.token()
        made.withLock { _ = $0.insert(token) }
        return token
    }

    /// Others are those of invitations.
    func digest(of token: Token) -> TokenDigest {
        made.withLock { $0.contains(token) } ? Self.digest(of: token, by: base) : base.digest(of: token)
    }

    static func digest(of token: Token, by base: any TokenSource) -> TokenDigest {
        let digest = base.digest(of: token)
        // A token has as many bytes as a digest.
        return base.digest(of: Token(bytes: digest.bytes)!)
    }
}
#endif
