import ContractTesting
import TravelDomain

/// The repositories that a history calls: those of a whole store, or only some of them.
struct HistorySubject: Sendable {
    let trips: any TripRepository
    let editing: (any TripEditingRepository & TitleRepository)?
    let whole: (any TravelStore)?

    init(trips: any TripRepository) { (self.trips, editing, whole) = (trips, nil, nil) }
    init(editing: TripEditingContract.Subject) { (trips, self.editing, whole) = (editing, editing, nil) }
    init(whole: any TravelStore) { (trips, editing, self.whole) = (whole, whole, whole) }
}

/// A random history of calls on repositories and on a ``TripModel``, whose results must be equal.
struct GeneratedHistory: GeneratedSteps {
    let seed: UInt64
    var step = 0
    var calls = CallRecord()
    /// The number of outcomes by kind of operation and outcome, such as `"edit: forbidden trip"`.
    private(set) var coverage: [String: Int] = [:]
    var samples: TripGenerator
    var model = TripModel()
    /// Removed trips and people, which may be added again.
    var removed: [RecordedTrip] = []
    var deletedUsers: [User.ID] = []
    /// The authors of new trips, if people cannot be added.
    var newAuthors: [User] = []
    /// The keys of links that trips have, or had before.
    var keys: [LinkKey] = []
    private var isFinished = false

    init(seed: UInt64) {
        self.seed = seed
        samples = TripGenerator(seed: seed)
    }

    /// The number of steps of a history in which `changes` follow the first people and trips.
    static func count(changes: Int) -> Int { 12 + 2 * changes }

