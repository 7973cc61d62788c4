import ContractTesting
import TravelDomain

extension GeneratedHistory {
    mutating func addUser(to store: any TravelStore) async throws {
        let isThere = random(0...5) == 0
        let user = isThere ? model.users.randomElement(using: &samples.random) : nil
        let returning =
            random(0...2) == 0 ? deletedUsers.filter { id in !model.users.contains { $0.id == id } }.last : nil
        let newcomer = try user ?? User(id: returning ?? samples.user().id, nickname: nickname())
        calls.note("try await store.add(\(sourceText(user ?? newcomer)))")
        if let user {
            return try await expectSame("an addition of an existing user", .failure(.conflict(.user(user.id)))) {
                try await store.add(user)
            }
        }
        let holders = model.holders(of: newcomer.nickname, except: newcomer.id)
        let what = returning == nil ? "an addition of a user" : "a return of a user"
        try await expectConflict(with: holders, from: what) { try await store.add(newcomer) }
        if holders.isEmpty { model.users.append(newcomer) }
    }

    mutating func addTrips(to store: any TripRepository) async throws {
        guard !knownAuthors.isEmpty else { return }
        var (trips, images): ([RecordedTrip], [TripImage]) = ([], [])
        for _ in 0..<random(0...5) {
            let (image, sample) = (try samples.image(), try samples.trip(by: authors()))
            let trip = try sample.with(audience())
            images.append(image)
            switch random(0...3) {
            case 0: trips.append(trip)
            case 1: trips.append(try showing(image.id, trip))
            default: trips.append(try trip.saving(samples.entry(image: image.id)))
            }
        }
        if random(0...3) == 0, let again = removed.randomElement(using: &samples.random) {
            count("an addition of a removed trip")
            trips.append(again)
        }
        if random(0...4) == 0 { try spoil(&trips, &images) }
        let (batch, brought) = (trips, images)
        calls.note("try await store.add(\(sourceText(batch)), images: \(sourceText(brought)))")
        let expected = Result { () throws(TravelError) in try model.add(batch, images: brought) }
        try await expectSame("an addition of trips", expected) { try await store.add(batch, images: brought) }
    }

    private var knownAuthors: [User] { newAuthors.isEmpty ? model.users : newAuthors }

    /// The authors of new trips, in some cases with other nicknames.
    private mutating func authors() throws -> [User] {
        guard random(0...5) == 0 else { return knownAuthors }
        count("an addition under another nickname")
        return try knownAuthors.map { User(id: $0.id, nickname: try nickname()) }
    }

    /// Adds to a batch something that is not allowed, or not allowed twice.
    private mutating func spoil(_ trips: inout [RecordedTrip], _ images: inout [TripImage]) throws {
        let fresh = try samples.trip(by: knownAuthors)
        let used = model.stored.randomElement(using: &samples.random)?.recorded
        switch random(0...7) {
        case 0: trips.append(used ?? fresh)
        case 1: trips.append(try fresh.saving(samples.entry(image: imageID())))
        case 2:
            let image = try TripImage(id: imageID(), bytes: samples.image().bytes)
            images.append(image)
            trips.append(try showing(image.id, fresh))
        case 3: trips += [fresh, fresh]
        case 4:
            let entry = try samples.entry()
            trips += [try fresh.saving(entry), try samples.trip(by: knownAuthors).saving(entry)]
        case 5:
            let image = try samples.image()
            images += [image, image]
        case 6:
            let image = try samples.image()
            images.append(image)
            trips += [try showing(image.id, fresh), try showing(image.id, samples.trip(by: knownAuthors))]
        default:
            let entry = used?.timeline.first { $0.image == nil && $0.day == 1 }
            trips.append(try fresh.saving(try entry ?? samples.entry()))
        }
    }

    private func showing(_ image: TripImage.ID, _ trip: RecordedTrip) throws -> RecordedTrip {
        var content = trip.content
        content.thumbnail = image
        return try trip.with(content)
    }

