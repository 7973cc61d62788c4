import Synchronization
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

/// A store with at most one flaw; it forwards everything else to a correct store.
final class FlawedStore: SoundStore {
    enum Flaw: CaseIterable {
        // Trips
        case missingTripsAreOthers, hiddenTripsAreShown, hiddenTripsAreFound, blocksDoNotReachSearches
        case cursorIsAnOffset
        case ownHiddenTripsAreGone, likesOfMissingTripsAreIgnored, cancellationIsIgnored, additionsRename
        // Editing
        case anyoneMayEdit, changesOverlap, removalHidesOnly, editsTakeOver, editsLoseLikes, strangersChangesAreMade
        case entryConflictsAreIgnored, failedChangesAreForgiven, missingTripsMayBeEdited, changesSeeNoTimeline
        case fullTimelinesAreCut, repeatedEntriesAreDropped, entriesAreOrderedByID
        case removedTripsKeepLikes, oldTitlesStay, searchesFindOldContent, changesSeeOldNicknames
        // Versions
        case versionsStay, timesOfChangeStay, likesRaiseVersions, everyEditRaisesVersions, editsReturnWhatWas
        case expectationsAreIgnored, removalsExpectNothing, versionsAreComparedLate, versionsAreComparedEarly
        case strangersAreOutdated
        // Moderation
        case reportsAddUp, repeatedReportsAreNew, authorsMayReport, repeatedBlocksAreNew, hiddenLikesStay,
            oneReportIsLost, oneReportCountsTwice, strangersMayReport, hiddenTripsMayBeReported
        case missingTripsMayBeReported, repeatedReportsOfHiddenTripsReturn
        case oneMayBlockOneself, blocksReachAll, blocksAreMutual, unblockingIsIgnored
        case blockedAreInNoOrder, strangersMayBlock
        case hiddenTimelinesAreShown, hiddenTitlesAreSuggested, hiddenTripsMayBeLiked
        // People
        case caseTellsNamesApart, alphabetsTellNamesApart, spacesTellNamesApart, takenNicknamesAreGiven,
            ownNicknameIsTaken, oldNicknamesStayTaken
        case joinedNicknamesAreRefused, secondAdditionsRename, missingPeopleAreInvented, missingPeopleMayLeave,
            nicknamesAreComposed
        case accountDeletionKeepsTrips, accountDeletionKeepsLikes, accountDeletionKeepsReports,
            accountDeletionKeepsBlocks
        case returnBringsLikesBack, returnBringsReportsBack, returnBringsBlocksBack
        case strangersMayLike
        case renamingIsForgotten, anyoneMayRename, anyoneMayRemove, missingPeopleAreForbidden
        // Images
        case imagesAreCut, imagesStay, refusedImagesStay, unshownImagesStay, imagesAreReplaced, imagesAreLost
        case hiddenImagesAreShown, missingImagesAreIgnored, imageConflictsAreIgnored, sharedImagesGoEarly
        case choiceIsIgnored, lastImageIsThumbnail
        case positionsAreShown, positionsAreLost, picturesAreCut, descriptionsAreLost
        case anyoneMaySetAvatars, avatarsAreForgotten, formerAvatarsStay, renamingLosesAvatars
    }

    /// The history of calls, as far as the flaws need it.
    struct Memory {
        var authors: [Trip.ID: User.ID] = [:]
        var content: [Trip.ID: TripContent] = [:]
        var nicknames: [User.ID: Nickname] = [:]
        var oldNicknames: Set<String> = []
        var titles: Set<Title> = []
        var likedBy: [Trip.ID: Set<User.ID>] = [:]
        var reporters: [Trip.ID: Set<User.ID>] = [:]
        var blocks: [(author: User.ID, user: User.ID)] = []
        var images: [TripImage.ID: TripImage] = [:]
        var lostImages: Set<TripImage.ID> = []
        /// The numbers of successful edits, and of calls that like.
        var edits: [Trip.ID: Int] = [:]
        var likes: [Trip.ID: Int] = [:]
        /// The number of trips before the page that begins at a cursor.
        var offsets: [TripCursor: Int] = [:]
    }

    let sound = InMemoryTripRepository()
    let flaw: Flaw?
    private let state = Mutex(Memory())

    init(_ flaw: Flaw?) { self.flaw = flaw }

    var memory: Memory { state.withLock { $0 } }
    func remember(_ change: (inout Memory) -> Void) { state.withLock { change(&$0) } }
    func author(of id: Trip.ID) -> User.ID? { memory.authors[id] }

