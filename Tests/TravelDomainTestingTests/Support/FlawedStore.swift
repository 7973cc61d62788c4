import Synchronization
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

/// A store that breaks one promise, or none.
final class FlawedStore: ForwardingStore {
    enum Flaw: CaseIterable {
        // Editing
        case anyoneMayEdit, changesOverlap, removalHidesOnly
        // Moderation
        case reportsAddUp, oneMayBlockOneself, blocksReachAll, hiddenTimelinesAreShown, hiddenTitlesAreSuggested
        case hiddenTravelsMayBeLiked
        // People
        case caseTellsNamesApart, withdrawalKeepsTravels, renamingIsForgotten, anyoneMayRename, anyoneMayRemove
        // Images
        case imagesAreCut, imagesStay, refusedImagesStay, hiddenImagesAreShown, choiceIsIgnored, lastImageIsThumbnail
    }

    let sound = InMemoryTravelRepository()
    private let flaw: Flaw?
    private let authors = Mutex<[Travel.ID: User.ID]>([:])
    private let images = Mutex<[TravelImage.ID: TravelImage]>([:])

    init(_ flaw: Flaw?) { self.flaw = flaw }

    func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws {
        try await sound.add(travels, images: images)
        authors.withLock { authors in for travel in travels { authors[travel.id] = travel.author.id } }
        if flaw == .imagesStay { remember(images) }
    }

    func update(
        _ id: Travel.ID, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws {
        if flaw == .refusedImagesStay { remember(images) }
        switch flaw {
        case .anyoneMayEdit:
            let author = authors.withLock { $0[id] } ?? user
            try await sound.update(id, by: author, adding: images, change)
        case .changesOverlap:
            let travel = try await sound.travel(id, viewer: user)
            let recorded = try RecordedTravel(
                id: id, author: travel.author, createdAt: travel.createdAt, content: travel.content,
                timeline: try await sound.timeline(of: id, viewer: user))
            for _ in 0..<50 { await Task.yield() }
            let changed = try change(recorded)
            try await sound.update(id, by: user, adding: images) { _ in changed }
        case .removalHidesOnly:
            try await sound.update(id, by: user, adding: images) { travel throws(TravelError) in
                try change(travel) ?? travel
            }
        default: try await sound.update(id, by: user, adding: images, change)
        }
        if flaw == .imagesStay { remember(images) }
    }

    func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        do {
            try await sound.setLiked(isLiked, travel: id, by: user)
        } catch TravelError.notFound(.travel(id)) where flaw == .hiddenTravelsMayBeLiked && author(of: id) != nil {}
    }

    func search(_ query: TravelQuery) async throws -> TravelPage {
        let page = try await sound.search(query)
        var travels: [Travel] = []
        for travel in page.travels { travels.append(try await seen(travel)) }
        return TravelPage(travels: travels, next: page.next)
    }

    func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel {
        try await seen(try await sound.travel(id, viewer: viewer))
    }

    func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await sound.timeline(of: id, viewer: flaw == .hiddenTimelinesAreShown ? author(of: id) : viewer)
    }

    func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        let isBlind = flaw == .hiddenTitlesAreSuggested
        return try await sound.titles(containing: text, viewer: isBlind ? nil : viewer, limit: limit)
    }

    func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage {
        if let image = images.withLock({ $0[id] }) { return image }
        switch flaw {
        case .imagesAreCut:
            let image = try await sound.image(id, viewer: viewer)
            return try TravelImage(id: id, bytes: image.bytes.prefix(100))
        case .hiddenImagesAreShown:
            for viewer in [viewer] + authors.withLock({ Array($0.values) }) {
                do { return try await sound.image(id, viewer: viewer) } catch TravelError.notFound { continue }
            }
            throw TravelError.notFound(.image(id))
        default: return try await sound.image(id, viewer: viewer)
        }
    }

    func report(_ travel: Travel.ID, by user: User.ID) async throws {
        do {
            try await sound.report(travel, by: user)
        } catch TravelError.conflict where flaw == .reportsAddUp {}
    }

    func block(_ author: User.ID, by user: User.ID) async throws {
        if flaw == .oneMayBlockOneself, author == user { return }
        try await sound.block(author, by: user)
        guard flaw == .blocksReachAll else { return }
        for other in Set(authors.withLock { Array($0.values) }) where other != author && other != user {
            do { try await sound.block(author, by: other) } catch is TravelError { continue }
        }
    }

    func isTaken(_ nickname: Nickname, exceptBy user: User.ID) async throws -> Bool {
        if flaw == .caseTellsNamesApart, nickname.text != nickname.folded { return false }
        return try await sound.isTaken(nickname, exceptBy: user)
    }

    func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        if flaw == .renamingIsForgotten { return }
        try await sound.rename(id, to: nickname, by: flaw == .anyoneMayRename ? id : user)
    }

    func removeUser(_ id: User.ID, by user: User.ID) async throws {
        if flaw == .withdrawalKeepsTravels { return }
        try await sound.removeUser(id, by: flaw == .anyoneMayRemove ? id : user)
    }

    private func author(of id: Travel.ID) -> User.ID? { authors.withLock { $0[id] } }

    private func remember(_ images: [TravelImage]) {
        self.images.withLock { known in for image in images { known[image.id] = image } }
    }

    private func seen(_ travel: Travel) async throws -> Travel {
        let thumbnail: TravelImage.ID?
        switch flaw {
        case .choiceIsIgnored, .lastImageIsThumbnail:
            let images = try await sound.timeline(of: travel.id, viewer: travel.author.id).compactMap(\.image)
            thumbnail =
                flaw == .choiceIsIgnored ? images.first ?? travel.thumbnail : travel.content.thumbnail ?? images.last
        default: thumbnail = travel.thumbnail
        }
        return Travel(
            id: travel.id, author: travel.author, content: travel.content, createdAt: travel.createdAt,
            likeCount: travel.likeCount, isLiked: travel.isLiked, isMine: travel.isMine, thumbnail: thumbnail)
    }
}