    mutating func perform(_ step: Int, on subject: HistorySubject) async throws {
        self.step = step
        samples.random = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(step) &* 0xD1B5_4A32_D192_ED03)
        switch step {
        case 0..<9:
            if let store = subject.whole {
                try await addUser(to: store)
            } else {
                newAuthors.append(try samples.user())
            }
        case 9..<12: try await addTrips(to: subject.trips)
        case _ where step.isMultiple(of: 2): try await change(subject)
        default: try await read(from: subject)
        }
    }

    /// Compares everything, for every viewer.
    mutating func finish(on subject: HistorySubject) async throws {
        isFinished = true
        for viewer in [nil] + model.users.map(\.id) {
            for picture in model.avatars.values {
                guard let store = subject.whole else { continue }
                try await compareImage(picture.id, in: store, viewer: viewer)
            }
            for stored in model.stored {
                try await compareTrip(stored.recorded.id, in: subject.trips, viewer: viewer)
                guard let store = subject.whole else { continue }
                for image in stored.images { try await compareImage(image.id, in: store, viewer: viewer) }
            }
        }
        guard let store = subject.whole else { return }
        for key in keys.suffix(10) {
            for stored in model.stored {
                try await compareLink(to: stored.recorded.id, key: key, viewer: nil, in: store)
            }
        }
    }

    /// Records a call that only reads.
    mutating func noteRead(_ call: @autoclosure () -> String) {
        if isFinished { calls.noteFinal(call()) } else { calls.note(call()) }
    }

    private mutating func change(_ subject: HistorySubject) async throws {
        guard let store = subject.whole else { return try await changeTrips(of: subject) }
        switch random(0...18) {
        case 0...1: try await addTrips(to: store)
        case 2: try await addUser(to: store)
        case 3...4: try await like(in: store)
        case 5...6: try await report(in: store)
        case 7...8: try await block(in: store)
        case 9: try await rename(in: store)
        case 10 where random(0...1) == 0: try await setAvatar(in: store)
        case 10: try await deleteAccount(from: store)
        case 11 where random(0...1) == 0: try await share(in: store)
        case 11...12: try await editContent(in: store)
        case 13...15: try await saveEntry(in: store)
        case 16: try await moveEntry(in: store)
        case 17: try await deleteEntry(in: store)
        default: try await deleteTrip(in: store)
        }
    }

    private mutating func changeTrips(of subject: HistorySubject) async throws {
        guard let store = subject.editing, random(0...2) > 0 else {
            return random(0...1) == 0
                ? try await addTrips(to: subject.trips) : try await like(in: subject.trips)
        }
        switch random(0...6) {
        case 0...1: try await editContent(in: store)
        case 2...3: try await saveEntry(in: store)
        case 4: try await moveEntry(in: store)
        case 5: try await deleteEntry(in: store)
        default: try await deleteTrip(in: store)
        }
    }

    private mutating func read(from subject: HistorySubject) async throws {
        let viewer = viewer()
        guard let store = subject.whole else {
            if let titles = subject.editing, random(0...4) == 0 {
                return try await compareTitles(of: titles, viewer: viewer)
            }
            return random(0...3) == 0
                ? try await compareTrip(tripID(), in: subject.trips, viewer: viewer)
                : try await compareSearch(of: subject.trips, viewer: viewer)
        }
        switch random(0...6) {
        case 0...1: try await compareSearch(of: store, viewer: viewer)
        case 2: try await compareTrip(tripID(), in: store, viewer: viewer)
        case 3: try await compareTitles(of: store, viewer: viewer)
        case 4: try await compareImage(imageID(), in: store, viewer: viewer)
        case 5 where random(0...1) == 0:
            let trip = tripID()
            try await compareLink(to: trip, key: key(of: trip), viewer: viewer, in: store)
        case 5: try await compareUser(userID(), in: store)
        default: try await compareNickname(in: store)
        }
    }

    /// Counts an outcome.
    mutating func count(_ outcome: String) { coverage[outcome, default: 0] += 1 }

    /// Expects the store to succeed or fail as the model did.
    mutating func expectSame(
        _ what: String, _ expected: Result<Void, TravelError>, _ body: () async throws -> Void
    ) async throws {
        count("\(what): \(expected.kind)")
        let actual = try await outcome(body)
        try expect(actual.failure, equals: expected.failure, "\(place), the error of \(what)")
    }

    /// Expects the store to return or throw what the model did.
    mutating func expectSame<Value: Equatable>(
        _ what: String, _ expected: Result<Value, TravelError>, _ body: () async throws -> Value
    ) async throws {
        count("\(what): \(expected.kind)")
        try expect(try await outcome(body), equals: expected, "\(place), \(what)")
    }

    var place: String { "seed \(seed), step \(step)" }

    mutating func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &samples.random) }

    /// Usually one of the first trips, so that a few trips are changed often; in some cases an unknown one.
    mutating func tripID() -> Trip.ID {
        guard random(0...14) > 0, !model.stored.isEmpty else { return Trip.ID(using: &samples.random) }
        let index = min(random(0...model.stored.count - 1), random(0...model.stored.count - 1))
        return model.stored[index].recorded.id
    }

    mutating func userID() -> User.ID {
        let user = random(0...14) == 0 ? nil : model.users.randomElement(using: &samples.random)
        return user?.id ?? User.ID(using: &samples.random)
    }

    mutating func viewer() -> User.ID? { random(0...3) == 0 ? nil : userID() }

    /// Usually the key of the trip, in some cases that of another one, a former one, or one of nothing.
    mutating func key(of trip: Trip.ID) -> LinkKey {
        let key = model.stored.first { $0.recorded.id == trip }?.recorded.content.audience.key
        if let key, random(0...3) > 0 { return key }
        return keys.randomElement(using: &samples.random) ?? LinkKey(using: &samples.random)
    }

    /// Any audience, usually everyone.
    mutating func audience() -> Audience {
        let audience = random(0...4) > 0 ? .everyone : samples.audience()
        if let key = audience.key { keys.append(key) }
        return audience
    }

    /// Usually the author of the trip.
    mutating func editor(of trip: Trip.ID) -> User.ID {
        let author = model.stored.first { $0.recorded.id == trip }?.recorded.author.id
        return random(0...5) == 0 ? userID() : author ?? userID()
    }

    /// Usually an existing image, in some cases an unknown one.
    mutating func imageID() -> TripImage.ID {
        let images = model.stored.flatMap(\.images) + model.avatars.values.sorted { $0.id < $1.id }
        let image = random(0...9) == 0 ? nil : images.randomElement(using: &samples.random)
        return image?.id ?? TripImage.ID(using: &samples.random)
    }
}