    /// Calls the correct store; with the flaw `cancellationIsIgnored`, in a task that is not cancelled.
    func soundly<Value: Sendable>(
        _ body: @escaping @Sendable (InMemoryTripRepository) async throws -> Value
    ) async throws -> Value {
        guard flaw == .cancellationIsIgnored else { return try await body(sound) }
        return try await Task.detached { [sound] in try await body(sound) }.value
    }

    /// Calls `body`; if `flaw` is active, ignores errors that `forgiven` accepts.
    func forgiving(
        _ flaw: Flaw, _ forgiven: (TravelError) -> Bool, _ body: () async throws -> Void
    ) async throws {
        try await forgiving(flaw, forgiven) {
            try await body()
            return nil as Bool?
        }
    }

    /// Calls `body`; if `flaw` is active, returns `nil` instead of errors that `forgiven` accepts.
    @discardableResult
    func forgiving<Value>(
        _ flaw: Flaw, _ forgiven: (TravelError) -> Bool, _ body: () async throws -> Value?
    ) async throws -> Value? {
        do {
            return try await body()
        } catch let error as TravelError where self.flaw == flaw && forgiven(error) {
            return nil
        }
    }

    /// Refuses a nickname whose folded form has too many or too few characters.
    func requireShort(_ nickname: Nickname) throws {
        guard flaw == .joinedNicknamesAreRefused, !Nickname.length.contains(nickname.folded.count) else { return }
        throw TravelError.unavailable(.init("The nickname has too many characters.", canRetry: false))
    }

    func add(_ trips: [RecordedTrip], images: [TripImage]) async throws {
        for trip in trips { try requireShort(trip.author.nickname) }
        try await forgiving(.imageConflictsAreIgnored, { if case .conflict(.image) = $0 { true } else { false } }) {
            do {
                try await soundly { try await $0.add(trips, images: images) }
            } catch TravelError.notFound(.image) where flaw == .missingImagesAreIgnored {
                try await sound.add(trips.map { try $0.showing([]) })
            }
        }
        remember { memory in
            for trip in trips {
                memory.authors[trip.id] = trip.author.id
                memory.content[trip.id] = trip.content
                memory.titles.insert(trip.content.title)
                memory.nicknames[trip.author.id] = memory.nicknames[trip.author.id] ?? trip.author.nickname
            }
            if [.imagesStay, .unshownImagesStay].contains(flaw) { memory.keep(images) }
        }
        for trip in trips {
            try await bringBack(trip.author.id)
            if flaw == .additionsRename {
                let (id, nickname) = (trip.author.id, trip.author.nickname)
                try await forgiving(.additionsRename, { _ in true }) {
                    try await sound.rename(id, to: nickname, by: id)
                }
            }
            guard flaw == .removedTripsKeepLikes else { continue }
            for user in memory.likedBy[trip.id] ?? [] {
                try await sound.setLiked(true, trip: trip.id, by: user)
            }
        }
    }

    func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws {
        if flaw == .hiddenLikesStay { _ = try await sound.trip(id, viewer: user) }
        do {
            try await soundly { try await $0.setLiked(isLiked, trip: id, by: user) }
            remember { memory in
                memory.likes[id, default: 0] += 1
                if isLiked { memory.likedBy[id, default: []].insert(user) } else { memory.likedBy[id]?.remove(user) }
            }
        } catch TravelError.notFound(.user(user)) where flaw == .strangersMayLike {
        } catch TravelError.notFound(.trip(id)) where flaw == .hiddenTripsMayBeLiked && author(of: id) != nil {
        } catch TravelError.notFound(.trip(id)) where flaw == .likesOfMissingTripsAreIgnored {}
    }

    func search(_ query: TripQuery) async throws -> TripPage {
        if flaw == .cursorIsAnOffset { return try await searchByOffset(query) }
        if flaw == .searchesFindOldContent { return try await searchOldContent(query) }
        let viewer = flaw == .blocksDoNotReachSearches ? nil : query.viewer
        let asked = try TripQuery(query.criteria, viewer: viewer, after: query.cursor, limit: query.limit)
        let page = try await soundly { try await $0.search(asked) }
        var trips: [Trip] = []
        for trip in page.trips { trips.append(try await seen(trip)) }
        if flaw == .hiddenTripsAreFound, query.cursor == nil {
            for (id, author) in memory.authors where !trips.contains(where: { $0.id == id }) {
                guard case .success(let trip) = await result({ try await self.sound.trip(id, viewer: author) }),
                    query.criteria.matches(trip.content), query.criteria.likedBy == nil,
                    query.criteria.author ?? author == author
                else { continue }
                trips.append(trip)
            }
        }
        return TripPage(trips: trips, matchedEntries: page.matchedEntries, next: page.next)
    }

