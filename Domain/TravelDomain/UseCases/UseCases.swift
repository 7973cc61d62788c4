/// The use cases of one session over one store: an app, a command and a server compose them in the same way.
///
/// ```swift
/// let useCases = UseCases(store: database.trips, session: database.session, now: { Date() })
/// let trip = try await useCases.recordTrip(content)
/// try await useCases.likeTrip(true, trip: trip.id)
/// ```
///
/// Creating them costs next to nothing: a server does it for each request.
public struct UseCases: Sendable {
    public let store: any TravelStore
    public let session: any SessionRepository
    private let review: any ImageReview
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - store: The trips and the people.
    ///   - session: The session of the acting user.
    ///   - review: What decides on each new picture.
    ///   - now: The clock that gives changes their times.
    public init(
        store: any TravelStore, session: any SessionRepository, review: any ImageReview = .everyImage,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.session = session
        self.review = review
        self.now = now
    }

    /// The same use cases for someone who presents the key of a link (``LinkFollowing/following(_:)``).
    public func following(_ key: LinkKey) -> UseCases {
        UseCases(store: store.following(key), session: session, review: review, now: now)
    }
}

// MARK: Trips

extension UseCases {
    public var searchTrips: SearchTrips { SearchTrips(trips: store, session: session) }
    public var watchTrips: WatchTrips { WatchTrips(trips: store, session: session) }
    public var showTrip: ShowTrip { ShowTrip(trips: store, session: session) }
    public var summarizeTrips: SummarizeTrips { SummarizeTrips(trips: store, session: session) }
    public var likeTrip: LikeTrip { LikeTrip(trips: store, session: session) }
    public var recordTrip: RecordTrip {
        RecordTrip(trips: store, users: store, session: session, review: review, now: now)
    }
    public var editTrip: EditTrip { EditTrip(trips: store, session: session, review: review, now: now) }
    public var publishTrip: PublishTrip {
        PublishTrip(trips: store, users: store, session: session, review: review, now: now)
    }
    public var shareTrip: ShareTrip { ShareTrip(trips: store, session: session, now: now) }
    public var deleteTrip: DeleteTrip { DeleteTrip(trips: store, session: session) }
    public var saveEntry: SaveEntry { SaveEntry(trips: store, session: session, review: review, now: now) }
    public var deleteEntry: DeleteEntry { DeleteEntry(trips: store, session: session, now: now) }
    public var showPicturePositions: ShowPicturePositions {
        ShowPicturePositions(trips: store, session: session, now: now)
    }
    public var moveEntry: MoveEntry { MoveEntry(trips: store, session: session, now: now) }

    /// Suggests titles of the store, and the recent searches of a device.
    public func suggestKeywords(recent: any RecentKeywordRepository) -> SuggestKeywords {
        SuggestKeywords(titles: store, recent: recent, session: session)
    }

    /// Imports tracks as trips.
    ///
    /// - Parameters:
    ///   - places: The places that give stops their names.
    ///   - wording: The words of the titles.
    ///   - regions: The regions of positions.
    ///   - zones: The time zones of positions.
    public func importTrack(
        places: any PlaceRepository, wording: any TrackWording, regions: any RegionDirectory = NoRegions(),
        zones: any TimeZoneDirectory = NoTimeZones()
    ) -> ImportTrack {
        ImportTrack(
            trips: store, users: store, places: places, session: session, wording: wording, regions: regions,
            zones: zones, now: now)
    }
}

extension UseCases {
    /// Imports photos and tracks as trips, with the parameters of ``importTrack(places:wording:regions:zones:)``.
    public func importPhotos(
        places: any PlaceRepository, wording: any TrackWording, regions: any RegionDirectory = NoRegions(),
        zones: any TimeZoneDirectory = NoTimeZones()
    ) -> ImportPhotos {
        ImportPhotos(
            trips: store, users: store, places: places, session: session, wording: wording, regions: regions,
            zones: zones, review: review, now: now)
    }
}

// MARK: People

extension UseCases {
    public var signOut: SignOut { SignOut(session: session) }
    public var restoreSession: RestoreSession { RestoreSession(users: store, session: session) }
    public var watchSession: WatchSession { WatchSession(users: store, session: session) }
    public var checkNickname: CheckNickname { CheckNickname(users: store, session: session) }
    public var changeNickname: ChangeNickname { ChangeNickname(users: store, session: session) }
    public var changeAvatar: ChangeAvatar { ChangeAvatar(users: store, session: session, review: review) }
    public var reportTrip: ReportTrip { ReportTrip(moderation: store, session: session, now: now) }
    public var blockAuthor: BlockAuthor { BlockAuthor(moderation: store, session: session) }
    public var unblockAuthor: UnblockAuthor { UnblockAuthor(moderation: store, session: session) }
    public var blockedAuthors: BlockedAuthors { BlockedAuthors(moderation: store, session: session) }

    /// Signs in with the account that `identity` provides.
    public func signIn(by identity: any IdentityProvider) -> SignIn {
        SignIn(identity: identity, users: store, session: session)
    }

    /// Signs the user of a device in, with the account that `identity` provides.
    public func signInOnDevice(by identity: any IdentityProvider) -> SignInOnDevice {
        SignInOnDevice(identity: identity, users: store, session: session)
    }

    /// Deletes the account, once its user has answered `identity`.
    public func deleteAccount(confirmedBy identity: any IdentityProvider) -> DeleteAccount {
        DeleteAccount(users: store, identity: identity, session: session)
    }
}
