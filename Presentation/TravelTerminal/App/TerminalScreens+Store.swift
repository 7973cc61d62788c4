#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension TerminalScreens {
    /// Creates the use cases of all screens from the repositories of a store.
    ///
    /// - Parameters:
    ///   - store: The travels and the people.
    ///   - session: The stored session of the signed-in person.
    ///   - identity: The provider of accounts for signing in.
    ///   - recentKeywords: The keywords of the last searches.
    ///   - places: The directory of places.
    ///   - now: The clock.
    ///   - readImage: Reads an image at a path, with the time at which it was taken.
    ///   - saveLanguage: Saves the language for the next start.
    public init(
        store: any TravelStore, session: any SessionRepository, identity: any IdentityProvider,
        recentKeywords: any RecentKeywordRepository, places: any PlaceRepository, now: @escaping @Sendable () -> Date,
        readImage: @escaping @Sendable (String) async throws -> PickedImage,
        saveLanguage: @escaping @Sendable (Language) async throws -> Void
    ) {
        let useCases = ScreenUseCases(
            .init(
                store: store, session: session, identity: identity, recentKeywords: recentKeywords, places: places,
                readImage: readImage, now: now))
        self.init(
            session: useCases.session, home: useCases.home, timeline: useCases.timeline,
            travelEditor: useCases.travelEditor, entryEditor: useCases.entryEditor, myPage: useCases.myPage,
            profile: useCases.profile, signIn: useCases.signIn, blocked: useCases.blocked, saveLanguage: saveLanguage)
    }
}