    func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip {
        do {
            if flaw == .ownHiddenTripsAreGone { _ = try await sound.trip(id, viewer: nil) }
            return try await seen(try await soundly { try await $0.trip(id, viewer: viewer) })
        } catch TravelError.notFound where flaw == .hiddenTripsAreShown {
            return try await sound.trip(id, viewer: author(of: id))
        } catch TravelError.notFound(.trip(id)) where flaw == .missingTripsAreOthers {
            guard let other = memory.authors.first else { throw TravelError.notFound(.trip(id)) }
            return try await sound.trip(other.key, viewer: other.value)
        }
    }

    func timeline(of id: Trip.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        let viewer = [.hiddenTimelinesAreShown, .positionsAreShown].contains(flaw) ? author(of: id) : viewer
        let timeline = try await soundly { try await $0.timeline(of: id, viewer: viewer) }
        switch flaw {
        case .picturesAreCut: return try timeline.map { try $0.with(pictures: Array($0.pictures.prefix(29))) }
        case .descriptionsAreLost:
            return try timeline.map { entry in
                try entry.with(pictures: entry.pictures.map { Picture($0.id, taken: $0.taken, position: $0.position) })
            }
        default: return timeline
        }
    }

    func track(of id: Trip.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await soundly { try await $0.track(of: id, viewer: viewer) }
    }

    func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        let viewer = flaw == .hiddenTitlesAreSuggested ? nil : viewer
        let titles = try await soundly { try await $0.titles(containing: text, viewer: viewer, limit: limit) }
        guard flaw == .oldTitlesStay else { return titles }
        return Array((titles + memory.titles.filter { text.matches($0) && !titles.contains($0) }).prefix(limit))
    }

    /// Returns a page by offset, which is incorrect during concurrent writes.
    private func searchByOffset(_ query: TripQuery) async throws -> TripPage {
        var offset = query.cursor.flatMap { memory.offsets[$0] } ?? 0
        let end = offset + query.limit
        var cursor: TripCursor?
        while offset > 0 {
            let limit = min(offset, 100)
            let page = try await sound.search(
                TripQuery(query.criteria, viewer: query.viewer, after: cursor, limit: limit))
            guard page.next != nil else { return TripPage(trips: [], next: nil) }
            (cursor, offset) = (page.next, offset - limit)
        }
        let page = try await sound.search(
            TripQuery(query.criteria, viewer: query.viewer, after: cursor, limit: query.limit))
        if let next = page.next { remember { $0.offsets[next] = end } }
        return page
    }

    private func searchOldContent(_ query: TripQuery) async throws -> TripPage {
        let all = try await sound.search(
            TripQuery(
                TripCriteria(
                    author: query.criteria.author, likedBy: query.criteria.likedBy, sort: query.criteria.sort),
                viewer: query.viewer, limit: 100))
        let old = memory.content
        var trips: [Trip] = []
        var entries: [Trip.ID: MatchedEntry] = [:]
        for trip in all.trips {
            let timeline = try await sound.timeline(of: trip.id, viewer: trip.author.id)
            guard let match = query.criteria.match(old[trip.id] ?? trip.content, timeline: timeline) else { continue }
            trips.append(trip)
            entries[trip.id] = match.entry
        }
        return TripPage(trips: trips, matchedEntries: entries, next: nil)
    }

    private func seen(_ trip: Trip) async throws -> Trip {
        let thumbnail: TripImage.ID?
        switch flaw {
        case .choiceIsIgnored, .lastImageIsThumbnail:
            let images = try await sound.timeline(of: trip.id, viewer: trip.author.id).compactMap(\.image)
            thumbnail =
                flaw == .choiceIsIgnored ? images.first ?? trip.thumbnail : trip.content.thumbnail ?? images.last
        default: thumbnail = trip.thumbnail
        }
        var (version, updatedAt) = (trip.version, trip.updatedAt)
        switch flaw {
        case .versionsStay: version = .first
        case .timesOfChangeStay: updatedAt = trip.createdAt
        case .likesRaiseVersions:
            version = TripVersion(number: version.number + memory.likes[trip.id, default: 0]) ?? version
        case .everyEditRaisesVersions:
            version = TripVersion(number: 1 + memory.edits[trip.id, default: 0]) ?? version
        default: break
        }
        return try Trip(
            id: trip.id, author: trip.author, content: trip.content, createdAt: trip.createdAt,
            updatedAt: updatedAt, version: version, likeCount: trip.likeCount, isLiked: trip.isLiked,
            isMine: trip.isMine, thumbnail: thumbnail, isHidden: trip.isHidden)
    }

    func result<Value: Sendable>(_ body: () async throws -> Value) async -> Result<Value, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}

