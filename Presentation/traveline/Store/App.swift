import Foundation
import TravelDataCached
import TravelDataFiles
import TravelDataSQLite
import TravelDataShared
import TravelDomain
import TravelPresentation
import TravelSamples

#if PostgreSQL
import TravelDataPostgreSQL
#endif

/// The composition root: everything that commands and screens need, made once.
@dynamicMemberLookup
struct App: Sendable {
    /// Trips, people, images, reports and blocks.
    let store: any TravelStore
    let identifiers: any TripIdentifiers
    /// The keywords that were searched for on this device.
    let recentKeywords: any RecentKeywordRepository
    /// The session: that of this device, or one for this command only.
    let session: any SessionRepository
    /// The account that signing in leads to.
    let identity: any IdentityProvider
    /// Why the user of the device could not be signed in at the first use of the place, as where it can only be read.
    private var signInOutage: TravelError.Outage?
    /// The name under which the device knows the place where trips are stored.
    let place: String
    /// What keeps the trips like those of a server; `nil` without one.
    let synchronization: (any TripSynchronization)?
    /// The connection to a server, and its store; `nil` without one.
    let server: (connection: DeviceConnection, store: ConnectedStore)?
    let language: Language
    /// Closes everything. Later calls of the repositories throw `TravelError.unavailable`.
    let close: @Sendable () async -> Void

    var places: any PlaceRepository { KoreanPlaces() }
    /// The reader of when photos were taken.
    static var photos: any PhotoReading { ExifReader() }
    /// What converts pictures and makes smaller ones; `nil` without `vips` on Linux.
    static let pictures = PictureConverter()
    var now: @Sendable () -> Date { { Date() } }

    /// Runs `work` with the database that the options name, or the user's own, and closes it, so that the one file of
    /// a file holds everything.
    ///
    /// A file that does not exist yet is created and filled with sample trips. The first use of a database signs the
    /// user of the device in.
    ///
    /// - Parameters:
    ///   - isInteractive: Whether `work` shows screens, and does not read once as commands do.
    ///   - savesFirst: Whether `work` writes what does not depend on the server: its changes are on this device before a
    ///     server is asked for anything that the device knows.
    static func run<Value>(
        _ options: StoreOptions, isInteractive: Bool = false, savesFirst: Bool = false,
        _ work: (App) async throws -> Value
    ) async throws -> Value {
        let language = options.outputLanguage
        let account = try options.account.map(LocalIdentity.account(named:))
        let (location, isNamed) = try options.location()
        if case .server = location, !options.isOwner { throw CommandError.ownersOnly }
        if !isNamed, let connection = try DeviceConnection.current(in: ProcessInfo.processInfo.environment) {
            if account != nil { throw UsageError.otherAccount(than: connection) }
            return try await run(
                connection, isInteractive: isInteractive, savesFirst: savesFirst, in: language, work)
        }
        return try await FileError.naming(location.description) {
            let store = try await OpenStore.open(location, isNamed: isNamed, in: language)
            return try await closing(store.close) {
                let device = try await DeviceState.open(for: location, store.file, as: account?.user)
                return try await closing(device.close) {
                    let close: @Sendable () async -> Void = {
                        await device.close()
                        await store.close()
                    }
                    let app = try await App(store, device, at: location, as: account, in: language, close: close)
                    do {
                        return try await work(app)
                    } catch TravelError.signedOut {
                        throw app.signInOutage.map(TravelError.unavailable) ?? .signedOut
                    }
                }
            }
        }
    }

