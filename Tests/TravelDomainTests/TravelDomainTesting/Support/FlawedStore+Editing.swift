import Synchronization
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

extension FlawedStore {
    func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        if flaw == .refusedImagesStay { remember { $0.keep(images) } }
        let images = flaw == .missingImagesAreIgnored ? [] : images
        let result: RecordedTrip?
        switch flaw {
        case .anyoneMayEdit:
            result = try await sound.update(id, expecting: version, by: author(of: id) ?? user, adding: images, change)
        case .changesOverlap:
            let changed = try change(try await recorded(id, by: user))
            for _ in 0..<50 { await Task.yield() }
            result = try await sound.update(id, expecting: version, by: user, adding: images) { _ in changed }
        case .removalHidesOnly:
            result = try await sound.update(id, expecting: version, by: user, adding: images) {
                trip throws(TravelError) in try change(trip) ?? trip
            }
        case .editsTakeOver: result = try await replace(id, expecting: version, by: user, adding: images, change)
        case .editsLoseLikes:
            for liker in memory.likers[id] ?? [] { try await sound.setLiked(false, trip: id, by: liker) }
            result = try await sound.update(id, expecting: version, by: user, adding: images, change)
        case .strangersChangesAreMade:
            if let author = author(of: id), author != user { _ = try change(try await recorded(id, by: author)) }
            result = try await sound.update(id, expecting: version, by: user, adding: images, change)
        case .failedChangesAreForgiven:
            let hasFailed = Mutex(false)
            result = try await forgiving(.failedChangesAreForgiven, { _ in hasFailed.withLock { $0 } }) {
                try await sound.update(id, expecting: version, by: user, adding: images) { trip throws(TravelError) in
                    do throws(TravelError) { return try change(trip) } catch {
                        hasFailed.withLock { $0 = true }
                        throw error
                    }
                }
            }
        case .changesSeeNoTimeline:
            result = try await sound.update(id, expecting: version, by: user, adding: images) {
                trip throws(TravelError) in try change(trip.with(timeline: []))
            }
        case .changesSeeOldNicknames:
            let old = memory.nicknames
            result = try await sound.update(id, expecting: version, by: user, adding: images) {
                trip throws(TravelError) in
                try change(trip.with(nickname: old[trip.author.id] ?? trip.author.nickname))
            }
        case .fullTimelinesAreCut:
            result = try await sound.update(id, expecting: version, by: user, adding: images) {
                trip throws(TravelError) in
                do throws(TravelError) { return try change(trip) } catch {
                    guard case .invalid(let violation) = error, violation.field == .timeline else { throw error }
                    return try change(trip.with(timeline: Array(trip.timeline.dropFirst())))
                }
            }
        case .repeatedEntriesAreDropped:
            result = try await sound.update(id, expecting: version, by: user, adding: images) {
                trip throws(TravelError) in
                guard let changed = try change(trip) else { return nil }
                var seen: Set<TimelineEntry.ID> = []
                return try changed.with(timeline: changed.timeline.filter { seen.insert($0.id).inserted })
            }
        case .sharedImagesGoEarly:
            let before = try await self.result { try await self.recorded(id, by: user) }.get()
            result = try await sound.update(id, expecting: version, by: user, adding: images, change)
            let left = try await self.result { try await self.sound.timeline(of: id, viewer: user) }.get()
            let gone = before.timeline.filter { entry in !left.contains { $0.id == entry.id } }
            remember { $0.lostImages.formUnion(gone.compactMap(\.image)) }
        case .editsReturnWhatWas:
            let before = Mutex<RecordedTrip?>(nil)
            let now = try await sound.update(id, expecting: version, by: user, adding: images) {
                trip throws(TravelError) in
                before.withLock { $0 = trip }
                return try change(trip)
            }
            result = now == nil ? nil : before.withLock { $0 }
        case .expectationsAreIgnored:
            result = try await sound.update(id, expecting: nil, by: user, adding: images, change)
        case .removalsExpectNothing:
            do {
                result = try await sound.update(id, expecting: version, by: user, adding: images, change)
            } catch TravelError.outdated(let trip) {
                guard case .success(nil) = Result(catching: { () throws(TravelError) in try change(trip) }) else {
                    throw TravelError.outdated(trip)
                }
                result = try await sound.update(id, expecting: nil, by: user, adding: images) { _ in nil }
            }
        case .versionsAreComparedLate:
            if author(of: id) == user { _ = try change(try await recorded(id, by: user)) }
            result = try await sound.update(id, expecting: version, by: user, adding: images, change)
        case .versionsAreComparedEarly:
            if author(of: id) == user { try await recorded(id, by: user).requireVersion(version) }
            for _ in 0..<50 { await Task.yield() }
            result = try await sound.update(id, expecting: nil, by: user, adding: images, change)
        case .strangersAreOutdated:
            if let author = author(of: id), author != user {
                if case .success(let trip) = await self.result({ try await self.recorded(id, by: author) }) {
                    try trip.requireVersion(version)
                }
            }
            result = try await sound.update(id, expecting: version, by: user, adding: images, change)
        default:
            result = try await forgivingConflicts(of: id) {
                try await soundly { try await $0.update(id, expecting: version, by: user, adding: images, change) }
            }
        }
        remember { $0.edits[id, default: 0] += 1 }
        if flaw == .imagesStay || flaw == .unshownImagesStay { remember { $0.keep(images) } }
        if flaw == .imagesAreReplaced { await replaceImages(images) }
        return result
    }

    /// Calls `body`, and ignores the errors of the flaw of this store.
    private func forgivingConflicts(
        of id: Trip.ID, _ body: () async throws -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        do {
            return try await body()
        } catch TravelError.conflict(.entry) where flaw == .entryConflictsAreIgnored {
        } catch TravelError.conflict(.image) where flaw == .imageConflictsAreIgnored {
        } catch TravelError.notFound(.trip(id)) where flaw == .missingTripsMayBeEdited {
        } catch TravelError.notFound(.image) where flaw == .missingImagesAreIgnored {}
        return nil
    }

    func image(_ id: TripImage.ID, viewer: User.ID?) async throws -> TripImage {
        if let image = memory.images[id] { return image }
        let image: TripImage
        do {
            image = try await soundly { try await $0.image(id, viewer: viewer) }
        } catch TravelError.notFound where flaw == .hiddenImagesAreShown {
            for author in memory.authors.values {
                if case .success(let image) = await result({ try await self.sound.image(id, viewer: author) }) {
                    return image
                }
            }
            throw TravelError.notFound(.image(id))
        }
        if flaw == .imagesAreLost && image.bytes.count > 500 || memory.lostImages.contains(id) {
            throw TravelError.notFound(.image(id))
        }
        return flaw == .imagesAreCut ? try TripImage(id: id, bytes: image.bytes.prefix(100)) : image
    }

    private func recorded(_ id: Trip.ID, by user: User.ID) async throws -> RecordedTrip {
        let trip = try await sound.trip(id, viewer: user)
        return try RecordedTrip(
            id: id, author: trip.author, createdAt: trip.createdAt, updatedAt: trip.updatedAt,
            version: trip.version, content: trip.content,
            timeline: try await sound.timeline(of: id, viewer: user),
            track: try await sound.track(of: id, viewer: user))
    }

    /// Replaces a trip with the result of `change`, including its ID.
    private func replace(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        let result = Mutex<RecordedTrip?>(nil)
        let stored = try await sound.update(id, expecting: version, by: user, adding: images) {
            trip throws(TravelError) in
            let changed = try change(trip)
            result.withLock { $0 = changed }
            return changed?.id == trip.id ? changed : nil
        }
        if let changed = result.withLock({ $0 }), changed.id != id {
            try await sound.add([changed], images: images)
            return changed
        }
        return stored
    }

    /// Replaces the bytes of `images` that already exist.
    private func replaceImages(_ images: [TripImage]) async {
        for image in images {
            if case .success(let old) = await result({ try await self.sound.image(image.id, viewer: nil) }),
                old != image
            {
                remember { $0.keep([image]) }
            }
        }
    }
}

extension RecordedTrip {
    /// A copy with another timeline.
    fileprivate func with(timeline: [TimelineEntry]) throws(TravelError) -> RecordedTrip {
        try RecordedTrip(
            id: id, author: author, createdAt: createdAt, updatedAt: updatedAt, version: version, content: content,
            timeline: timeline, track: track)
    }

    /// A copy with another nickname of the author.
    fileprivate func with(nickname: Nickname) throws(TravelError) -> RecordedTrip {
        try RecordedTrip(
            id: id, author: User(id: author.id, nickname: nickname), createdAt: createdAt, updatedAt: updatedAt,
            version: version, content: content, timeline: timeline, track: track)
    }
}
