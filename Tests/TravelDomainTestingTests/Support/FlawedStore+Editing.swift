import Synchronization
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

extension FlawedStore {
    func update(
        _ id: Travel.ID, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws {
        if flaw == .refusedImagesStay { remember { $0.keep(images) } }
        let images = flaw == .missingImagesAreIgnored ? [] : images
        switch flaw {
        case .anyoneMayEdit:
            try await sound.update(id, by: author(of: id) ?? user, adding: images, change)
        case .changesOverlap:
            let changed = try change(try await recorded(id, by: user))
            for _ in 0..<50 { await Task.yield() }
            try await sound.update(id, by: user, adding: images) { _ in changed }
        case .removalHidesOnly:
            try await sound.update(id, by: user, adding: images) { travel throws(TravelError) in
                try change(travel) ?? travel
            }
        case .editsTakeOver: try await replace(id, by: user, adding: images, change)
        case .editsLoseLikes:
            for person in memory.likers[id] ?? [] { try await sound.setLiked(false, travel: id, by: person) }
            try await sound.update(id, by: user, adding: images, change)
        case .strangersChangesAreMade:
            if let author = author(of: id), author != user { _ = try change(try await recorded(id, by: author)) }
            try await sound.update(id, by: user, adding: images, change)
        case .entryConflictsAreIgnored:
            try await forgiving(.entryConflictsAreIgnored, { if case .conflict(.entry) = $0 { true } else { false } }) {
                try await sound.update(id, by: user, adding: images, change)
            }
        case .imageConflictsAreIgnored:
            try await forgiving(.imageConflictsAreIgnored, { if case .conflict(.image) = $0 { true } else { false } }) {
                try await sound.update(id, by: user, adding: images, change)
            }
        case .failedChangesAreForgiven:
            let hasFailed = Mutex(false)
            try await forgiving(.failedChangesAreForgiven, { _ in hasFailed.withLock { $0 } }) {
                try await sound.update(id, by: user, adding: images) { travel throws(TravelError) in
                    do throws(TravelError) { return try change(travel) } catch {
                        hasFailed.withLock { $0 = true }
                        throw error
                    }
                }
            }
        case .missingTravelsMayBeEdited:
            try await forgiving(.missingTravelsMayBeEdited, { $0 == .notFound(.travel(id)) }) {
                try await sound.update(id, by: user, adding: images, change)
            }
        case .changesSeeNoTimeline:
            try await sound.update(id, by: user, adding: images) { travel throws(TravelError) in
                let bare = try RecordedTravel(
                    id: travel.id, author: travel.author, createdAt: travel.createdAt, content: travel.content,
                    timeline: [])
                return try change(bare)
            }
        case .changesSeeOldNicknames:
            let old = memory.nicknames
            try await sound.update(id, by: user, adding: images) { travel throws(TravelError) in
                let author = User(id: travel.author.id, nickname: old[travel.author.id] ?? travel.author.nickname)
                return try change(
                    RecordedTravel(
                        id: travel.id, author: author, createdAt: travel.createdAt, content: travel.content,
                        timeline: travel.timeline))
            }
        case .missingImagesAreIgnored:
            try await forgiving(.missingImagesAreIgnored, { if case .notFound(.image) = $0 { true } else { false } }) {
                try await sound.update(id, by: user, adding: images, change)
            }
        case .sharedImagesGoEarly:
            let before = try await result { try await self.recorded(id, by: user) }.get()
            try await sound.update(id, by: user, adding: images, change)
            let left = try await result { try await self.sound.timeline(of: id, viewer: user) }.get()
            let gone = before.timeline.filter { entry in !left.contains { $0.id == entry.id } }
            remember { $0.lostImages.formUnion(gone.compactMap(\.image)) }
        default: try await soundly { try await $0.update(id, by: user, adding: images, change) }
        }
        if flaw == .imagesStay || flaw == .unshownImagesStay { remember { $0.keep(images) } }
        if flaw == .imagesAreReplaced { await replaceImages(images) }
    }

    func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage {
        if let image = memory.images[id] { return image }
        let image: TravelImage
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
        return flaw == .imagesAreCut ? try TravelImage(id: id, bytes: image.bytes.prefix(100)) : image
    }

    private func recorded(_ id: Travel.ID, by user: User.ID) async throws -> RecordedTravel {
        let travel = try await sound.travel(id, viewer: user)
        return try RecordedTravel(
            id: id, author: travel.author, createdAt: travel.createdAt, content: travel.content,
            timeline: try await sound.timeline(of: id, viewer: user))
    }

    /// Replaces a travel with the result of `change`, including its ID.
    private func replace(
        _ id: Travel.ID, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws {
        let result = Mutex<RecordedTravel?>(nil)
        try await sound.update(id, by: user, adding: images) { travel throws(TravelError) in
            let changed = try change(travel)
            result.withLock { $0 = changed }
            return changed?.id == travel.id ? changed : nil
        }
        if let changed = result.withLock({ $0 }), changed.id != id { try await sound.add([changed], images: images) }
    }

    /// Replaces the bytes of `images` that already exist.
    private func replaceImages(_ images: [TravelImage]) async {
        for image in images {
            if case .success(let old) = await result({ try await self.sound.image(image.id, viewer: nil) }),
                old != image
            {
                remember { $0.keep([image]) }
            }
        }
    }
}
