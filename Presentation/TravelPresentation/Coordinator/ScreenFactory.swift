#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Makes the screens of the app from the ports of the domain: the place where use cases meet screens.
///
/// It runs the session of the app, which every screen follows. Keep one for the whole app.
///
/// ```swift
/// let screens = ScreenFactory(.init(store: database.travels, session: database.session, …))
/// screens.session.send(.started)
/// let home = FlowStore(screens.home())
/// let timeline = FlowStore(screens.timeline(id, day: 2))
/// ```
public struct ScreenFactory: Sendable {
    /// What the screens need from outside.
    public struct Ports: Sendable {
        /// The store of travels and people.
        public var store: any TravelStore
        /// Who is signed in on this device.
        public var session: any SessionRepository
        /// Identifies the person.
        public var identity: any IdentityProvider
        /// The recent keywords of this device.
        public var recentKeywords: any RecentKeywordRepository
        /// The directory of places.
        public var places: any PlaceRepository
        /// Reads an image at a path, with the time at which it was taken.
        public var readImage: @Sendable (String) async throws -> PickedImage
        /// The current time.
        public var now: @Sendable () -> Date

        /// Creates ports.
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

    /// The session of the app. Send it `started` once.
    public let session: SessionFlow.Store
    private let ports: Ports

    /// Creates a factory, whose session has not started yet.
    public init(_ ports: Ports) {
        self.ports = ports
        let watch = WatchSession(users: ports.store, session: ports.session)
        let signOut = SignOut(session: ports.session)
        let withdraw = Withdraw(users: ports.store, identity: ports.identity, session: ports.session)
        session = FlowStore(
            SessionFlow(
                .init(
                    watch: { Self.stream(watch()) }, signOut: { try await signOut() },
                    withdraw: { try await withdraw() })))
    }

    /// The person who is signed in: the current one as soon as that is known, then each change; `nil` for nobody.
    public var person: Observable<User?> { SessionFlow.person(of: session) }

    // MARK: Lists

    /// The home screen, or any other list of travels: those of one author, those that a person likes.
    public func home(_ criteria: TravelCriteria = TravelCriteria()) -> HomeFlow {
        let search = SearchTravels(travels: ports.store, session: ports.session)
        let watch = WatchTravels(travels: ports.store, session: ports.session)
        let like = LikeTravel(travels: ports.store, session: ports.session)
        let suggest = SuggestKeywords(
            titles: ports.store, recent: ports.recentKeywords, session: ports.session)
        return HomeFlow(
            .init(
                firstPage: { Self.stream(watch($0)) }, page: { try await search($0, after: $1) },
                setLiked: { try await like($0, travel: $1) }, suggest: { try await suggest($0) },
                remember: { [recent = ports.recentKeywords] keyword in
                    try await recent.updateRecentKeywords { $0.remember(keyword) }
                },
                forget: { [recent = ports.recentKeywords] keyword in
                    try await recent.updateRecentKeywords { $0.forget(keyword) }
                }), person: person, criteria: criteria)
    }

    /// The page of the person who is signed in.
    public func myPage() -> MyPageViewModel {
        let watch = WatchTravels(travels: ports.store, session: ports.session)
        return MyPageViewModel(
            .init(
                travels: { Self.stream(watch(TravelCriteria(author: $0))) },
                likedTravels: { Self.stream(watch(TravelCriteria(likedBy: $0))) }), person: person)
    }

    // MARK: A travel

    /// A travel with its timeline, opened on a day (1-based); also for the map of that day.
    public func timeline(_ id: Travel.ID, day: Int = 1) -> TimelineFlow {
        TimelineFlow(timelineUseCases, travel: id, day: day, person: person)
    }

    /// One entry of a travel.
    public func entry(_ entry: TimelineEntry.ID, in id: Travel.ID) -> TimelineFlow {
        TimelineFlow(timelineUseCases, entry: entry, in: id, person: person)
    }

    private var timelineUseCases: TimelineFlow.UseCases {
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

    // MARK: Editors

    /// The editor of a new travel.
    public func newTravel() -> TravelEditorFlow { TravelEditorFlow(travelEditorUseCases) }

    /// The editor of a travel.
    public func travelEditor(_ id: Travel.ID) -> TravelEditorFlow {
        TravelEditorFlow(travelEditorUseCases, travel: id)
    }

    /// The editor of a new entry on a day (1-based) of a travel.
    public func newEntry(in travel: Travel.ID, day: Int) -> EntryEditorFlow {
        EntryEditorFlow(entryEditorUseCases, newEntryIn: travel, day: day)
    }

    /// The editor of an entry.
    public func entryEditor(_ entry: TimelineEntry.ID, in travel: Travel.ID) -> EntryEditorFlow {
        EntryEditorFlow(entryEditorUseCases, entry: entry, in: travel)
    }

    private var travelEditorUseCases: TravelEditorFlow.UseCases {
        let record = RecordTravel(
            travels: ports.store, users: ports.store, session: ports.session, now: ports.now)
        let edit = EditTravel(travels: ports.store, session: ports.session, now: ports.now)
        return .init(
            load: load, record: { try await record($0, id: $1, adding: $2) },
            edit: { try await edit($1.id, $0, adding: $2, expecting: $1.version) }, readImage: ports.readImage)
    }

    private var entryEditorUseCases: EntryEditorFlow.UseCases {
        let save = SaveEntry(travels: ports.store, session: ports.session, now: ports.now)
        let places = SearchPlaces(places: ports.places)
        return .init(
            load: load, save: { try await save($0, adding: $2, in: $1.id, expecting: $1.version) },
            searchPlaces: { try await places($0) }, readImage: ports.readImage)
    }

    /// Loads a travel to edit it.
    private var load: @Sendable (Travel.ID) async throws -> RecordedTravel {
        { [show = ShowTravel(travels: ports.store, session: ports.session)] id in
            for try await details in show(id) { return try details.recorded }
            throw CancellationError()
        }
    }

    // MARK: The person

    /// The form for signing in.
    public func signIn() -> NicknameViewModel {
        let signIn = SignIn(identity: ports.identity, users: ports.store, session: ports.session)
        return .signIn { _ = try await signIn(as: $0) }
    }

    /// The nickname of the person who is signed in.
    public func profile() -> NicknameViewModel {
        let check = CheckNickname(users: ports.store, session: ports.session)
        let change = ChangeNickname(users: ports.store, session: ports.session)
        return .profile(
            check: { try await check($0) },
            change: { [session] in session.send(.renamed(try await change($0))) })
    }

    /// The authors whom the person has blocked.
    public func blocked() -> BlockedFlow {
        let blocked = BlockedAuthors(moderation: ports.store, session: ports.session)
        let unblock = UnblockAuthor(moderation: ports.store, session: ports.session)
        return BlockedFlow(load: { try await blocked() }, unblock: { try await unblock($0) })
    }

    private static func stream<Element: Sendable>(
        _ sequence: any AsyncSequence<Element, any Error> & Sendable
    ) -> Observable<Element> {
        .task { send in
            for try await element in sequence { send(element) }
        }
    }
}

extension TravelDetails {
    /// The travel to edit: what was shown, without likes.
    fileprivate var recorded: RecordedTravel {
        get throws(TravelError) {
            try RecordedTravel(
                id: travel.id, author: travel.author, createdAt: travel.createdAt, updatedAt: travel.updatedAt,
                version: travel.version, content: travel.content, timeline: timeline)
        }
    }
}
