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
@dynamicMemberLookup
public struct ScreenUseCases: Sendable {
    private var useCases: UseCases
    private let identity: any IdentityProvider
    let recentKeywords: any RecentKeywordRepository
    /// What keeps the trips like those of a server; `nil` for an app without one.
    public let synchronization: (any TripSynchronization)?
    /// The account of the user on a server; `nil` for an app whose accounts have no password.
    public var serverAccount: ServerAccount?
    /// Reads an image that was picked. An app in which images do not come from paths replaces it.
    public var readImage: @Sendable (String) async throws -> PickedImage
    /// Saves the language for the next start. An app that keeps it elsewhere replaces it.
    public var saveLanguage: @Sendable (Language) async throws -> Void
    /// Returns a stored image under another ID.
    let copyImage: @Sendable (TripImage.ID, TripImage.ID) async throws -> TripImage

    /// Deletes a trip. An app that can undo deletions replaces it: it returns what ``undo`` needs, or `nil` for a deletion
    /// that cannot be undone.
    public var deleteTrip: @Sendable (Trip.ID) async throws -> UndoableDeletion?
    /// Deletes an entry of a trip; as ``deleteTrip``.
    public var deleteEntry: @Sendable (TimelineEntry.ID, Trip.ID) async throws -> UndoableDeletion?
    /// Brings back what a deletion has removed, and nothing else; `nil` in an app that cannot. Its error is shown as a
    /// notice: ``ScreenFailure/cannotUndo`` where that is no longer possible.
    public var undo: (@Sendable (UndoableDeletion) async throws -> Void)?
    /// Makes a trip of photos and tracks that the user has picked, or adds them to one; `nil` in an app that cannot. Its error
    /// is shown with the name of the file.
    public var importFiles: (@Sendable (PickedFiles) async throws -> ImportedTrip)?
    /// The address of the page on a server that people see to whom a trip is shown, with the key of its link; `nil` for an
    /// app without a server.
    public var sharedPage: (@Sendable (Trip.ID, LinkKey?) -> String)?
    /// The key of the link by which the user has come to a trip; `nil` for none. An app to which links lead replaces it.
    public var linkKey: @Sendable (Trip.ID) -> LinkKey? = { _ in nil }
    /// Removes the account of the user. An app that keeps something of the user replaces it.
    public var deleteAccount: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - store: The trips and the people.
    ///   - session: The session of the user of this device.
    ///   - identity: The provider of accounts for signing in.
    ///   - recentKeywords: The recent searches on this device.
    ///   - synchronization: What keeps the trips like those of a server; `nil` for an app without one.
    ///   - review: Decides on each new picture before it is stored.
    ///   - readImage: Reads an image at a path, with the time and the position at which it was taken. Its error is
    ///     shown beside the field.
    ///   - saveLanguage: Saves the language for the next start. Its error is shown as a notice.
    public init(
        store: any TravelStore, session: any SessionRepository, identity: any IdentityProvider,
        recentKeywords: any RecentKeywordRepository, synchronization: (any TripSynchronization)? = nil,
        review: any ImageReview = .everyImage,
        readImage: @escaping @Sendable (String) async throws -> PickedImage,
        saveLanguage: @escaping @Sendable (Language) async throws -> Void
    ) {
        self.identity = identity
        self.recentKeywords = recentKeywords
        self.synchronization = synchronization
        self.readImage = readImage
        self.saveLanguage = saveLanguage
        copyImage = { id, copy in
            try TripImage(id: copy, bytes: try await store.image(id, viewer: try await session.session()?.user).bytes)
        }
        useCases = UseCases(store: store, session: session, review: review, now: Self.now)
        deleteAccount = { [useCases] in try await useCases.deleteAccount(confirmedBy: identity)() }
        deleteTrip = { [useCases] trip in
            try await useCases.deleteTrip(trip)
            return nil
        }
        deleteEntry = { [useCases] entry, trip in
            _ = try await useCases.deleteEntry(entry, in: trip)
            return nil
        }
    }

    /// A use case of the domain, with the clock of the scope in which it is called.
    public subscript<UseCase>(dynamicMember useCase: KeyPath<UseCases, UseCase>) -> UseCase {
        useCases[keyPath: useCase]
    }

    @Sendable
    private static func now() -> Date {
        @Dependency(\.date) var date
        return date.now
    }
}

extension ScreenUseCases {
    /// What an app does with the password of an account on a server. The errors are shown beside the field.
    public struct ServerAccount: Sendable {
        /// Signs in, and sends pending changes.
        public let signIn: @Sendable (Nickname, Password) async throws -> Void
        /// Removes the account with everything that the user owns.
        public let deleteAccount: @Sendable (Password) async throws -> Void

        public init(
            signIn: @escaping @Sendable (Nickname, Password) async throws -> Void,
            deleteAccount: @escaping @Sendable (Password) async throws -> Void
        ) {
            self.signIn = signIn
            self.deleteAccount = deleteAccount
        }
    }
}

// MARK: Use cases of screens

extension ScreenUseCases {
    var suggestKeywords: SuggestKeywords { useCases.suggestKeywords(recent: recentKeywords) }
    var searchPlaces: SearchPlaces {
        @Dependency(\.places) var places
        return SearchPlaces(places: places)
    }

    /// The same for the screens of a trip: of one to which a link has led, as whoever has its key sees it.
    func followingLink(to trip: Trip.ID?) -> ScreenUseCases {
        guard let key = trip.flatMap(linkKey) else { return self }
        var followed = self
        followed.useCases = useCases.following(key)
        return followed
    }

    func load(_ id: Trip.ID) async throws -> RecordedTrip {
        for try await details in self.showTrip(id) { return try details.recorded }
        throw CancellationError()
    }
}

// MARK: Places

extension DependencyValues {
    /// The directory in which places are searched. The composition root provides it at launch: searches begin after a
    /// pause, outside of the scope in which a key was pressed.
    public var places: any PlaceRepository {
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
    public var account: SessionViewModel {
        SessionViewModel(
            watch: { self.watchSession().asObservable() }, signOut: { try await self.signOut() },
            deleteAccount: deleteAccount)
    }

    public var signIn: NicknameViewModel {
        let signIn = useCases.signIn(by: identity)
        return .signIn { _ = try await signIn(as: $0) }
    }

    public var profile: NicknameViewModel {
        .profile(check: { try await self.checkNickname($0) }, change: { try await self.changeNickname($0) })
    }

    public func entry(
        _ entry: TimelineEntry.ID, in trip: Trip.ID, user: Observable<User?>
    ) -> EntryViewModel {
        EntryViewModel(
            entry, in: trip, user: user, show: { self.showTrip($0).asObservable() }, delete: deleteEntry)
    }

    public func myPage(of user: Observable<User?>) -> MyPageViewModel {
        MyPageViewModel(user: user) { self.watchTrips($0).asObservable() }
    }

    public func travelSummary(of user: Observable<User?>) -> TravelSummaryViewModel {
        TravelSummaryViewModel(user: user) { self.summarizeTrips().asObservable() }
    }

    public var blocked: BlockedViewModel {
        BlockedViewModel(load: { try await self.blockedAuthors() }, unblock: { try await self.unblockAuthor($0) })
    }
}
