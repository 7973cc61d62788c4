#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The use cases of all screens, made from the ports of the domain: the one place that connects use cases and screens.
///
/// ```swift
/// let useCases = ScreenUseCases(ports)
/// let session = FlowStore(SessionFlow(useCases.session))
/// let home = FlowStore(HomeFlow(useCases.home, person: SessionFlow.person(of: session)))
/// ```
///
/// Keep one for the whole app: a nickname that is changed in ``profile`` reaches the observers of ``session``.
public struct ScreenUseCases: Sendable {
    /// The implementations that the screens need: stores, the session, and the clock.
    ///
    /// ```swift
    /// let store = InMemoryTravelRepository()
    /// let ports = ScreenUseCases.Ports(
    ///     store: store, session: InMemorySession(), identity: identity,
    ///     recentKeywords: InMemoryRecentKeywordRepository(), places: places,
    ///     readImage: { path in try await photo(at: path) }, now: { Date() })
    /// ```
    public struct Ports: Sendable {
        /// The store of travels, people, images, reports and blocks.
        public var store: any TravelStore
        /// The session of this device: the signed-in person.
        public var session: any SessionRepository
        /// Identifies the person who signs in on this device.
        public var identity: any IdentityProvider
        /// The repository of the recent keywords of this device.
        public var recentKeywords: any RecentKeywordRepository
        /// The directory in which places are searched by name.
        public var places: any PlaceRepository
        /// Reads an image at a path, with the time at which it was taken. Its error is shown beside the field.
        public var readImage: @Sendable (String) async throws -> PickedImage
        /// Returns the current time, which becomes the time of edits.
        public var now: @Sendable () -> Date

        /// Creates ports from their implementations, which are used from any thread.
        public init(
            store: any TravelStore, session: any SessionRepository, identity: any IdentityProvider,
            recentKeywords: any RecentKeywordRepository, places: any PlaceRepository,
            readImage: @escaping @Sendable (String) async throws -> PickedImage, now: @escaping @Sendable () -> Date
        ) {
            self.store = store
            self.session = session
            self.identity = identity
            self.recentKeywords = recentKeywords
            self.places = places
            self.readImage = readImage
            self.now = now
        }
    }

    private let ports: Ports
    /// The persons with their new nicknames: watching the session does not emit them.
    private let renamed = PublishRelay<User>()

    /// Creates the use cases of all screens from the same ports.
    public init(_ ports: Ports) {
        self.ports = ports
    }

    // MARK: The person

    /// The use cases of the session of the app.
    public var session: SessionFlow.UseCases {
        let watch = WatchSession(users: ports.store, session: ports.session)
        let signOut = SignOut(session: ports.session)
        let withdraw = Withdraw(users: ports.store, identity: ports.identity, session: ports.session)
        return .init(
            watch: { [renamed] in
                // A new nickname counts for the signed-in person when it arrives.
                Observable.merge(Self.stream(watch()).map(PersonChange.became), renamed.map(PersonChange.renamed))
                    .scan(nil) { person, change in
                        switch change {
                        case .became(let now): now
                        case .renamed(let renamed): person?.id == renamed.id ? renamed : person
                        }
                    }
            },
            signOut: { try await signOut() }, withdraw: { try await withdraw() })
    }

    /// The form for signing in, with the use case `SignIn`.
    public var signIn: NicknameViewModel {
        let signIn = SignIn(identity: ports.identity, users: ports.store, session: ports.session)
        return .signIn { _ = try await signIn(as: $0) }
    }

    /// The nickname of the signed-in person.
    public var profile: NicknameViewModel {
        let check = CheckNickname(users: ports.store, session: ports.session)
        let change = ChangeNickname(users: ports.store, session: ports.session)
        return .profile(
            check: { try await check($0) }, change: { [renamed] in renamed.accept(try await change($0)) })
    }