    mutating func like(in store: any TripRepository) async throws {
        let hidden = likes.filter { (try? model.trip($0.trip.id, viewer: $0.user)) == nil }
        // Likes of hidden trips are rare.
        if random(0...2) == 0, let like = (hidden.isEmpty ? likes : hidden).randomElement(using: &samples.random) {
            if !hidden.isEmpty { count("a like of a hidden trip is taken back") }
            return try await self.like(false, like.trip.id, by: like.user, in: store)
        }
        try await like(random(0...2) > 0, tripID(), by: userID(), in: store)
    }

    /// All likes, in an order that does not depend on hashes.
    private var likes: [(trip: RecordedTrip, user: User.ID)] {
        model.stored.flatMap { stored in stored.likedBy.sorted().map { (stored.recorded, $0) } }
    }

    private mutating func like(
        _ isLiked: Bool, _ trip: Trip.ID, by user: User.ID, in store: any TripRepository
    ) async throws {
        calls.note(
            "try await store.setLiked(\(isLiked), trip: \(sourceText(trip)), by: \(sourceText(user)))")
        let expected = Result { () throws(TravelError) in try model.setLiked(isLiked, trip: trip, by: user) }
        try await expectSame("a like", expected) { try await store.setLiked(isLiked, trip: trip, by: user) }
    }

    /// Reports of several people at once, because six are necessary to hide a trip.
    mutating func report(in store: any TravelStore) async throws {
        let trip = tripID()
        for _ in 1...random(1...6) {
            let user = userID()
            calls.note("try await store.report(\(sourceText(trip)), by: \(sourceText(user)))")
            let expected = Result { () throws(TravelError) in try model.report(trip, by: user) }
            count("a report: \(expected.answer)")
            try await expectSame("a report", expected) { try await store.report(trip, by: user) }
        }
    }

    mutating func block(in store: any TravelStore) async throws {
        var (author, user) = (userID(), userID())
        if random(0...3) == 0, let like = likes.randomElement(using: &samples.random) {
            (author, user) = (like.trip.author.id, like.user)
        } else if random(0...2) == 0 {
            if random(0...1) == 0, let block = model.blocks.randomElement(using: &samples.random) {
                (user, author) = block
            }
            count("unblock: \(model.blocks.contains { $0 == (user, author) } ? "blocked" : "not blocked")")
            calls.note("try await store.unblock(\(sourceText(author)), by: \(sourceText(user)))")
            model.unblock(author, by: user)
            return try await store.unblock(author, by: user)
        }
        let (blocked, blocker) = (author, user)
        calls.note("try await store.block(\(sourceText(blocked)), by: \(sourceText(blocker)))")
        let expected = Result { () throws(TravelError) in try model.block(blocked, by: blocker) }
        count("a block: \(expected.answer)")
        try await expectSame("a block", expected) { try await store.block(blocked, by: blocker) }
    }

    mutating func rename(in store: any TravelStore) async throws {
        let (user, nickname) = (userID(), try nickname())
        let editor = random(0...4) == 0 ? userID() : user
        let holders = model.holders(of: nickname, except: user)
        calls.note(
            "try await store.rename(\(sourceText(user)), to: \(sourceText(nickname)), by: \(sourceText(editor)))")
        if holders.isEmpty || editor != user || !model.users.contains(where: { $0.id == user }) {
            let expected = Result { () throws(TravelError) in try model.rename(user, to: nickname, by: editor) }
            try await expectSame("a renaming", expected) { try await store.rename(user, to: nickname, by: editor) }
        } else {
            try await expectConflict(with: holders, from: "a renaming") {
                try await store.rename(user, to: nickname, by: editor)
            }
        }
    }

    mutating func setAvatar(in store: any TravelStore) async throws {
        let user = userID()
        let editor = random(0...4) == 0 ? userID() : user
        let known = random(0...3) == 0 ? imageID() : TripImage.ID(using: &samples.random)
        let image =
            random(0...3) == 0
            ? nil : try TripImage(id: known, size: random(8...80), using: &samples.random)
        calls.note(
            "try await store.setAvatar(\(sourceText(image as Any)), of: \(sourceText(user)), by: \(sourceText(editor)))"
        )
        let former = model.avatars[user]?.id
        let expected = Result { () throws(TravelError) in try model.setAvatar(image, of: user, by: editor) }
        try await expectSame("a picture", expected) { try await store.setAvatar(image, of: user, by: editor) }
        if let former { try await compareImage(former, in: store, viewer: nil) }
    }

