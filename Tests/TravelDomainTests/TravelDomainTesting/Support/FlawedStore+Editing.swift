import Synchronization
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

extension FlawedStore {
    private typealias Change = @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?

    func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        if flaw == .refusedImagesStay { remember { $0.keep(images) } }
        let images = flaw == .missingImagesAreIgnored ? [] : images
        try await beforeEdit(of: id, expecting: version, by: user, change)
        let ignoresVersion = flaw == .expectationsAreIgnored || flaw == .versionsAreComparedEarly
        let result = try await edit(
            id, expecting: ignoresVersion ? nil : version,
            by: flaw == .anyoneMayEdit ? author(of: id) ?? user : user, adding: images, flawed(change))
        remember { $0.edits[id, default: 0] += 1 }
        if flaw == .imagesStay || flaw == .unshownImagesStay { remember { $0.keep(images) } }
        if flaw == .imagesAreReplaced { await replaceImages(images) }
        return result
    }

    /// Does what a flaw does before an edit.
    private func beforeEdit(
        of id: Trip.ID, expecting version: TripVersion?, by user: User.ID, _ change: Change
    ) async throws {
        let author = author(of: id)
        switch flaw {
        case .editsLoseLikes:
            for likingUser in memory.likedBy[id] ?? [] { try await sound.setLiked(false, trip: id, by: likingUser) }
        case .strangersChangesAreMade:
            if let author, author != user { _ = try change(try await recorded(id, by: author)) }
        case .versionsAreComparedLate: if author == user { _ = try change(try await recorded(id, by: user)) }
        case .versionsAreComparedEarly:
            if author == user { try await recorded(id, by: user).requireVersion(version) }
            for _ in 0..<50 { await Task.yield() }
        case .strangersAreOutdated:
            guard let author, author != user else { break }
            if case .success(let trip) = await result({ try await recorded(id, by: author) }) {
                try trip.requireVersion(version)
            }
        default: break
        }
    }

    /// The change that is made with the flaw of this store in place of `change`.
    private func flawed(_ change: @escaping Change) -> Change {
        switch flaw {
        case .removalHidesOnly: return { trip throws(TravelError) in try change(trip) ?? trip }
        case .changesSeeNoTimeline: return { trip throws(TravelError) in try change(trip.with(timeline: [])) }
        case .changesSeeOldNicknames:
            return { [old = memory.nicknames] trip throws(TravelError) in
                let author = trip.author
                return try change(trip.with(author: User(id: author.id, nickname: old[author.id] ?? author.nickname)))
            }
        case .fullTimelinesAreCut:
            return { trip throws(TravelError) in
                do throws(TravelError) { return try change(trip) } catch {
                    guard case .invalid(let violation) = error, violation.field == .timeline else { throw error }
                    return try change(trip.with(timeline: Array(trip.timeline.dropFirst())))
                }
            }
        case .repeatedEntriesAreDropped:
            return { trip throws(TravelError) in
                guard let changed = try change(trip) else { return nil }
                var seen: Set<TimelineEntry.ID> = []
                return try changed.with(timeline: changed.timeline.filter { seen.insert($0.id).inserted })
            }
        case .entriesAreOrderedByID:
            return { trip throws(TravelError) in
                guard let changed = try change(trip) else { return nil }
                return try changed.with(timeline: changed.timeline.sorted { $0.id < $1.id })
            }
        case .positionsAreLost:
            return { trip throws(TravelError) in
                guard let changed = try change(trip) else { return nil }
                return try changed.with(
                    timeline: changed.timeline.map { entry throws(TravelError) in
                        try entry.with(
                            pictures: entry.pictures.map { picture in
                                var picture = picture
                                if picture.position == .withheld { picture.position = nil }
                                return picture
                            })
                    })
            }
        default: return change
        }
    }

    private func edit(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping Change
    ) async throws -> RecordedTrip? {
        func edited(_ change: @escaping Change) async throws -> RecordedTrip? {
            try await sound.update(id, expecting: version, by: user, adding: images, change)
        }
        switch flaw {
        case .changesOverlap:
            let changed = try change(try await recorded(id, by: user))
            for _ in 0..<50 { await Task.yield() }
            return try await edited { _ in changed }
        case .editsTakeOver: return try await replace(id, expecting: version, by: user, adding: images, change)
        case .failedChangesAreForgiven:
            let hasFailed = Mutex(false)
            return try await forgiving(.failedChangesAreForgiven, { _ in hasFailed.withLock { $0 } }) {
                try await edited { trip throws(TravelError) in
                    do throws(TravelError) { return try change(trip) } catch {
                        hasFailed.withLock { $0 = true }
                        throw error
                    }
                }
            }
        case .sharedImagesGoEarly:
            let before = try await recorded(id, by: user)
            let result = try await edited(change)
            let left = try await sound.timeline(of: id, viewer: user)
            let gone = before.timeline.filter { entry in !left.contains { $0.id == entry.id } }
            remember { $0.lostImages.formUnion(gone.compactMap(\.image)) }
            return result
        case .editsReturnWhatWas:
            let before = Mutex<RecordedTrip?>(nil)
            let now = try await edited { trip throws(TravelError) in
                before.withLock { $0 = trip }
                return try change(trip)
            }
            return now == nil ? nil : before.withLock { $0 }
        case .removalsExpectNothing:
            do {
                return try await edited(change)
            } catch TravelError.outdated(let trip) {
                guard case .success(nil) = Result(catching: { () throws(TravelError) in try change(trip) }) else {
                    throw TravelError.outdated(trip)
                }
                return try await sound.update(id, expecting: nil, by: user, adding: images) { _ in nil }
            }
        default:
            return try await forgivingConflicts(of: id) {
                try await soundly { try await $0.update(id, expecting: version, by: user, adding: images, change) }
            }
        }
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
        try await sound.details(of: id, viewer: user).recorded
    }

    /// Replaces a trip with the result of `change`, including its ID.
    private func replace(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping Change
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
