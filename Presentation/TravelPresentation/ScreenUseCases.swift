/// The repositories of the screens, and the use cases that are made of them: what the composition root provides.
///
/// The date, new identifiers, places and schedulers are dependencies of the scope in which a screen runs.
///
/// ```swift
/// let useCases = ScreenUseCases(
///     store: database.trips, session: database.session, identity: identity,
///     recentKeywords: database.recentKeywords, readImage: { path in try await photo(at: path) },
///     saveLanguage: { language in try await save(language) })
/// let home = FlowStore(HomeFlow(useCases, user: user))
/// ```
public struct ScreenUseCases: Sendable {
    let store: any TravelStore
    let session: any SessionRepository
    let identity: any IdentityProvider
    let recentKeywords: any RecentKeywordRepository
    /// What keeps the trips like those of a server; `nil` for an app without one.
    package let synchronization: (any TripSynchronization)?
    /// The account of the user on a server; `nil` for an app whose accounts have no password.
    package var serverAccount: ServerAccount?
    let readImage: @Sendable (String) async throws -> PickedImage
    package let saveLanguage: @Sendable (Language) async throws -> Void

    /// Deletes a trip. An app that can undo deletions replaces it.
    package var deleteTrip: @Sendable (Trip.ID) async throws -> Void
    /// Deletes an entry of a trip. An app that can undo deletions replaces it.
    package var deleteEntry: @Sendable (TimelineEntry.ID, Trip.ID) async throws -> Void
    /// Removes the account of the user. An app that keeps something of the user replaces it.
    package var withdraw: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - store: The trips and the people.
    ///   - session: The session of the user of this device.
    ///   - identity: The provider of accounts for signing in.
    ///   - recentKeywords: The recent searches on this device.
    ///   - synchronization: What keeps the trips like those of a server; `nil` for an app without one.
    ///   - readImage: Reads an image at a path, with the time and the position at which it was taken. Its error is
    ///     shown beside the field.
    ///   - saveLanguage: Saves the language for the next start. Its error is shown as a notice.
    public init(
        store: any TravelStore, session: any SessionRepository, identity: any IdentityProvider,
        recentKeywords: any RecentKeywordRepository, synchronization: (any TripSynchronization)? = nil,
        readImage: @escaping @Sendable (String) async throws -> PickedImage,
        saveLanguage: @escaping @Sendable (Language) async throws -> Void
    ) {
        self.store = store
        self.session = session
        self.identity = identity
        self.recentKeywords = recentKeywords
        self.synchronization = synchronization
        self.readImage = readImage
        self.saveLanguage = saveLanguage
        let withdraw = Withdraw(users: store, identity: identity, session: session)
        let deleteTrip = DeleteTrip(trips: store, session: session)
        self.withdraw = { try await withdraw() }
        self.deleteTrip = { try await deleteTrip($0) }
        deleteEntry = { entry, trip in
            _ = try await DeleteEntry(trips: store, session: session, now: Self.now)(entry, in: trip)
        }
    }
}

extension ScreenUseCases {
    /// What an app does with the password of an account on a server. The errors are shown beside the field.
    package struct ServerAccount: Sendable {
        /// Signs in, and sends pending changes.
        package let signIn: @Sendable (Nickname, Password) async throws -> Void
        /// Removes the account with everything that the user owns.
        package let withdraw: @Sendable (Password) async throws -> Void

        package init(
            signIn: @escaping @Sendable (Nickname, Password) async throws -> Void,
            withdraw: @escaping @Sendable (Password) async throws -> Void
        ) {
            self.signIn = signIn
            self.withdraw = withdraw
        }
    }
}

// MARK: Use cases

extension ScreenUseCases {
    var searchTrips: SearchTrips { SearchTrips(trips: store, session: session) }
    var watchTrips: WatchTrips { WatchTrips(trips: store, session: session) }
    var likeTrip: LikeTrip { LikeTrip(trips: store, session: session) }
    var suggestKeywords: SuggestKeywords { SuggestKeywords(titles: store, recent: recentKeywords, session: session) }

    var showTrip: ShowTrip { ShowTrip(trips: store, session: session) }
    var reportTrip: ReportTrip { ReportTrip(moderation: store, session: session) }
    var blockAuthor: BlockAuthor { BlockAuthor(moderation: store, session: session) }

    var recordTrip: RecordTrip { RecordTrip(trips: store, users: store, session: session, now: Self.now) }
    var editTrip: EditTrip { EditTrip(trips: store, session: session, now: Self.now) }
    var saveEntry: SaveEntry { SaveEntry(trips: store, session: session, now: Self.now) }
    var searchPlaces: SearchPlaces {
        @Dependency(\.places) var places
        return SearchPlaces(places: places)
    }

    func load(_ id: Trip.ID) async throws -> RecordedTrip {
        for try await details in showTrip(id) { return try details.recorded }
        throw CancellationError()
    }

    /// The clock of the scope in which this is read.
    private static var now: @Sendable () -> Date {
        @Dependency(\.date) var date
        return { [date] in date.now }
    }
}

// MARK: Places

extension DependencyValues {
    /// The directory in which places are searched. The composition root provides it at launch: searches begin after a
    /// pause, outside of the scope in which a key was pressed.
    package var places: any PlaceRepository {
        get { self[PlacesKey.self] }
        set { self[PlacesKey.self] = newValue }
    }
}

private enum PlacesKey: DependencyKey {
    static var liveValue: any PlaceRepository { fromCompositionRoot(placeholder: NoPlaces()) }
}

private struct NoPlaces: PlaceRepository {
    func search(_ text: String, limit: Int) async throws -> [KnownPlace] { [] }
    func nearest(to coordinate: Coordinate, within meters: Double) async throws -> KnownPlace? { nil }
}

// MARK: Screens

extension ScreenUseCases {
    package var account: SessionViewModel {
        SessionViewModel(
            watch: { [self] in WatchSession(users: store, session: session)().asObservable() },
            signOut: { [session] in try await SignOut(session: session)() }, withdraw: withdraw)
    }

    package var signIn: NicknameViewModel {
        let signIn = SignIn(identity: identity, users: store, session: session)
        return .signIn { _ = try await signIn(as: $0) }
    }

    package var profile: NicknameViewModel {
        let check = CheckNickname(users: store, session: session)
        let change = ChangeNickname(users: store, session: session)
        return .profile(check: { try await check($0) }, change: { try await change($0) })
    }

    package func entry(
        _ entry: TimelineEntry.ID, in trip: Trip.ID, user: Observable<User?>
    ) -> EntryViewModel {
        EntryViewModel(
            entry, in: trip, user: user, show: { [showTrip] in showTrip($0).asObservable() },
            delete: deleteEntry)
    }

    package func myPage(of user: Observable<User?>) -> MyPageViewModel {
        MyPageViewModel(user: user) { [watchTrips] in watchTrips($0).asObservable() }
    }

    package var blocked: BlockedViewModel {
        let blocked = BlockedAuthors(moderation: store, session: session)
        let unblock = UnblockAuthor(moderation: store, session: session)
        return BlockedViewModel(load: { try await blocked() }, unblock: { try await unblock($0) })
    }
}
