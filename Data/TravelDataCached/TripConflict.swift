public import TravelDomain
internal import TravelJSON

extension TripConflict.Reason {
    /// The reason for an error of the remote store; `nil` if the error means that the store has not answered, or cannot
    /// answer anything now.
    init?(_ error: any Error) {
        guard let error = error as? TravelError else { return nil }
        // Without a default: an error that is added to the domain and counted as an outage would block the outbox.
        switch error {
        case .outdated: self = .outdated
        case .notFound: self = .notFound
        case .conflict: self = .taken
        case .forbidden: self = .forbidden
        case .refused: self = .refused
        case .invalid: self = .invalid
        case .wrongCredentials: self = .forbidden
        case .unavailable(let outage) where outage.cause == .requestTooLarge: self = .tooLarge
        case .unavailable(let outage) where outage.cause == .requestRefused: self = .declined
        case .signedOut, .unavailable: return nil
        }
    }
}

extension CachedTripRepository {
    public func resolve(_ id: TripConflict.ID, with resolution: TripConflict.Resolution) async throws {
        guard let conflict = await state.conflicts.first(where: { $0.id == id }) else { return }
        if resolution != .takeTheirs, let trip = conflict.wanted.editedTrip {
            let isKnown = try await local.knowledge(of: trip) != .unknown
            if isKnown || conflict.theirs != nil {
                try await requireComplete(trip, viewer: conflict.wanted.author)
            }
        }
        try await mutex.withLock {
            // Another task may have resolved it while this one waited.
            guard await state.conflicts.contains(conflict) else { return }
            try await withdraw(conflict)
            guard let decided = try await afterChange(conflict, with: resolution) else { return }
            switch resolution {
            case .takeTheirs: await takeTheirs(decided)
            case .keepMine where decided.isAboutForeignTrip: try await copy(decided)
            case .keepMine: try await rewrite(decided, nil)
            case .edited where decided.isAboutForeignTrip: try await copy(decided, resolution)
            case .keepCopy: try await copy(decided)
            case .edited(let content, let timeline): try await rewrite(decided, (content, timeline))
            }
            try await outbox.remove(id)
            await state.remove([id])
        }
    }

    /// The conflict with the trip that the local store has by now, if that is another one than at the time of the refusal.
    ///
    /// A trip of someone else is replaced by no decision. One that a write of this device has added again can be replaced by
    /// the next decision of its user. Any other version can not, because the conflict did not show it: the conflict stays
    /// with that one, and with what the user has edited, and the result is `nil`. That the remote store refuses to replace it
    /// is not enough: after a restored backup, that may have the earlier version again.
    private func afterChange(
        _ conflict: TripConflict, with resolution: TripConflict.Resolution
    ) async throws -> TripConflict? {
        guard resolution != .takeTheirs, let id = conflict.wanted.editedTrip,
            case .complete(let there) = try await local.knowledge(of: id)
        else { return conflict }
        let taken = TripConflict(id: conflict.id, wanted: conflict.wanted, reason: .taken, theirs: there)
        if taken.isAboutForeignTrip { return taken }
        if resolution == .keepCopy { return conflict }
        let theirs = conflict.isAboutForeignTrip ? nil : conflict.theirs
        // The local store may not have received the version of the conflict.
        if let theirs, theirs.contentDigest == there.contentDigest || theirs.version.canFollow(there.version) {
            return conflict
        }
        let reason = theirs == nil ? .outdated : conflict.reason
        if theirs == nil, await state.pending.contains(where: { $0.write.trips.contains(id) }) {
            return TripConflict(id: conflict.id, wanted: conflict.wanted, reason: reason, theirs: there)
        }
        let wanted = try conflict.wanted.edited(by: resolution, over: there)
        let changed = TripConflict(id: conflict.id, wanted: wanted, reason: reason, theirs: there)
        try await outbox.save(QueuedWrite(number: conflict.id, write: wanted, conflict: changed).item())
        await state.replace(changed)
        return nil
    }

    private func takeTheirs(_ conflict: TripConflict) async {
        // The local store has the user until now, so that they could choose another nickname.
        if case .addUser(let user) = conflict.wanted { await state.enqueue(.user(user.id)) }
    }

