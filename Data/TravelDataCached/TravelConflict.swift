public import TravelDomain

extension TravelConflict.Reason {
    /// The reason for an error of the remote store; `nil` if the error means that the store has not answered.
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
        case .signedOut, .wrongCredentials, .unavailable: return nil
        }
    }
}

extension CachedTravelRepository {
    public func resolve(_ id: TravelConflict.ID, with resolution: TravelConflict.Resolution) async throws {
        guard let conflict = await state.conflicts.first(where: { $0.id == id }) else { return }
        if resolution != .takeTheirs, conflict.theirs != nil, let travel = conflict.wanted.editedTravel {
            try await requireComplete(travel, viewer: conflict.wanted.author)
        }
        try await mutex.withLock {
            // Another task may have resolved it while this one waited.
            guard await state.conflicts.contains(conflict) else { return }
            switch resolution {
            case .takeTheirs: await takeTheirs(conflict)
            case .keepMine: try await rewrite(conflict, nil)
            case .edited(let content, let timeline): try await rewrite(conflict, (content, timeline))
            }
            try await outbox.remove(id)
            await state.remove([id])
        }
    }

    private func takeTheirs(_ conflict: TravelConflict) async {
        // The local store has the person until now, so that they could choose another nickname.
        if case .addUser(let user) = conflict.wanted { await state.enqueue(.user(user.id)) }
    }

    /// Repeats the refused write, or an edited one, based on the version that the remote store had.
    private func rewrite(
        _ conflict: TravelConflict, _ edited: (content: TravelContent, timeline: [TimelineEntry])?
    ) async throws {
        // The travel may have been removed since.
        let isThere: Bool =
            if let id = conflict.wanted.editedTravel { try await local.knowledge(of: id) != .unknown } else { false }
        let theirs = isThere ? conflict.theirs : nil
        switch conflict.wanted {
        case .update(let mine, _, let images): try await rewrite(mine, edited, images, over: theirs)
        case .add(let travels, let images) where travels.count == 1:
            try await rewrite(travels[0], edited, images, over: theirs)
        case .remove(let id, _, let user):
            guard let theirs else { return }
            if let edited { return try await rewrite(theirs, edited, [], over: theirs) }
            try await write(.remove(id, replacing: theirs.version, by: user)) {
                try await local.update(id, by: user) { _ in nil }
            }
        default: try await write(conflict.wanted) { try await apply(conflict.wanted) }
        }
    }

    private func rewrite(
        _ mine: RecordedTravel, _ edited: (content: TravelContent, timeline: [TimelineEntry])?, _ images: [TravelImage],
        over theirs: RecordedTravel?
    ) async throws {
        // The clock of the device may have been fast, for which a server refuses a write.
        let now = now()
        let edition = try RecordedTravel(
            id: mine.id, author: theirs?.author ?? mine.author,
            createdAt: theirs?.createdAt ?? min(mine.createdAt, now),
            updatedAt: edited == nil ? min(mine.updatedAt, now) : now, version: theirs?.version.next ?? mine.version,
            content: edited?.content ?? mine.content, timeline: edited?.timeline ?? mine.timeline, track: mine.track)
        let result = theirs == nil ? try edition.readded() : edition
        let shown = Set(result.images)
        let images = images.filter { shown.contains($0.id) }
        guard let theirs else {
            try await write(.add([result], images: images)) { try await local.add([result], images: images) }
            return
        }
        if (result.content, result.timeline, result.track) == (theirs.content, theirs.timeline, theirs.track) { return }
        let new = images.filter { !theirs.images.contains($0.id) }
        try await write(.update(result, replacing: theirs.version, images: new)) {
            try await local.update(result.id, by: result.author.id, adding: try await lacking(new, in: result.id)) {
                _ in
                result
            }
        }
    }

    /// The images that the local travel does not show yet.
    private func lacking(_ images: [TravelImage], in id: Travel.ID) async throws -> [TravelImage] {
        guard case .complete(let known) = try await local.knowledge(of: id) else { return images }
        return images.filter { !known.images.contains($0.id) }
    }
}

extension CachedTravelRepository {
    public func vanishedTravels() async -> [VanishedTravel] { await state.vanished }