extension FlawedStore.Memory {
    mutating func keep(_ new: [TripImage]) { for image in new { images[image.id] = image } }
}

extension FlawedStore {
    func report(_ trip: Trip.ID, by user: User.ID, at time: Date) async throws -> Bool {
        do {
            let isNew: Bool
            if flaw == .oneReportIsLost, memory.reporters[trip] == nil {
                _ = try await sound.user(user)
                guard try await !sound.trip(trip, viewer: user).isMine else {
                    throw TravelError.forbidden(.trip(trip))
                }
                isNew = true
            } else if flaw == .oneReportIsLost, memory.reporters[trip]?.contains(user) == true {
                isNew = false
            } else {
                isNew = try await soundly { try await $0.report(trip, by: user, at: time) }
            }
            let isFirst = memory.reporters[trip] == nil
            remember { $0.reporters[trip, default: []].insert(user) }
            if flaw == .oneReportCountsTwice, isFirst { try await sound.report(trip, by: await ghost()) }
            if flaw == .reportsAddUp, !isNew { try await sound.report(trip, by: await ghost()) }
            return isNew || flaw == .repeatedReportsAreNew
        } catch TravelError.forbidden where flaw == .authorsMayReport {
            return try await sound.report(trip, by: await ghost())
        } catch TravelError.notFound(.user) where flaw == .strangersMayReport {
        } catch TravelError.notFound(.trip(trip))
            where flaw == .hiddenTripsMayBeReported && author(of: trip) != nil
        {
        } catch TravelError.notFound(.trip(trip))
            where flaw == .repeatedReportsOfHiddenTripsReturn && memory.reporters[trip]?.contains(user) == true
        {
            return false
        } catch TravelError.notFound(.trip(trip))
            where flaw == .missingTripsMayBeReported && author(of: trip) == nil
        {}
        return true
    }

    func block(_ author: User.ID, by user: User.ID) async throws -> Bool {
        if flaw == .oneMayBlockOneself, author == user { return true }
        var isNew = true
        do {
            isNew = try await soundly { try await $0.block(author, by: user) }
        } catch TravelError.notFound where flaw == .strangersMayBlock {}
        remember { $0.blocks.append((author, user)) }
        if flaw == .blocksAreMutual { _ = await result { try await self.sound.block(user, by: author) } }
        if flaw == .blocksReachAll {
            for other in Set(memory.authors.values) where other != author && other != user {
                _ = await result { try await self.sound.block(author, by: other) }
            }
        }
        return isNew || flaw == .repeatedBlocksAreNew
    }

    func unblock(_ author: User.ID, by user: User.ID) async throws {
        if flaw == .unblockingIsIgnored { return }
        try await soundly { try await $0.unblock(author, by: user) }
    }

    func blocked(by user: User.ID) async throws -> [User] {
        let blocked = try await soundly { try await $0.blocked(by: user) }
        return flaw == .blockedAreInNoOrder ? blocked.reversed() : blocked
    }

    func user(_ id: User.ID) async throws -> User {
        do {
            let user = try await soundly { try await $0.user(id) }
            guard flaw == .nicknamesAreComposed, user.nickname.text.unicodeScalars.contains("\u{301}") else {
                return user
            }
            return User(id: id, nickname: try Nickname("미나 \u{E9}"))
        } catch TravelError.notFound where flaw == .missingPeopleAreInvented {
            return try User(id: id, nickname: Nickname("Nobody"))
        }
    }

