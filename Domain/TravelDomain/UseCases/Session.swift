/// Signs a user in and stores the session.
///
/// A returning user keeps their nickname; a new user gets the one they chose.
///
/// ```swift
/// let signIn = SignIn(identity: identity, users: repository, session: session)
/// let user = try await signIn(as: Nickname("Mina"))
/// user.nickname.text    // "Mina", or the earlier nickname of a returning user
/// ```
public struct SignIn: Sendable {
    private let identity: any IdentityProvider
    private let users: any UserRepository
    private let session: any SessionRepository

    public init(identity: any IdentityProvider, users: any UserRepository, session: any SessionRepository) {
        self.identity = identity
        self.users = users
        self.session = session
    }

    /// Signs the user in and returns them. A new user gets `nickname`.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when nobody may choose the nickname (see ``Nickname/requireChoosable()``), and
    ///   ``TravelError/conflict(_:)`` when someone else has one that looks like it, in which cases a new user is not signed
    ///   in; other errors of the identity provider and the repositories; `CancellationError`.
    public func callAsFunction(as nickname: Nickname) async throws -> User {
        let new = try await identity.identify()
        let user = try await user(new.user, nickname)
        try await session.setSession(new)
        return user
    }

    private func user(_ id: User.ID, _ nickname: Nickname) async throws -> User {
        do {
            return try await users.user(id)
        } catch TravelError.notFound(.user(id)) {
            try nickname.requireChoosable()
            let newcomer = User(id: id, nickname: nickname)
            do {
                try await users.add(newcomer)
                return newcomer
            } catch TravelError.conflict(.user(id)) {
                // The same user has signed in concurrently.
                return try await users.user(id)
            }
        }
    }
}

/// Signs the user of a device in without asking them: at the first use of a store, and whenever they ask for it.
///
/// ```swift
/// let signIn = SignInOnDevice(identity: identity, users: repository, session: session)
/// try await signIn.atFirstUse(as: Nickname("traveller"), or: [Nickname("traveller2")])
/// try await session.session()    // somebody new is signed in, as "traveller"
/// ```
public struct SignInOnDevice: Sendable {
    private let signIn: SignIn
    private let restore: RestoreSession
    private let identity: any IdentityProvider
    private let users: any UserRepository

    /// Creates the use case; `identity` identifies the user of the device.
    public init(identity: any IdentityProvider, users: any UserRepository, session: any SessionRepository) {
        self.identity = identity
        self.users = users
        signIn = SignIn(identity: identity, users: users, session: session)
        restore = RestoreSession(users: users, session: session)
    }

    /// Signs the user in. A new one gets `nickname`, or the first of `others` that nobody else has.
    ///
    /// - Throws: ``TravelError/conflict(_:)`` when all nicknames are taken; the errors of ``SignIn``.
    @discardableResult
    public func callAsFunction(as nickname: Nickname, or others: [Nickname] = []) async throws -> User {
        do {
            return try await signIn(as: nickname)
        } catch TravelError.conflict(.user) where !others.isEmpty {
            return try await self(as: others[0], or: Array(others.dropFirst()))
        }
    }

    /// Signs the user in unless somebody is signed in, or they have an account here: then they may have signed out.
    ///
    /// A store that cannot be written, such as one on a read-only medium, is shown without an account. Then the reason is
    /// returned: whoever is asked to sign in learns why that has not happened, and what to do.
    ///
    /// - Parameters:
    ///   - nickname: The nickname of a new user.
    ///   - others: The nicknames to try in order when somebody else has that one.
    ///   - hasNeverSignedOut: Whether an account does not mean that they have signed out, as in a copy of another store
    ///     that is new on this device.
    @discardableResult
    public func atFirstUse(
        as nickname: Nickname, or others: [Nickname] = [], hasNeverSignedOut: Bool = false
    ) async throws -> TravelError.Outage? {
        // An account that is not there any more, for example in a file that was replaced, is signed out.
        guard try await restore() == nil else { return nil }
        if !hasNeverSignedOut, try await hasAccount() { return nil }
        do {
            try await self(as: nickname, or: others)
            return nil
        } catch TravelError.unavailable(let outage) {
            // What can be read is shown without an account.
            return outage
        }
    }