    public func restore(_ id: Travel.ID) async throws {
        try await mutex.withLock {
            guard let vanished = await state.vanished.first(where: { $0.id == id }) else { return }
            var images: [TravelImage] = []
            for item in try await outbox.items() where item.number == vanished.number {
                if case .vanished(_, let stored) = OutboxRecord(item) { images = stored }
            }
            let travel = try vanished.travel.readded(showing: Set(images.map(\.id)))
            try await write(.add([travel], images: images)) { try await local.add([travel], images: images) }
            try await forget(vanished)
        }
    }

    public func forget(_ id: Travel.ID) async throws {
        try await mutex.withLock {
            guard let vanished = await state.vanished.first(where: { $0.id == id }) else { return }
            try await forget(vanished)
        }
    }

    func forget(_ vanished: VanishedTravel) async throws {
        try await outbox.remove(vanished.number)
        await state.remove(vanished)
    }

    /// Stores copies of the person's own travels that an answer removes from the local store. Must be called inside
    /// `mutex.withLock`, before the answer is stored.
    func recordVanished(in fetched: FetchedTravels) async throws -> [VanishedTravel] {
        var recorded: [VanishedTravel] = []
        for (id, author) in try await ownTravels(missingIn: fetched) {
            let isKnown = await state.vanished.contains { $0.id == id }
            let isConflict = await state.conflicts.contains { $0.wanted.editedTravel == id }
            if isKnown || isConflict { continue }
            guard let travel = try await localCopy(of: id, by: author) else { continue }
            let vanished = VanishedTravel(number: try await state.nextNumber(), travel: travel)
            var images: [TravelImage] = []
            for image in travel.images {
                // Of some images, only the remote store had the bytes.
                do { images.append(try await local.image(image, viewer: author)) } catch TravelError.notFound {}
            }
            try await outbox.save(OutboxItem(vanished.number, StoredWrite(vanished, images: images)))
            recorded.append(vanished)
        }
        return recorded
    }

    private func ownTravels(missingIn fetched: FetchedTravels) async throws -> [(Travel.ID, author: User.ID)] {
        // While nobody is signed in, their own travels are still those of the people of the device.
        let people = if let viewer = fetched.viewer { [viewer] } else { await state.people.sorted() }
        var own = fetched.missingTravels.sorted().flatMap { id in people.map { (id, author: $0) } }
        for person in fetched.missingPeople.intersection(await state.people).sorted() {
            var cursor: TravelCursor?
            repeat {
                let page = try await local.search(
                    TravelQuery(
                        TravelCriteria(author: person), viewer: person, after: cursor,
                        limit: TravelQuery.limits.upperBound))
                own += page.travels.map { ($0.id, author: person) }
                cursor = page.next
            } while cursor != nil
        }
        return own
    }

    /// The travel as the local store has it; `nil` if that lacks it, or if someone else is its author.
    private func localCopy(of id: Travel.ID, by author: User.ID) async throws -> RecordedTravel? {
        switch try await local.knowledge(of: id) {
        case .unknown: return nil
        case .complete(let travel): return travel.author.id == author ? travel : nil
        case .withoutTimeline:
            let travel = try await local.travel(id, viewer: author)
            guard travel.author.id == author else { return nil }
            return try TravelDetails(travel: travel, timeline: []).recorded
        }
    }
}

extension RecordedTravel {
    /// A copy to be added after the travel was removed elsewhere, which shows those images only; all if `nil`.
    ///
    /// Other devices may have stored any version that it had, also some that this device has never seen, and they would
    /// take an equal number for an equal content. The version is therefore a random one of the 2^40 that follow the
    /// first 2^20 after this one.
    func readded(showing images: Set<TravelImage.ID>? = nil) throws -> RecordedTravel {
        let distance = Int.random(in: 1 << 20..<(1 << 40) + 1 << 20)
        let (number, isTooLarge) = self.version.number.addingReportingOverflow(distance)
        var content = content
        var timeline = timeline
        if let images {
            content.thumbnail = content.thumbnail.flatMap { images.contains($0) ? $0 : nil }
            timeline = try timeline.map { entry in
                guard let image = entry.image, !images.contains(image) else { return entry }
                return try TimelineEntry(
                    id: entry.id, day: entry.day, time: entry.time, title: entry.title, text: entry.text,
                    place: entry.place)
            }
        }
        return try RecordedTravel(
            id: id, author: author, createdAt: createdAt, updatedAt: updatedAt,
            version: isTooLarge ? version.next : TravelVersion(number: number) ?? version.next, content: content,
            timeline: timeline, track: track)
    }
}