    /// A nickname that is usually new, but in some cases taken, possibly in another letter case.
    mutating func nickname() throws -> Nickname {
        let fresh = try samples.user().nickname
        guard random(0...4) == 0, let taken = model.users.randomElement(using: &samples.random) else { return fresh }
        return random(0...1) == 0 ? taken.nickname : try Nickname(taken.nickname.text.uppercased())
    }

    mutating func deleteAccount(from store: any TravelStore) async throws {
        let user = userID()
        let editor = random(0...1) == 0 ? userID() : user
        calls.note("try await store.removeUser(\(sourceText(user)), by: \(sourceText(editor)))")
        let expected = Result { () throws(TravelError) in try model.removeUser(user, by: editor) }
        if case .success = expected { deletedUsers.append(user) }
        try await expectSame("the deletion of an account", expected) { try await store.removeUser(user, by: editor) }
    }

    /// Expects a conflict with one of `holders`, or no error if there are none.
    private mutating func expectConflict(
        with holders: [User.ID], from what: String, _ body: () async throws -> Void
    ) async throws {
        count("\(what): \(holders.isEmpty ? "done" : "nickname taken")")
        switch try await outcome(body) {
        case .success: try expect(holders.isEmpty, "\(place): \(what) with a nickname that is taken succeeded")
        case .failure(.conflict(.user(let holder))) where holders.contains(holder): return
        case .failure(let error): throw UnmetExpectation("\(place): \(what) threw \(sourceText(error))")
        }
    }
}

extension GeneratedHistory {
    mutating func editContent(in store: any TripEditingRepository) async throws {
        let trip = tripID()
        var content = try samples.content()
        let image = try imageToShow(in: trip)
        content.thumbnail = image.id
        content.audience = audience()
        let changed =
            random(0...9) == 0 ? model.stored.first { $0.recorded.id == trip }?.recorded.content ?? content : content
        let now = random(0...1) == 0 ? Date(timeIntervalSinceReferenceDate: Double(step) * 1_000.1) : nil
        let other = random(0...7) == 0 ? try samples.trip(by: [samples.user()]) : nil
        let time = sourceText(now as Any)
        let call = "try $0.with(content, at: \(time))" + (other == nil ? "" : ", as another trip")
        try await edit(
            "an edit of content", "{ \(call) }, content: \(sourceText(changed))", trip, adding: image.new, in: store
        ) { trip throws(TravelError) in
            let result = try trip.with(changed, at: now)
            guard let other else { return result }
            // The repository must ignore these parts of the result.
            return try RecordedTrip(
                id: other.id, author: other.author, createdAt: other.createdAt, updatedAt: result.updatedAt,
                version: other.version.next.next, content: result.content, timeline: result.timeline,
                track: result.track)
        }
    }

    /// Changes the audience of a trip, to another key as well.
    mutating func share(in store: any TripEditingRepository) async throws {
        let (trip, audience) = (tripID(), audience())
        try await edit("a trip shared", "{ try $0.with(\(sourceText(audience)) as Audience) }", trip, in: store) {
            trip throws(TravelError) in try trip.with(audience)
        }
    }

    mutating func saveEntry(in store: any TripEditingRepository) async throws {
        let trip = tripID()
        let recorded = model.stored.first { $0.recorded.id == trip }?.recorded
        let image = try imageToShow(in: trip)
        let isBeyondTheEnd = random(0...24) == 0
        let days = recorded?.content.days.count ?? 1
        let fresh = try samples.entry(days: days, image: image.id)
        let old = random(0...2) == 0 ? recorded?.timeline.randomElement(using: &samples.random) : nil
        let others = model.stored.filter { $0.recorded.id != trip }.flatMap(\.recorded.timeline)
        let foreign = random(0...19) == 0 && image.new.isEmpty ? others.randomElement(using: &samples.random) : nil
        let entry = try TimelineEntry(
            id: foreign?.id ?? old?.id ?? fresh.id, day: isBeyondTheEnd ? days + 1 : fresh.day, time: fresh.time,
            title: fresh.title, text: fresh.text, place: fresh.place,
            pictures: foreign == nil ? fresh.pictures : [])
        try await edit(
            "an entry saved", "{ try $0.saving(\(sourceText(entry))) }", trip, adding: image.new, in: store
        ) { trip throws(TravelError) in try trip.saving(entry) }
    }