extension Result<Bool, TravelError> {
    /// `"new"` or `"repeated"` for a success, or else `"failed"`.
    var answer: String {
        switch self {
        case .success(true): "new"
        case .success(false): "repeated"
        case .failure: "failed"
        }
    }
}

extension Result where Failure == TravelError {
    /// `"done"`, or the kind of the error and of its subject.
    fileprivate var kind: String {
        switch self {
        case .success: "done"
        case .failure(.notFound(let subject)): "no such \(subject.kind)"
        case .failure(.forbidden(let subject)): "forbidden \(subject.kind)"
        case .failure(.conflict(let subject)): "conflict of \(subject.kind)"
        case .failure(.refused(let subject)): "refused \(subject.kind)"
        case .failure(.invalid(let violation)): "invalid \(violation.field)"
        case .failure(.outdated): "outdated"
        case .failure(.signedOut): "signed out"
        case .failure(.wrongCredentials): "wrong credentials"
        case .failure(.unavailable): "unavailable"
        }
    }
}

extension TravelError.Subject {
    fileprivate var kind: String {
        switch self {
        case .trip: "trip"
        case .entry: "entry"
        case .user: "user"
        case .image: "image"
        }
    }
}

extension GeneratedHistory {
    mutating func compareSearch(of store: any TripRepository, viewer: User.ID?) async throws {
        let (criteria, limit) = (criteria(), random(1...6))
        var cursor: TripCursor?
        repeat {
            let query = try TripQuery(criteria, viewer: viewer, after: cursor, limit: limit)
            let page = try model.search(query)
            countSearch(query, page)
            noteRead("try await store.search(\(sourceText(query)))")
            try expect(try await store.search(query), equals: page, "\(place), a page")
            cursor = page.next
        } while cursor != nil
    }

    /// Random criteria; in some cases about people, and then with fewer others.
    private mutating func criteria() -> TripCriteria {
        var criteria = samples.criteria()
        guard random(0...2) == 0 else { return criteria }
        if random(0...1) == 0 { criteria = TripCriteria(sort: criteria.sort) }
        if random(0...1) == 0 { criteria.author = userID() }
        if random(0...1) == 0 { criteria.likedBy = userID() }
        return criteria
    }

    private mutating func countSearch(_ query: TripQuery, _ page: TripPage) {
        let (criteria, isFirst) = (query.criteria, query.cursor == nil)
        count("search by \(criteria.sort): \(isFirst ? "first" : "next") page")
        for stored in model.stored {
            guard let match = model.match(stored, criteria) else { continue }
            if criteria.keyword != nil { count("search by keyword: found by \(match.rank)") }
            if stored.countingReports > Visibility.toleratedReports { count("search: reported") }
            let author = stored.recorded.author.id
            if model.blocks.contains(where: { $0.user == query.viewer && $0.author == author }) {
                count("search: blocked")
            }
            if page.trips.contains(where: { $0.id == stored.recorded.id }) { count("search: found") }
        }
        if page.trips.contains(where: \.isLiked) { count("search: liked") }
        if page.trips.contains(where: \.isMine) { count("search: mine") }
        if page.trips.contains(where: { $0.thumbnail != nil }) { count("search: thumbnail") }
        for criterion in criteria.text.split(separator: "&") where isFirst && !criterion.hasPrefix("sort=") {
            let name = criterion.prefix { $0 != "=" }
            count("search by \(name): \(page.trips.isEmpty ? "nothing" : "something") found")
        }
    }

    mutating func compareTrip(_ id: Trip.ID, in store: any TripRepository, viewer: User.ID?) async throws {
        noteRead("try await store.trip(\(sourceText(id)), viewer: \(sourceText(viewer as Any)))")
        let trip = Result { () throws(TravelError) in try model.trip(id, viewer: viewer) }
        try await expectSame("a trip", trip) { try await store.trip(id, viewer: viewer) }
        noteRead("try await store.timeline(of: \(sourceText(id)), viewer: \(sourceText(viewer as Any)))")
        let timeline = Result { () throws(TravelError) in try model.timeline(of: id, viewer: viewer) }
        try await expectSame("a timeline", timeline) { try await store.timeline(of: id, viewer: viewer) }
        let track = Result { () throws(TravelError) in try model.track(of: id, viewer: viewer) }
        try await expectSame("a track", track) { try await store.track(of: id, viewer: viewer) }
    }