    /// Runs `work` with the trips of the server to which the device is connected, and then waits a moment for what is
    /// still to be sent.
    private static func run<Value>(
        _ connection: DeviceConnection, isInteractive: Bool, savesFirst: Bool, in language: Language,
        _ work: (App) async throws -> Value
    ) async throws -> Value {
        let files = try DeviceConnection.Files(in: ProcessInfo.processInfo.environment)
        return try await FileError.naming(connection.address, files: files) {
            let store = try await ConnectedStore.open(
                connection.address, files, of: connection.user, asksFirst: !isInteractive && !savesFirst,
                askPassword: {
                    try PasswordPrompt.password(language[.passwordPrompt], in: language)
                })
            return try await closing(store.close) {
                let device = try await DeviceState.open(in: connection.address)
                return try await closing(device.close) {
                    let app = App(store, device, connection, in: language)
                    do {
                        return try await store.running(savesFirst: savesFirst, follows: isInteractive) {
                            let value = try await work(app)
                            if !isInteractive, !savesFirst { await noteUnanswered(store, connection, in: language) }
                            return value
                        }
                    } catch TravelError.signedOut {
                        throw CommandError.signedOut(of: connection)
                    }
                }
            }
        }
    }

    /// Says that what a command has read is not what the server has now, where the server did not answer.
    private static func noteUnanswered(
        _ store: ConnectedStore, _ connection: DeviceConnection, in language: Language
    ) async {
        let reads = await store.trips.unansweredReads()
        // The server did answer a user who is signed out: it refused.
        guard reads.includesSearch || reads.trips > 0, await store.trips.status().connection != .signedOut else {
            return
        }
        let place = connection.address
        if reads.includesSearch || reads.trips == reads.allTrips {
            Standard.note(
                language.say(
                    "\(place): the server did not answer; this is what the device has",
                    "\(place): 서버가 응답하지 않아 이 기기에 있는 내용입니다"))
        } else {
            Standard.note(
                language.say(
                    "\(place): \(reads.trips) of \(reads.allTrips) trips: the server did not answer",
                    "\(place): 여행 \(reads.allTrips)개 중 \(reads.trips)개는 서버가 응답하지 않았습니다"))
        }
    }

    /// Composes the parts of a device that is connected to a server.
    private init(_ store: ConnectedStore, _ device: DeviceState, _ connection: DeviceConnection, in language: Language)
    {
        (self.store, identifiers, synchronization) = (store.trips, store.cache.trips, store.trips)
        (recentKeywords, identity) = (device.recentKeywords, store.remote)
        session = ConnectedSession(stored: device.session, store: store)
        (place, self.language, server) = (connection.address, language, (connection, store))
        close = {
            await device.close()
            await store.close()
        }
    }

    /// Composes the parts; with an account, that account acts, even if another one is signed in on the device.
    private init(
        _ open: OpenStore, _ device: DeviceState, at location: StoreLocation,
        as account: (user: User.ID, nickname: Nickname)?,
        in language: Language, close: @escaping @Sendable () async -> Void
    ) async throws {
        (store, identifiers, recentKeywords) = (open.trips, open.identifiers, device.recentKeywords)
        (self.language, self.close, synchronization, server) = (language, close, nil, nil)
        place = location.place(in: ProcessInfo.processInfo.environment)
        if let account {
            identity = LocalIdentity(account.user)
            session = device.session
            try await signIn(as: account.nickname)
        } else {
            identity = try await Self.user(of: open)
            session = RefreshingSession(device.session, identity: identity, now: { Date() })
            // In a place that is new on this device the user may have an account from a copy of the trips.
            let isCopy = device.isNew && !location.isOwn(in: ProcessInfo.processInfo.environment)
            signInOutage = try await useCases.signInOnDevice(by: identity)
                .atFirstUse(
                    as: LocalIdentity.deviceNickname, or: LocalIdentity.otherDeviceNicknames, hasNeverSignedOut: isCopy)
            if isCopy, let file = open.file { try await noteHiddenTrips(in: file, location) }
        }
    }

    /// Says at the first use of a file that it has trips which only people of other devices see.
    private func noteHiddenTrips(in file: TravelDatabase, _ location: StoreLocation) async throws {
        let hidden = try await file.hiddenTrips(from: session.session()?.user)
        guard hidden.count > 0 else { return }
        Standard.note(language[.hiddenTrips(hidden.count, by: hidden.authors, in: location)])
    }

    /// Signs the account of `other`, by default of ``identity``, in; a new one gets that nickname.
    ///
    /// - Throws: `CommandError` when someone else has the nickname.
    @discardableResult
    func signIn(as nickname: Nickname, _ other: (any IdentityProvider)? = nil) async throws -> User {
        try await refusingNickname(nickname) {
            try await useCases.signIn(by: other ?? identity)(as: nickname)
        }
    }

