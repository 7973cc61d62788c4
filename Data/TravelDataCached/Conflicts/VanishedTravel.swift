public import TravelDomain

/// A travel of the person that the remote store no longer has, and that the local store has therefore removed.
///
/// Another device of the person may have removed it, or the server may have lost it. The cache cannot tell these apart,
/// so it keeps a copy in the outbox until the person decides, or until the remote store has the travel again. A travel
/// that this device removes does not vanish, and neither does one whose removal is a ``TravelConflict``.
///
/// ```swift
/// let lost = await travels.vanishedTravels()
/// show("No longer on the server: " + lost.map(\.travel.content.title.text).joined(separator: ", "))
/// for travel in lost { try await travels.restore(travel.id) }    // or forget
/// ```
public struct VanishedTravel: Hashable, Sendable, Identifiable {
    /// The position in the outbox.
    let number: Int
    /// The travel as the local store had it; its timeline is empty if that was not known.
    public let travel: RecordedTravel

    /// The ID of the travel.
    public var id: Travel.ID { travel.id }
}

extension CachedTravelRepository {
    /// Returns the travels of the person that have vanished, in the order in which that was noticed.
    ///
    /// ``CacheStatus/vanishedTravels`` tells when their number changes.
    public func vanishedTravels() async -> [VanishedTravel] { await state.vanished }

    /// Adds a travel that has vanished again, with the images whose bytes this device has. Does nothing if there is no
    /// such travel any more.
    ///
    /// - Throws: `TravelError.conflict` when the local store has one of its entries or images in another travel;
    ///   `TravelError.unavailable` when the local store or the outbox does not answer; `CancellationError`. Nothing
    ///   changes then.
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

    /// Discards the copy of a travel that has vanished. Does nothing if there is no such travel any more.
    ///
    /// - Throws: `TravelError.unavailable` when the outbox does not answer; `CancellationError`. Nothing changes then.
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
        var own = fetched.viewer.map { viewer in fetched.missingTravels.sorted().map { ($0, author: viewer) } } ?? []
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
            return try RecordedTravel(
                id: id, author: travel.author, createdAt: travel.createdAt, updatedAt: travel.updatedAt,
                version: travel.version, content: travel.content, timeline: [])
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