    /// Adds what the refused write would have made of its trips as new trips, or else repeats it.
    private func copy(_ conflict: TripConflict, _ resolution: TripConflict.Resolution = .keepCopy) async throws {
        let (trips, new): ([RecordedTrip], [TripImage])
        switch conflict.wanted {
        case .add(let added, let images): (trips, new) = (added, images)
        case .update(let trip, _, let images): (trips, new) = ([trip], images)
        case .remove(_, _, let user) where conflict.isAboutForeignTrip:
            // Nothing of the user has that ID: there is nothing to remove.
            guard case .edited = resolution, let theirs = conflict.theirs else { return }
            (trips, new) = ([try theirs.with(author: try await local.user(user))], [])
        default: return try await rewrite(conflict, nil)
        }
        var known = Dictionary(new.map { ($0.id, $0) }) { $1 }
        for id in Set(trips.flatMap(\.images)) where known[id] == nil {
            // Of some images, only the remote store had the bytes.
            do { known[id] = try await local.image(id, viewer: conflict.wanted.author) } catch TravelError.notFound {}
        }
        let owner: User? = if let owner { try await local.user(owner) } else { nil }
        var copies: [RecordedTrip] = []
        var images: [TripImage] = []
        for trip in trips {
            var edited = trip
            if case .edited(let content, let timeline) = resolution {
                edited = try trip.with(content: content, timeline: timeline)
            }
            let (copy, copied) = try edited.copied(showing: known, by: owner ?? trip.author, at: now())
            copies.append(copy)
            images += copied
        }
        try await write(.add(copies, images: images), resolving: conflict.id) { [copies, images] in
            try await local.add(copies, images: images)
        }
    }

    /// Repeats the refused write, or an edited one, based on the version that the remote store had.
    private func rewrite(
        _ conflict: TripConflict, _ edited: (content: TripContent, timeline: [TimelineEntry])?
    ) async throws {
        // The trip may have been removed since.
        let isThere: Bool =
            if let id = conflict.wanted.editedTrip { try await local.knowledge(of: id) != .unknown } else { false }
        let theirs = isThere ? conflict.theirs : nil
        switch conflict.wanted {
        case .update(let mine, _, let images): try await rewrite(mine, edited, images, over: theirs, in: conflict)
        case .add(let trips, let images) where trips.count == 1:
            try await rewrite(trips[0], edited, images, over: theirs, in: conflict)
        case .remove(let id, _, let user):
            // It may be there all the same, if the remote store has not told; if it is not, there is nothing to remove.
            guard let theirs else {
                return try await write(conflict.wanted, resolving: conflict.id) { try await apply(conflict.wanted) }
            }
            if let edited { return try await rewrite(theirs, edited, [], over: theirs, in: conflict) }
            try await write(.remove(id, replacing: theirs.version, by: user), over: theirs, resolving: conflict.id) {
                try await local.update(id, by: user) { _ in nil }
            }
        default: try await write(conflict.wanted, resolving: conflict.id) { try await apply(conflict.wanted) }
        }
    }

    private func rewrite(
        _ mine: RecordedTrip, _ edited: (content: TripContent, timeline: [TimelineEntry])?, _ images: [TripImage],
        over theirs: RecordedTrip?, in conflict: TripConflict
    ) async throws {
        // The clock of the device may have been fast, for which a server refuses a write.
        let now = now()
        let edition = try RecordedTrip(
            id: mine.id, author: theirs?.author ?? mine.author,
            createdAt: theirs?.createdAt ?? min(mine.createdAt, now),
            updatedAt: edited == nil ? min(mine.updatedAt, now) : now, version: theirs?.version.next ?? mine.version,
            content: edited?.content ?? mine.content, timeline: edited?.timeline ?? mine.timeline, track: mine.track)
        let result = theirs == nil ? try edition.readded() : edition
        let shown = Set(result.images)
        let images = images.filter { shown.contains($0.id) }
        guard let theirs else {
            try await write(.add([result], images: images), resolving: conflict.id) {
                try await local.add([result], images: images)
            }
            return
        }
        if (result.content, result.timeline, result.track) == (theirs.content, theirs.timeline, theirs.track) { return }
        let new = images.filter { !theirs.images.contains($0.id) }
        try await write(
            .update(result, replacing: theirs.version, images: new), over: theirs, resolving: conflict.id
        ) {
            try await local.update(result.id, by: result.author.id, adding: try await lacking(new, in: result.id)) {
                _ in
                result
            }
        }
    }