    /// Signs the user of the device in; somebody new gets the first nickname that nobody else has.
    ///
    /// - Throws: `CommandError` when all of them are taken.
    @discardableResult
    func signInOnDevice() async throws -> User {
        let nickname = try LocalIdentity.deviceNickname
        return try await refusingNickname(nickname) {
            try await useCases.signInOnDevice(by: identity)(
                as: nickname, or: LocalIdentity.otherDeviceNicknames)
        }
    }

    /// Runs `work`, and says in words when someone else has the nickname.
    func refusingNickname(_ nickname: Nickname, _ work: () async throws -> User) async throws -> User {
        do {
            return try await work()
        } catch TravelError.conflict(.user) {
            throw CommandError(
                "someone else has the nickname '\(nickname)', or one that looks like it; choose another name",
                "'\(nickname)'은(는) 다른 사람의 닉네임이거나 그와 비슷해 보입니다. 다른 이름을 고르세요", .dataError)
        }
    }

    /// The user of the device; without a data directory, that of the file.
    private static func user(of store: OpenStore) async throws -> LocalIdentity {
        do {
            return try LocalIdentity.device(in: ProcessInfo.processInfo.environment)
        } catch let error as FileError {
            throw error
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
}

extension Text {
    /// The trips of a file that only their authors see, of whom at most three are named.
    static func hiddenTrips(_ count: Int, by authors: [Nickname], in location: StoreLocation) -> Text {
        let named = authors.prefix(3).map { "'\($0)'" }
        let others = authors.count - named.count
        let names = named.joined(separator: ", ")
        let english =
            others > 0
            ? "\(names) and \(others == 1 ? "1 other person" : "\(others) other people")"
            : named.count > 1 ? "\(named.dropLast().joined(separator: ", ")) and \(named[named.count - 1])" : names
        return Text(
            "\(location): \(count == 1 ? "1 trip is" : "\(count) trips are") visible only to \(english), on the device where "
                + "they wrote them; if that was you, copy the file 'traveline/person' of its data directory to this device",
            "\(location): 여행 \(count)개는 \(names)\(others > 0 ? " 외 \(others)명이" : "이(가)") 쓴 기기에서만 보입니다. 직접 쓴 여행이면 "
                + "그 기기의 데이터 디렉터리에 있는 'traveline/person' 파일을 이 기기로 복사하세요")
    }
}

extension App {
    /// The trip whose ID is, or begins with, the argument.
    ///
    /// - Throws: `CommandError` when there is none, or when there are several.
    func trip(_ identification: Identification) async throws -> Trip.ID {
        let range: ClosedRange<Trip.ID> = identification.range()
        // A device that is connected to a server knows only the IDs of the trips that it has seen.
        if synchronization != nil, range.lowerBound == range.upperBound { return range.lowerBound }
        return try await identifiers.trip(identification)
    }

    /// The trips whose IDs these are, each once: all of them have to exist.
    func trips(_ identifications: [Identification]) async throws -> [Trip.ID] {
        var found: [Trip.ID] = []
        for identification in identifications {
            let id = try await trip(identification)
            if !found.contains(id) { found.append(id) }
        }
        return found
    }

    /// As many first characters of the IDs as find each of them again in this database.
    func shortIDs(of trips: [Trip]) async throws -> [Trip.ID: String] {
        try await identifiers.neighbors(of: trips.map(\.id)).reduce(into: [:]) { ids, item in
            ids[item.key] = item.key.short(among: item.value)
        }
    }

    func list(_ trips: [Trip]) async throws -> String {
        TripList(trips: trips, ids: try await shortIDs(of: trips), language: language, page: .standard).text
    }

    /// The entry of that trip: by its number in the timeline, or by its ID or the first characters of it.
    func entry(_ text: String, in timeline: [TimelineEntry]) throws -> TimelineEntry {
        // Up to three digits are a number, never the beginning of an ID.
        if text.count < 4, let number = Int(text) {
            if timeline.indices.contains(number - 1) { return timeline[number - 1] }
            throw CommandError(
                "the trip has \(Language.english[.entries(timeline.count)]), and none with the number \(number)",
                "이 여행에는 기록이 \(timeline.count)개 있고, \(number)번은 없습니다", .dataError)
        }
        let identification = try Identification(text)
        let range: ClosedRange<TimelineEntry.ID> = identification.range()
        let found = timeline.filter { range.contains($0.id) }
        if found.count == 1 { return found[0] }
        throw CommandError(ambiguityOf: identification, among: found.map(\.id))
    }

    /// A trip with its timeline, as the acting user sees it.
    func details(of id: Trip.ID) async throws -> (trip: Trip, timeline: [TimelineEntry]) {
        let details = try await allDetails(of: id)
        return (details.trip, details.timeline)
    }

    /// A trip with its timeline and track, as the acting user sees it.
    func allDetails(of id: Trip.ID) async throws -> TripDetails {
        // The first observed value: all parts have the same version.
        for try await details in useCases.showTrip(id) { return details }
        // Watching ends when the task is cancelled.
        throw CancellationError()
    }

    /// A trip with its timeline and images, as the acting user sees it.
    ///
    /// - Throws: `CommandError` for a lost picture, with the entry that shows it.
    func exported(_ id: Trip.ID) async throws -> ExportedTrip {
        let details = try await allDetails(of: id)
        let (trip, entries) = (try details.recorded, details.timeline)
        return try await exported(trip, viewer: session.session()?.user) { image in
            func owner(_ word: String) -> String {
                let entry = entries.first { $0.pictures.contains { $0.id == image } }
                let part = entry.map { ", \(word) \($0.number(in: entries)) '\($0.title)'" } ?? ""
                return "'\(trip.content.title)'\(part)"
            }
            return CommandError(
                "\(owner("entry")): the picture is missing or damaged; restore a backup, or remove it",
                "\(owner("기록")): 사진이 없거나 손상되었습니다. 백업에서 복원하거나 지우세요", .unavailable)
        }
    }

    /// `trip` with its images, as `viewer` sees them; throws `lost` of an image that is missing or damaged, if given.
    func exported(
        _ trip: RecordedTrip, viewer: User.ID?, lost: ((TripImage.ID) -> CommandError)? = nil
    ) async throws -> ExportedTrip {
        var images: [TripImage] = []
        for image in trip.images {
            do {
                images.append(try await store.image(image, viewer: viewer))
            } catch TravelError.unavailable(let outage) where outage.cause == .damaged {
                throw lost?(image) ?? TravelError.unavailable(outage)
            }
        }
        return try ExportedTrip(trip, images: images)
    }

    /// Whether a trip is one of the samples that a new database has.
    static func isSample(_ id: Trip.ID) -> Bool { SampleTrips.contains(id) }
}

extension TripIdentifiers {
    /// The trip whose ID is, or begins with, the argument.
    ///
    /// - Throws: `CommandError` when there is none, or when there are several.
    func trip(_ identification: Identification) async throws -> Trip.ID {
        let found = try await tripIDs(in: identification.range(), limit: 4)
        if found.count == 1 { return found[0] }
        throw CommandError(ambiguityOf: identification, among: found)
    }
}

extension CommandError {
    /// The error for the beginning of none of the IDs, or of several.
    fileprivate init<Entity>(ambiguityOf text: Identification, among found: [Identifier<Entity>]) {
        if found.isEmpty {
            self.init("no ID begins with '\(text.text)'", "'\(text.text)'(으)로 시작하는 ID가 없습니다", .dataError)
            return
        }
        let ids = found.prefix(3).map { $0.short(among: found) }.joined(separator: ", ")
        let list = found.count > 3 ? "\(ids), …" : ids
        self.init(
            "several IDs begin with '\(text.text)': \(list); enter more characters",
            "'\(text.text)'(으)로 시작하는 ID가 여럿입니다: \(list). 더 길게 쓰세요", .dataError)
    }
}

extension TimelineEntry {
    /// The number of the entry in its timeline, from 1: what 'traveline show' and the map print, and what `--entry` names.
    func number(in timeline: [TimelineEntry]) -> Int { (timeline.firstIndex { $0.id == id } ?? 0) + 1 }
}

extension App {
    /// The use cases of the commands.
    var useCases: UseCases { UseCases(store: store, session: session, now: now) }
    var importTrack: ImportTrack {
        useCases.importTrack(
            places: places, wording: LocalizedTrackWording(in: language), regions: KoreanProvinces.shared,
            zones: TimeZoneMap.shared)
    }
    var importPhotos: ImportPhotos {
        useCases.importPhotos(
            places: places, wording: LocalizedTrackWording(in: language), regions: KoreanProvinces.shared,
            zones: TimeZoneMap.shared)
    }
    var searchPlaces: SearchPlaces { SearchPlaces(places: places) }

    subscript<UseCase>(dynamicMember useCase: KeyPath<UseCases, UseCase>) -> UseCase { useCases[keyPath: useCase] }
}

/// A store of trips that is open, wherever it is.
struct OpenStore: Sendable {
    let trips: any TravelStore & OversightRepository
    let identifiers: any TripIdentifiers
    /// The accounts of people who sign in to a server that uses the store.
    let accounts: any AccountRepository
    /// All that the store holds, to be copied.
    let records: any CopiedStore
    /// The database, where it is a file.
    let file: TravelDatabase?
    /// Closes the file or the connections.
    let close: @Sendable () async -> Void

    /// Opens the store in a place. A file that does not exist yet is created and filled with sample trips; a database
    /// on a server receives none, because others use it too.
    ///
    /// - Parameter isNamed: Whether the user named the file. If so, its folder must exist, and a note on standard error
    ///   reports that the file was created.
    static func open(_ location: StoreLocation, isNamed: Bool, in language: Language) async throws -> OpenStore {
        switch location {
        case .file(let path):
            if !FileManager.default.fileExists(atPath: path) {
                // Of two concurrent first runs, one creates it and the other uses it.
                let draft = DatabaseDraft(of: path)
                let isNew = try await draft.create(makesFolder: !isNamed) { try await $0.addSamples() }
                if isNamed, isNew {
                    Standard.note(
                        language.say(
                            "\(path): there was no such file; a new database with sample trips was created (to remove "
                                + "them: delete --samples)",
                            "\(path): 파일이 없어서 예시 여행이 있는 새 데이터베이스를 만들었습니다 (예시 지우기: delete --samples)"))
                }
            }
            return OpenStore(file: try await TravelDatabase.open(path: path))
        case .server(let address):
            #if PostgreSQL
            return OpenStore(server: try await PostgreSQLTravelDatabase.open(.url(address.text)))
            #else
            throw CommandError.withoutServers
            #endif
        }
    }

    init(file database: TravelDatabase) {
        (trips, identifiers, records, file) = (database.trips, database.trips, database, database)
        accounts = database.accounts
        close = { await database.close() }
    }

    #if PostgreSQL
    init(server database: PostgreSQLTravelDatabase) {
        (trips, identifiers, records, file) = (database.trips, database.trips, database, nil)
        accounts = database.accounts
        close = { await database.close() }
    }
    #endif
}

extension CommandError {
    /// The error for an address of a server in a program that was built without PostgreSQL.
    static let withoutServers = CommandError(
        "this traveline was built without PostgreSQL; build it with: swift build --traits PostgreSQL (needs libpq)",
        "이 traveline은 PostgreSQL 없이 빌드되었습니다. 다음과 같이 빌드하세요: swift build --traits PostgreSQL (libpq 필요)",
        .unavailable)
}

/// The places of Korea, which are read at the first search: most runs never need them.
struct KoreanPlaces: PlaceRepository {
    func search(_ text: String, limit: Int) async throws -> [KnownPlace] {
        try await Gazetteer.korea.search(text, limit: limit)
    }

    func nearest(to coordinate: Coordinate, within meters: Double) async throws -> KnownPlace? {
        try await Gazetteer.korea.nearest(to: coordinate, within: meters)
    }
}
