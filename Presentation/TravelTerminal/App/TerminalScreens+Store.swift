#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension TerminalScreens {
    /// A store of travels with all that the screens need of it.
    public typealias Store = TravelRepository & TravelEditingRepository & TravelObservingRepository & UserRepository
        & ModerationRepository & TitleRepository

    /// Creates the use cases of all screens from the repositories of a store.
    ///
    /// - Parameters:
    ///   - store: The travels and the people.
    ///   - session: Who is signed in.
    ///   - identity: The account that signing in leads to.
    ///   - recentKeywords: The keywords that were searched for last.
    ///   - places: The directory of places.
    ///   - now: The clock.
    ///   - readImage: Reads an image at a path, with the time at which it was taken.
    ///   - saveLanguage: Saves the language for the next start.
    public init(
        store: any Store, session: any SessionRepository, identity: any IdentityProvider,
        recentKeywords: any RecentKeywordRepository, places: any PlaceRepository, now: @escaping @Sendable () -> Date,
        readImage: @escaping @Sendable (String) async throws -> PickedImage,
        saveLanguage: @escaping @Sendable (Language) async throws -> Void
    ) {
        let people = People(store: store, session: session, identity: identity)
        let travels = TravelUseCases(store: store, session: session, now: now)
        self.init(
            session: people.sessionUseCases, home: travels.home(recentKeywords), timeline: travels.timeline,
            travelEditor: travels.travelEditor(readImage), entryEditor: travels.entryEditor(places, readImage),
            myPage: travels.myPage, profile: people.profile, signIn: people.signIn, blocked: people.blocked,
            saveLanguage: saveLanguage)
    }
}

/// The use cases of the screens about people.
private struct People: Sendable {
    let store: any TerminalScreens.Store
    let session: any SessionRepository
    let identity: any IdentityProvider

    var sessionUseCases: SessionFlow.UseCases {
        let watch = WatchSession(users: store, session: session)
        let signOut = SignOut(session: session)
        let withdraw = Withdraw(users: store, identity: identity, session: session)
        return .init(
            watch: { .following(watch()) }, signOut: { try await signOut() }, withdraw: { try await withdraw() })
    }

    var profile: NicknameViewModel {
        let check = CheckNickname(users: store, session: session)
        let change = ChangeNickname(users: store, session: session)
        return .profile(check: { try await check($0) }, change: { _ = try await change($0) })
    }

    var signIn: NicknameViewModel {
        let signIn = SignIn(identity: identity, users: store, session: session)
        return .signIn { _ = try await signIn(as: $0) }
    }

    var blocked: BlockedFlow {
        let blocked = BlockedAuthors(moderation: store, session: session)
        let unblock = UnblockAuthor(moderation: store, session: session)
        return BlockedFlow(load: { try await blocked() }, unblock: { try await unblock($0) })
    }
}