    /// Compares what someone sees who presents a key.
    mutating func compareLink(
        to id: Trip.ID, key: LinkKey, viewer: User.ID?, in store: any TravelStore
    ) async throws {
        let (trip, who) = (sourceText(id), "viewer: \(sourceText(viewer as Any))")
        noteRead("try await store.following(LinkKey(\"\(key.text)\")!).trip(\(trip), \(who))")
        let link = store.following(key)
        let seen = Result { () throws(TravelError) in try model.trip(id, viewer: viewer, key: key) }
        let isOpened = (try? seen.get()) != nil && (try? model.trip(id, viewer: viewer)) == nil
        if isOpened { count("a link: opened") }
        try await expectSame("a linked trip", seen) { try await link.trip(id, viewer: viewer) }
        let timeline = Result { () throws(TravelError) in try model.timeline(of: id, viewer: viewer, key: key) }
        try await expectSame("a linked timeline", timeline) { try await link.timeline(of: id, viewer: viewer) }
        let track = Result { () throws(TravelError) in try model.track(of: id, viewer: viewer, key: key) }
        try await expectSame("a linked track", track) { try await link.track(of: id, viewer: viewer) }
        let details = seen.flatMap { trip in
            timeline.flatMap { timeline in track.map { TripDetails(trip: trip, timeline: timeline, track: $0) } }
        }
        try await expectSame("linked details", details) { try await link.details(of: id, viewer: viewer) }
        for image in model.stored.first(where: { $0.recorded.id == id })?.images ?? [] {
            let image = image.id
            let seen = Result { () throws(TravelError) in try model.image(image, viewer: viewer, key: key) }
            try await expectSame("a linked image", seen) { try await link.image(image, viewer: viewer) }
        }
        guard isOpened else { return }
        let page = try model.search(TripQuery(TripCriteria(), viewer: viewer))
        try expect(
            try await link.search(TripQuery(TripCriteria(), viewer: viewer)), equals: page,
            "\(place), a page of someone who follows a link")
    }

    mutating func compareImage(_ id: TripImage.ID, in store: any TravelStore, viewer: User.ID?) async throws {
        noteRead("try await store.image(\(sourceText(id)), viewer: \(sourceText(viewer as Any)))")
        let image = Result { () throws(TravelError) in try model.image(id, viewer: viewer) }
        try await expectSame("an image", image) { try await store.image(id, viewer: viewer) }
    }

    mutating func compareTitles(of store: any TitleRepository, viewer: User.ID?) async throws {
        guard let text = SampleText.keywords.randomElement(using: &samples.random).flatMap({ Keyword($0) }) else {
            return
        }
        let limit = random(1...12)
        noteRead(
            "try await store.titles(containing: \(sourceText(text)), viewer: \(sourceText(viewer as Any)), limit: \(limit))"
        )
        let count = try await TitleRepositoryContract.expectTitles(
            containing: text, viewer: viewer, limit: limit, among: model.titles(seenBy: viewer), in: store)
        self.count("titles: \(count == 0 ? "none" : count > limit ? "more than asked for" : "all")")
    }

    mutating func compareUser(_ id: User.ID, in store: any TravelStore) async throws {
        noteRead("try await store.user(\(sourceText(id)))")
        let user = Result { () throws(TravelError) in try model.user(id) }
        try await expectSame("a user", user) { try await store.user(id) }
        noteRead("try await store.blocked(by: \(sourceText(id)))")
        let blocked = Result { () throws(TravelError) in try model.blocked(by: id) }
        try await expectSame("the blocked users", blocked) { try await store.blocked(by: id) }
    }

    mutating func compareNickname(in store: any TravelStore) async throws {
        let (user, nickname) = (userID(), try nickname())
        let isTaken = !model.holders(of: nickname, except: user).isEmpty
        count("nickname: \(isTaken ? "taken" : "free")")
        noteRead("try await store.isTaken(\(sourceText(nickname)), exceptBy: \(sourceText(user)))")
        try expect(
            try await store.isTaken(nickname, exceptBy: user), equals: isTaken,
            "\(place), whether a nickname is taken")
    }
}