    /// The images that the local trip does not show yet.
    private func lacking(_ images: [TripImage], in id: Trip.ID) async throws -> [TripImage] {
        guard case .complete(let known) = try await local.knowledge(of: id) else { return images }
        return images.filter { !known.images.contains($0.id) }
    }
}

extension CachedTripRepository {
    public func vanishedTrips() async -> [VanishedTrip] { await state.vanished }

    public func restore(_ id: Trip.ID) async throws {
        try await mutex.withLock {
            guard let vanished = await state.vanished.first(where: { $0.id == id }) else { return }
            let images = try await images(of: vanished)
            let trip = try vanished.trip.readded(showing: Set(images.map(\.id)))
            try await write(.add([trip], images: images)) { try await local.add([trip], images: images) }
            try await forget(vanished)
        }
    }

    /// The images whose bytes this device had when the trip vanished.
    func images(of vanished: VanishedTrip) async throws -> [TripImage] {
        for item in try await outbox.items() where item.number == vanished.number {
            if case .vanished(_, let images) = OutboxRecord(item) { return images }
        }
        return []
    }

    public func forget(_ id: Trip.ID) async throws {
        try await mutex.withLock {
            guard let vanished = await state.vanished.first(where: { $0.id == id }) else { return }
            try await forget(vanished)
        }
    }

    func forget(_ vanished: VanishedTrip) async throws {
        try await outbox.remove(vanished.number)
        await state.remove(vanished)
    }

    /// Stores copies of the user's own trips that an answer removes from the local store. Must be called inside
    /// `mutex.withLock`, before the answer is stored.
    func recordVanished(in fetched: FetchedTrips) async throws -> [VanishedTrip] {
        var recorded: [VanishedTrip] = []
        for (id, author) in try await ownTrips(missingIn: fetched) {
            let isKnown = await state.vanished.contains { $0.id == id }
            guard !isKnown, let trip = try await localCopy(of: id, by: author) else { continue }
            // Not what the user has seen of a conflict, or wanted to remove.
            if await state.conflicts.contains(where: { $0.holds(trip) }) { continue }
            let vanished = VanishedTrip(number: try await state.nextNumber(), trip: trip)
            var images: [TripImage] = []
            for image in trip.images {
                // Of some images, only the remote store had the bytes.
                do { images.append(try await local.image(image, viewer: author)) } catch TravelError.notFound {}
            }
            try await outbox.save(OutboxItem(vanished.number, StoredWrite(vanished, images: images)))
            recorded.append(vanished)
        }
        return recorded
    }

    private func ownTrips(missingIn fetched: FetchedTrips) async throws -> [(Trip.ID, author: User.ID)] {
        // While nobody is signed in, their own trips are still those of the people of the device.
        let users = if let viewer = fetched.viewer { [viewer] } else { await state.users.sorted() }
        var own = fetched.missingTrips.sorted().flatMap { id in users.map { (id, author: $0) } }
        for user in fetched.missingUsers.intersection(await state.users).sorted() {
            var cursor: TripCursor?
            repeat {
                let page = try await local.search(
                    TripQuery(
                        TripCriteria(author: user), viewer: user, after: cursor,
                        limit: TripQuery.limits.upperBound))
                own += page.trips.map { ($0.id, author: user) }
                cursor = page.next
            } while cursor != nil
        }
        return own
    }

    /// The trip as the local store has it; `nil` if that lacks it, or if someone else is its author.
    private func localCopy(of id: Trip.ID, by author: User.ID) async throws -> RecordedTrip? {
        switch try await local.knowledge(of: id) {
        case .unknown: return nil
        case .complete(let trip): return trip.author.id == author ? trip : nil
        case .withoutTimeline:
            let trip = try await local.trip(id, viewer: author)
            guard trip.author.id == author else { return nil }
            return try TripDetails(trip: trip, timeline: []).recorded
        }
    }
}