    func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
        if flaw == .caseTellsNamesApart, nickname.text.lowercased() != nickname.text { return false }
        if flaw == .alphabetsTellNamesApart, !nickname.text.unicodeScalars.allSatisfy(\.isASCII) { return false }
        if flaw == .spacesTellNamesApart, nickname.text.contains(" ") { return false }
        if flaw == .oldNicknamesStayTaken, memory.oldNicknames.contains(nickname.folded) { return true }
        let user = flaw == .ownNicknameIsTaken ? User.ID(seed: 1_000_000) : user
        return try await soundly { try await $0.isTaken(nickname, exceptBy: user) }
    }

    func add(_ user: User) async throws {
        try requireShort(user.nickname)
        if flaw == .oldNicknamesStayTaken, memory.oldNicknames.contains(user.nickname.folded) {
            throw TravelError.conflict(.user(user.id))
        }
        do {
            try await soundly { try await $0.add(user) }
        } catch TravelError.conflict(.user(let holder)) where flaw == .takenNicknamesAreGiven && holder != user.id {
        } catch TravelError.conflict(.user(user.id)) where flaw == .secondAdditionsRename {
            try await sound.rename(user.id, to: user.nickname, by: user.id)
        }
        remember { $0.nicknames[user.id] = user.nickname }
        try await bringBack(user.id)
        guard flaw == .accountDeletionKeepsBlocks else { return }
        for block in memory.blocks where block.author == user.id || block.user == user.id {
            _ = await result { try await self.sound.block(block.author, by: block.user) }
        }
    }

    func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        if flaw == .renamingIsForgotten { return }
        if flaw == .missingPeopleAreForbidden, id != user { throw TravelError.forbidden(.user(id)) }
        let editor = flaw == .anyoneMayRename ? id : user
        if let old = memory.nicknames[id], old != nickname { remember { $0.oldNicknames.insert(old.folded) } }
        do {
            try await soundly { try await $0.rename(id, to: nickname, by: editor) }
            if flaw == .renamingLosesAvatars { try await sound.setAvatar(nil, of: id, by: id) }
        } catch TravelError.conflict where flaw == .takenNicknamesAreGiven {
        } catch TravelError.notFound where flaw == .missingPeopleMayLeave {}
    }

    func setAvatar(_ image: TripImage?, of id: User.ID, by user: User.ID) async throws {
        if flaw == .avatarsAreForgotten { return }
        let editor = flaw == .anyoneMaySetAvatars ? id : user
        try await soundly { try await $0.setAvatar(image, of: id, by: editor) }
        if flaw == .formerAvatarsStay, let image { remember { $0.keep([image]) } }
    }

    func removeUser(_ id: User.ID, by user: User.ID) async throws {
        if flaw == .accountDeletionKeepsTrips { return }
        if flaw == .missingPeopleAreForbidden, id != user { throw TravelError.forbidden(.user(id)) }
        let editor = flaw == .anyoneMayRemove ? id : user
        try await forgiving(.missingPeopleMayLeave, { if case .notFound = $0 { true } else { false } }) {
            try await soundly { try await $0.removeUser(id, by: editor) }
        }
        if let old = memory.nicknames[id] { remember { $0.oldNicknames.insert(old.folded) } }
        if flaw == .accountDeletionKeepsLikes {
            for (trip, likedBy) in memory.likedBy where likedBy.contains(id) {
                let ghost = try await ghost()
                _ = await result { try await self.sound.setLiked(true, trip: trip, by: ghost) }
            }
        }
        if flaw == .accountDeletionKeepsReports {
            for (trip, reporters) in memory.reporters where reporters.contains(id) {
                let ghost = try await ghost()
                _ = await result { try await self.sound.report(trip, by: ghost) }
            }
        }
    }

    /// Likes, reports or blocks again what a user did before their removal.
    func bringBack(_ user: User.ID) async throws {
        let memory = memory
        if flaw == .returnBringsLikesBack {
            for (trip, likedBy) in memory.likedBy where likedBy.contains(user) {
                _ = await result { try await self.sound.setLiked(true, trip: trip, by: user) }
            }
        }
        if flaw == .returnBringsReportsBack {
            for (trip, reporters) in memory.reporters where reporters.contains(user) {
                _ = await result { try await self.sound.report(trip, by: user) }
            }
        }
        if flaw == .returnBringsBlocksBack {
            for block in memory.blocks where block.author == user || block.user == user {
                _ = await result { try await self.sound.block(block.author, by: block.user) }
            }
        }
    }

    /// Adds a user whom no test refers to.
    private func ghost() async throws -> User.ID {
        let id = User.ID()
        try await sound.add(User(id: id, nickname: Nickname(String(id.description.prefix(8)))))
        return id
    }
}