    /// Moves an entry beside one of the same time, if there is one; otherwise beside any, which is refused unless it is itself.
    mutating func moveEntry(in store: any TripEditingRepository) async throws {
        let trip = tripID()
        let entries = model.stored.first { $0.recorded.id == trip }?.recorded.timeline ?? []
        let times = Dictionary(grouping: entries) { [$0.day, $0.time.minutes] }.values.filter { $0.count > 1 }
        let among = times.sorted { $0[0].id < $1[0].id }.randomElement(using: &samples.random) ?? entries
        let entry = among.randomElement(using: &samples.random)?.id ?? TimelineEntry.ID(using: &samples.random)
        let other = among.randomElement(using: &samples.random)?.id ?? entry
        let placement: TimelineEntry.Placement = random(0...1) == 0 ? .before(other) : .after(other)
        try await edit(
            "an entry moved", "{ try $0.moving(\(sourceText(entry)), \(sourceText(placement))) }", trip, in: store
        ) { trip throws(TravelError) in try trip.moving(entry, placement) }
    }

    mutating func deleteEntry(in store: any TripEditingRepository) async throws {
        let trip = tripID()
        let entries = model.stored.first { $0.recorded.id == trip }?.recorded.timeline
        let entry = entries?.randomElement(using: &samples.random)?.id ?? TimelineEntry.ID(using: &samples.random)
        try await edit("an entry deleted", "{ try $0.removing(\(sourceText(entry))) }", trip, in: store) {
            trip throws(TravelError) in try trip.removing(entry)
        }
    }

    mutating func deleteTrip(in store: any TripEditingRepository) async throws {
        let (trip, before) = (tripID(), model.stored)
        try await edit("a trip deleted", "{ _ in nil }", trip, in: store) { _ in nil }
        guard before.count > model.stored.count else { return }
        removed += before.map(\.recorded).filter { $0.id == trip && $0.images.isEmpty }
    }

    private mutating func edit(
        _ what: String, _ body: @autoclosure () -> String, _ trip: Trip.ID, adding images: [TripImage] = [],
        in store: any TripEditingRepository,
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws {
        let (editor, before) = (editor(of: trip), try model.recorded(trip))
        let version = version(of: before)
        calls.note(
            "try await store.update(\(sourceText(trip)), expecting: \(sourceText(version as Any)), "
                + "by: \(sourceText(editor)), adding: \(sourceText(images))) " + body())
        let expected = Result { () throws(TravelError) in
            try model.update(trip, expecting: version, by: editor, adding: images, change)
        }
        if let before, case .success(before) = expected { count("\(what): unchanged") }
        try await expectSame(what, expected) {
            try await store.update(trip, expecting: version, by: editor, adding: images) {
                trip throws(TravelError) in
                guard trip == before else {
                    throw .unavailable(.init("The change received \(trip).", canRetry: false))
                }
                return try change(trip)
            }
        }
    }

    /// Usually none, in some cases the version of the trip, or another one.
    private mutating func version(of trip: RecordedTrip?) -> TripVersion? {
        switch random(0...5) {
        case 0...2: nil
        case 3...4: trip?.version ?? .first
        default: TripVersion(number: random(1...3))
        }
    }

    /// No image, a new one, one that the trip already shows, or one that it cannot show.
    private mutating func imageToShow(in trip: Trip.ID) throws -> (id: TripImage.ID?, new: [TripImage]) {
        let images = model.stored.first { $0.recorded.id == trip }?.images ?? []
        switch random(0...11) {
        case 0...3: return (nil, [])
        case 4: return (nil, [try samples.image()])
        case 5...8:
            let image = try samples.image()
            return (image.id, [image])
        case 9: return (images.randomElement(using: &samples.random)?.id, [])
        case 10: return (imageID(), [])
        default:
            let image = try TripImage(id: imageID(), bytes: samples.image().bytes)
            return (image.id, [image])
        }
    }
}