    /// The use cases of the page of the signed-in person.
    public var myPage: MyPageViewModel.UseCases {
        let watch = WatchTravels(travels: ports.store, session: ports.session)
        return .init(
            travels: { Self.stream(watch(TravelCriteria(author: $0))) },
            likedTravels: { Self.stream(watch(TravelCriteria(likedBy: $0))) })
    }

    /// The authors whom the person has blocked.
    public var blocked: BlockedFlow {
        let blocked = BlockedAuthors(moderation: ports.store, session: ports.session)
        let unblock = UnblockAuthor(moderation: ports.store, session: ports.session)
        return BlockedFlow(load: { try await blocked() }, unblock: { try await unblock($0) })
    }

    // MARK: Travels

    /// The use cases of the home screen, and of any other list of travels: those of one author, those that a person
    /// likes.
    public var home: HomeFlow.UseCases {
        let search = SearchTravels(travels: ports.store, session: ports.session)
        let watch = WatchTravels(travels: ports.store, session: ports.session)
        let like = LikeTravel(travels: ports.store, session: ports.session)
        let recent = ports.recentKeywords
        let suggest = SuggestKeywords(titles: ports.store, recent: recent, session: ports.session)
        return .init(
            firstPage: { Self.stream(watch($0)) }, page: { try await search($0, after: $1) },
            setLiked: { try await like($0, travel: $1) }, suggest: { try await suggest($0) },
            remember: { keyword in try await recent.updateRecentKeywords { $0.remember(keyword) } },
            forget: { keyword in try await recent.updateRecentKeywords { $0.forget(keyword) } })
    }

    /// The use cases of a travel with its timeline, its map and its entries.
    public var timeline: TimelineFlow.UseCases {
        let show = ShowTravel(travels: ports.store, session: ports.session)
        let like = LikeTravel(travels: ports.store, session: ports.session)
        let report = ReportTravel(moderation: ports.store, session: ports.session)
        let block = BlockAuthor(moderation: ports.store, session: ports.session)
        let deleteTravel = DeleteTravel(travels: ports.store, session: ports.session)
        let deleteEntry = DeleteEntry(travels: ports.store, session: ports.session, now: ports.now)
        return .init(
            show: { Self.stream(show($0)) }, setLiked: { try await like($0, travel: $1) },
            report: { try await report($0) }, block: { _ = try await block($0) },
            deleteTravel: { try await deleteTravel($0) }, deleteEntry: { _ = try await deleteEntry($0, in: $1) })
    }

    /// The use cases of the editor of a travel.
    public var travelEditor: TravelEditorFlow.UseCases {
        let record = RecordTravel(
            travels: ports.store, users: ports.store, session: ports.session, now: ports.now)
        let edit = EditTravel(travels: ports.store, session: ports.session, now: ports.now)
        return .init(
            load: load, record: { try await record($0, id: $1, adding: $2) },
            edit: { try await edit($1.id, $0, adding: $2, expecting: $1.version) }, readImage: ports.readImage)
    }

    /// The use cases of the editor of an entry.
    public var entryEditor: EntryEditorFlow.UseCases {
        let save = SaveEntry(travels: ports.store, session: ports.session, now: ports.now)
        let places = SearchPlaces(places: ports.places)
        return .init(
            load: load, save: { try await save($0, adding: $2, in: $1.id, expecting: $1.version) },
            searchPlaces: { try await places($0) }, nearestPlace: { try await places(near: $0) },
            readImage: ports.readImage)
    }

    /// Loads a travel to edit it.
    private var load: @Sendable (Travel.ID) async throws -> RecordedTravel {
        { [show = ShowTravel(travels: ports.store, session: ports.session)] id in
            for try await details in show(id) { return try details.recorded }
            throw CancellationError()
        }
    }

    private static func stream<Element: Sendable>(
        _ sequence: any AsyncSequence<Element, any Error> & Sendable
    ) -> Observable<Element> {
        .task { send in
            for try await element in sequence { send(element) }
        }
    }
}

/// A change of the signed-in person.
private enum PersonChange: Sendable {
    case became(User?)
    case renamed(User)
}