    private func hasAccount() async throws -> Bool {
        do {
            _ = try await users.user(identity.identify().user)
            return true
        } catch TravelError.notFound {
            return false
        }
    }
}

/// Signs the current user out. Other data of the device, such as recent keywords, remains.
public struct SignOut: Sendable {
    private let session: any SessionRepository

    public init(session: any SessionRepository) {
        self.session = session
    }

    /// Signs out. Does nothing when nobody is signed in.
    ///
    /// - Throws: The errors of ``SessionRepository/updateSession(_:)``; `CancellationError`.
    public func callAsFunction() async throws {
        try await session.setSession(nil)
    }
}

/// Restores the signed-in user after a restart.
///
/// ```swift
/// let restoreSession = RestoreSession(users: repository, session: session)
/// if let user = try await restoreSession() { greet(user) } else { showSignIn() }
/// ```
public struct RestoreSession: Sendable {
    private let users: any UserRepository
    private let session: any SessionRepository

    public init(users: any UserRepository, session: any SessionRepository) {
        self.users = users
        self.session = session
    }

    /// Returns the signed-in user; `nil` when nobody is signed in. If their account no longer exists, signs them out.
    ///
    /// - Throws: The errors of the repositories; `CancellationError`.
    public func callAsFunction() async throws -> User? {
        guard let id = try await session.session()?.user else { return nil }
        do {
            return try await users.user(id)
        } catch TravelError.notFound(.user(id)) {
            // Someone else may have signed in in the meantime.
            try await session.updateSession { if $0?.user == id { $0 = nil } }
            return nil
        }
    }
}

/// Observes the signed-in user.
///
/// ```swift
/// for try await user in WatchSession(users: users, session: session)() {
///     show(user?.nickname.text ?? "Sign in")
/// }
/// ```
///
/// ``RestoreSession`` returns them once.
public struct WatchSession: Sendable {
    private let session: any SessionRepository
    private let restore: RestoreSession

    public init(users: any UserRepository, session: any SessionRepository) {
        self.session = session
        restore = RestoreSession(users: users, session: session)
    }

    /// Observes the signed-in user: emits the current one first, `nil` when nobody is signed in, and then each
    /// other one.
    ///
    /// A user whose account no longer exists is signed out. A new nickname alone emits no value. The sequence throws
    /// the errors of the repositories, and ends when the task that iterates over it is cancelled.
    public func callAsFunction() -> any AsyncSequence<User?, any Error> & Sendable {
        DeferredSequence<Session?, User?>(
            make: { [session] in session.observeSession() }, complete: { [restore] _, _ in try await restore() })
    }
}

/// Deletes the account of the signed-in user with everything they own, and signs them out.
public struct DeleteAccount: Sendable {
    private let users: any UserRepository
    private let identity: any IdentityProvider
    private let session: any SessionRepository

    public init(users: any UserRepository, identity: any IdentityProvider, session: any SessionRepository) {
        self.users = users
        self.identity = identity
        self.session = session
    }

    /// Asks the user to identify themselves again, and deletes their account.
    ///
    /// If the process ends before the user is signed out, ``RestoreSession`` signs them out later.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/forbidden(_:)`` when someone else
    ///   answers; other errors of the identity provider and the repositories; `CancellationError`.
    public func callAsFunction() async throws {
        let user = try await session.requireUser()
        guard try await identity.reauthenticate() == user else { throw TravelError.forbidden(.user(user)) }
        try await users.removeUser(user, by: user)
        try await session.updateSession { if $0?.user == user { $0 = nil } }
    }
}
