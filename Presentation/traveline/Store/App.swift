import Foundation
import TravelDataFiles
import TravelDataSQLite
import TravelDomain
import TravelPresentation

/// The composition root: everything that commands and screens need, made once.
struct App: Sendable {
    /// Travels, people, images, reports and blocks.
    let store: any TravelStore
    /// The IDs of the travels.
    let identifiers: any TravelIdentifiers
    /// The keywords that were searched for on this device.
    let recentKeywords: any RecentKeywordRepository
    /// The session: that of this device, or one for this command only.
    let session: any SessionRepository
    /// The account that signing in leads to.
    let identity: any IdentityProvider
    /// The name under which the device knows the place where travels are stored.
    let place: String
    /// The language of the person.
    let language: Language
    /// Closes everything. Later calls of the repositories throw `TravelError.unavailable`.
    let close: @Sendable () async -> Void

    /// The directory of places.
    var places: any PlaceRepository { KoreanPlaces() }
    /// The reader of when photos were taken.
    static var photos: any PhotoReading { ExifReader() }
    /// The clock.
    var now: @Sendable () -> Date { { Date() } }

    /// Runs `work` with the database that the options name, or the person's own, and closes it, so that the one file of
    /// a file holds everything.
    ///
    /// A file that does not exist yet is created and filled with sample trips. The first use of a database signs the
    /// person of the device in.
    static func run<Value>(_ options: StoreOptions, _ work: (App) async throws -> Value) async throws -> Value {
        let language = options.language ?? Standard.language
        let account = try options.account.map(LocalIdentity.account(named:))
        let (location, isNamed) = try options.location()
        return try await FileError.naming(location.description, in: language) {
            let store = try await OpenStore.open(location, isNamed: isNamed, in: language)
            let device: DeviceState
            do {
                device = try await DeviceState.open(for: location, store.file, as: account?.user)
            } catch {
                await store.close()
                throw error
            }
            let close: @Sendable () async -> Void = {
                await device.close()
                await store.close()
            }
            do {
                let app = try await App(store, device, at: location, as: account, in: language, close: close)
                let value = try await work(app)
                await close()
                return value
            } catch {
                await close()
                throw error
            }
        }
    }

    /// Composes the parts; with an account, that account acts, even if another one is signed in on the device.
    private init(
        _ open: OpenStore, _ device: DeviceState, at location: StoreLocation,
        as account: (user: User.ID, nickname: Nickname)?,
        in language: Language, close: @escaping @Sendable () async -> Void
    ) async throws {
        (store, identifiers, recentKeywords) = (open.travels, open.identifiers, device.recentKeywords)
        (self.language, self.close) = (language, close)
        place = location.place(in: ProcessInfo.processInfo.environment)
        if let account {
            identity = LocalIdentity(account.user)
            session = device.session
            try await signIn(as: account.nickname)
        } else {
            let environment = ProcessInfo.processInfo.environment
            let isFirstUse = !LocalIdentity.isStored(in: environment)
            let person = try await Self.person(of: open)
            identity = person
            session = RefreshingSession(device.session, identity: person, now: { Date() })
            // Earlier versions had no sessions: their person has an account without ever having signed in. In a place
            // that is new on this device they may have an account as well: from a copy of the travels.
            let hasNeverSignedOut =
                isFirstUse && person.user == LocalIdentity.ofEarlierVersions
                || device.isNew && !location.isOwn(in: environment)
            try await signInForTheFirstTime(person.user, despiteAccount: hasNeverSignedOut)
        }
    }

    /// Signs the account of ``identity`` in; a new one gets that nickname.
    @discardableResult
    func signIn(as nickname: Nickname) async throws -> User {
        try await signIn(as: nickname, identity)
    }

    /// Signs the account of `identity` in; a new one gets that nickname.
    ///
    /// - Throws: `CommandError` when someone else has the nickname.
    @discardableResult
    func signIn(as nickname: Nickname, _ identity: any IdentityProvider) async throws -> User {
        do {
            return try await SignIn(identity: identity, users: store, session: session)(as: nickname)
        } catch TravelError.conflict(.user) {
            throw CommandError(
                language.say(
                    "someone else has the nickname '\(nickname)'; choose another name",
                    "'\(nickname)'은(는) 다른 사람의 별명입니다. 다른 이름을 고르세요"), .dataError)
        }
    }

    /// Signs the person of the device in, unless they have an account: then they may have signed out.
    private func signInForTheFirstTime(_ person: User.ID, despiteAccount: Bool) async throws {
        // An account that is not there any more, for example in a file that was replaced, is signed out.
        guard try await RestoreSession(users: store, session: session)() == nil else { return }
        if !despiteAccount, try await Self.hasAccount(person, in: store) { return }
        do {
            try await signInOnDevice(identity)
        } catch TravelError.unavailable {
            // What can be read is shown without an account.
        }
    }

    private static func hasAccount(_ person: User.ID, in store: any UserRepository) async throws -> Bool {
        do {
            _ = try await store.user(person)
            return true
        } catch TravelError.notFound {
            return false
        }
    }

    /// Signs the person of the device in, with the first nickname that nobody else has if they are new.
    @discardableResult
    func signInOnDevice(_ identity: any IdentityProvider) async throws -> User {
        for nickname in try LocalIdentity.deviceNicknames {
            do {
                return try await SignIn(identity: identity, users: store, session: session)(as: nickname)
            } catch TravelError.conflict(.user) {
                continue
            }
        }
        return try await signIn(as: Nickname("나그네100"), identity)
    }

    /// The person of the device; without a data directory, that of the file.
    ///
    /// A device without an ID whose database was written by an earlier version keeps the person of that version, so
    /// that their trips stay theirs.
    private static func person(of store: OpenStore) async throws -> LocalIdentity {
        let earlier = try await personOfEarlierVersions(in: store.travels)
        do {
            return try LocalIdentity.device(in: ProcessInfo.processInfo.environment, new: earlier ?? User.ID())
        } catch {
            guard let file = store.file else { throw error }
            do {
                return LocalIdentity(try await file.session.identify().user)
            } catch TravelError.unavailable(let outage) where outage.cause == .readOnly {
                // Nothing on this device can be written: somebody who only reads.
                return LocalIdentity(User.ID())
            }
        }
    }

    private static func personOfEarlierVersions(in store: any UserRepository) async throws -> User.ID? {
        guard let id = LocalIdentity.ofEarlierVersions else { return nil }
        return try await hasAccount(id, in: store) ? id : nil
    }
}