extension TripConflict {
    /// Whether the user decides about that content with the conflict, or wanted to remove it.
    func holds(_ trip: RecordedTrip) -> Bool {
        if case .remove(trip.id, _, _) = wanted { return true }
        let digest = trip.contentDigest
        return ((theirs.map { [$0] } ?? []) + wanted.recorded).contains {
            $0.id == trip.id && $0.contentDigest == digest
        }
    }

    /// Whether someone else's trip has the ID in the remote store.
    fileprivate var isAboutForeignTrip: Bool {
        guard let theirs, let author = wanted.author else { return false }
        return theirs.author.id != author
    }
}

extension TripWrite {
    /// The write of one trip with the content that the user has edited, if they have.
    fileprivate func edited(by resolution: TripConflict.Resolution, over theirs: RecordedTrip) throws -> TripWrite {
        guard case .edited(let content, let timeline) = resolution else { return self }
        return switch self {
        case .add(let trips, let images):
            .add(try trips.map { try $0.with(content: content, timeline: timeline) }, images: images)
        case .update(let trip, let replaced, let images):
            .update(try trip.with(content: content, timeline: timeline), replacing: replaced, images: images)
        case .remove:
            .update(try theirs.with(content: content, timeline: timeline), replacing: theirs.version, images: [])
        default: self
        }
    }
}

extension RecordedTrip {
    /// A new trip with the same content, and with new IDs for it, its entries and its images. Images that are missing in
    /// `known` are left out.
    func copied(
        showing known: [TripImage.ID: TripImage], by author: User, at now: Date
    ) throws -> (trip: RecordedTrip, images: [TripImage]) {
        var images: [TripImage.ID: TripImage] = [:]
        for id in self.images {
            if let image = known[id] { images[id] = try TripImage(id: TripImage.ID(), bytes: image.bytes) }
        }
        var content = content
        content.thumbnail = content.thumbnail.flatMap { images[$0]?.id }
        // The link opens the trip that was copied, and no other one.
        if content.audience.key != nil { content.audience = .onlyMe }
        let copies = images.mapValues(\.id)
        let timeline = try timeline.map { entry throws(TravelError) in try entry.copied(showing: copies) }
        let trip = try RecordedTrip(
            author: author, createdAt: min(createdAt, now), updatedAt: min(updatedAt, now), content: content,
            timeline: timeline, track: track)
        return (trip, images.values.sorted { $0.id < $1.id })
    }

    /// A copy to be added after the trip was removed elsewhere, which shows those images only; all if `nil`.
    ///
    /// Other devices may have stored any version that it had, also some that this device has never seen, and they would
    /// take an equal number for an equal content. The version therefore begins another line.
    func readded(showing images: Set<TripImage.ID>? = nil) throws -> RecordedTrip {
        try (images.map { try showing($0) } ?? self).with(version: version.onAnotherLine())
    }
}

extension TripVersion {
    /// The versions of a line have consecutive numbers; an addition after a removal begins another line, whose numbers are
    /// larger by a random multiple of this one.
    private static let line = 1 << 20

    /// The version as one of another line, at the same place in it.
    func onAnotherLine() -> TripVersion {
        let (number, isTooLarge) = number.addingReportingOverflow(.random(in: 1...1 << 22) * Self.line)
        return isTooLarge ? next : TripVersion(number: number) ?? next
    }

    /// Whether this version can come after `other`: a later one of its line, or one of a line that was begun at its place
    /// or later.
    func canFollow(_ other: TripVersion) -> Bool {
        if number / Self.line == other.number / Self.line { return number > other.number }
        return number > other.number && number % Self.line > other.number % Self.line
    }

    /// Whether edits of `other`, and nothing else, can have led to this version.
    func isLater(than other: TripVersion) -> Bool {
        number / Self.line == other.number / Self.line && number > other.number
    }
}
