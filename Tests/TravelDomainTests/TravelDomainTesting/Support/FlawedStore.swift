import Synchronization
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

/// A store with at most one flaw; it forwards everything else to a correct store.
final class FlawedStore: SoundStore {
    enum Flaw: CaseIterable {
        // Travels
        case missingTravelsAreOthers, hiddenTravelsAreShown, hiddenTravelsAreFound, blocksDoNotReachSearches
        case cursorIsAnOffset
        case ownHiddenTravelsAreGone, likesOfMissingTravelsAreIgnored, cancellationIsIgnored, additionsRename
        // Editing
        case anyoneMayEdit, changesOverlap, removalHidesOnly, editsTakeOver, editsLoseLikes, strangersChangesAreMade
        case entryConflictsAreIgnored, failedChangesAreForgiven, missingTravelsMayBeEdited, changesSeeNoTimeline
        case fullTimelinesAreCut, repeatedEntriesAreDropped
        case removedTravelsKeepLikes, oldTitlesStay, searchesFindOldContent, changesSeeOldNicknames
        // Versions
        case versionsStay, timesOfChangeStay, likesRaiseVersions, everyEditRaisesVersions, editsReturnWhatWas
        case expectationsAreIgnored, removalsExpectNothing, versionsAreComparedLate, versionsAreComparedEarly
        case strangersAreOutdated
        // Moderation
        case reportsAddUp, repeatedReportsAreNew, authorsMayReport, repeatedBlocksAreNew, hiddenLikesStay,
            oneReportIsLost, oneReportCountsTwice, strangersMayReport, hiddenTravelsMayBeReported
        case missingTravelsMayBeReported
        case oneMayBlockOneself, blocksReachAll, blocksAreMutual, unblockingIsIgnored
        case blockedAreInNoOrder, strangersMayBlock
        case hiddenTimelinesAreShown, hiddenTitlesAreSuggested, hiddenTravelsMayBeLiked
        // People
        case caseTellsNamesApart, alphabetsTellNamesApart, spacesTellNamesApart, takenNicknamesAreGiven,
            ownNicknameIsTaken, oldNicknamesStayTaken
        case joinedNicknamesAreRefused, secondAdditionsRename, missingPeopleAreInvented, missingPeopleMayLeave,
            nicknamesAreComposed
        case withdrawalKeepsTravels, withdrawalKeepsLikes, withdrawalKeepsReports, withdrawalKeepsBlocks
        case returnBringsLikesBack, returnBringsReportsBack, returnBringsBlocksBack
        case strangersMayLike
        case renamingIsForgotten, anyoneMayRename, anyoneMayRemove
        // Images
        case imagesAreCut, imagesStay, refusedImagesStay, unshownImagesStay, imagesAreReplaced, imagesAreLost
        case hiddenImagesAreShown, missingImagesAreIgnored, imageConflictsAreIgnored, sharedImagesGoEarly
        case choiceIsIgnored, lastImageIsThumbnail
        case anyoneMaySetAvatars, avatarsAreForgotten, formerAvatarsStay, renamingLosesAvatars
    }

    /// The history of calls, as far as the flaws need it.
    struct Memory {
        var authors: [Travel.ID: User.ID] = [:]
        var content: [Travel.ID: TravelContent] = [:]
        var nicknames: [User.ID: Nickname] = [:]
        var oldNicknames: Set<String> = []
        var titles: Set<Title> = []
        var likers: [Travel.ID: Set<User.ID>] = [:]
        var reporters: [Travel.ID: Set<User.ID>] = [:]
        var blocks: [(author: User.ID, person: User.ID)] = []
        var images: [TravelImage.ID: TravelImage] = [:]
        var lostImages: Set<TravelImage.ID> = []
        /// The numbers of successful edits, and of calls that like.
        var edits: [Travel.ID: Int] = [:]
        var likes: [Travel.ID: Int] = [:]
        /// The number of travels before the page that begins at a cursor.
        var offsets: [TravelCursor: Int] = [:]
    }

    let sound = InMemoryTravelRepository()
    let flaw: Flaw?
    private let state = Mutex(Memory())

    init(_ flaw: Flaw?) { self.flaw = flaw }

    var memory: Memory { state.withLock { $0 } }
    func remember(_ change: (inout Memory) -> Void) { state.withLock { change(&$0) } }
    func author(of id: Travel.ID) -> User.ID? { memory.authors[id] }

    /// Calls the correct store; with the flaw `cancellationIsIgnored`, in a task that is not cancelled.
    func soundly<Value: Sendable>(
        _ body: @escaping @Sendable (InMemoryTravelRepository) async throws -> Value
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

    func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws {
        for travel in travels { try requireShort(travel.author.nickname) }
        try await forgiving(.imageConflictsAreIgnored, { if case .conflict(.image) = $0 { true } else { false } }) {
            do {
                try await soundly { try await $0.add(travels, images: images) }
            } catch TravelError.notFound(.image) where flaw == .missingImagesAreIgnored {
                try await sound.add(travels.map { try $0.withoutImages })
            }
        }
        remember { memory in
            for travel in travels {
                memory.authors[travel.id] = travel.author.id
                memory.content[travel.id] = travel.content
                memory.titles.insert(travel.content.title)
                memory.nicknames[travel.author.id] = memory.nicknames[travel.author.id] ?? travel.author.nickname
            }
            if [.imagesStay, .unshownImagesStay].contains(flaw) { memory.keep(images) }
        }
        for travel in travels {
            try await bringBack(travel.author.id)
            if flaw == .additionsRename {
                let (id, nickname) = (travel.author.id, travel.author.nickname)
                try await forgiving(.additionsRename, { _ in true }) {
                    try await sound.rename(id, to: nickname, by: id)
                }
            }
            guard flaw == .removedTravelsKeepLikes else { continue }
            for person in memory.likers[travel.id] ?? [] {
                try await sound.setLiked(true, travel: travel.id, by: person)
            }
        }
    }

    func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        if flaw == .hiddenLikesStay { _ = try await sound.travel(id, viewer: user) }
        do {
            try await soundly { try await $0.setLiked(isLiked, travel: id, by: user) }
            remember { memory in
                memory.likes[id, default: 0] += 1
                if isLiked { memory.likers[id, default: []].insert(user) } else { memory.likers[id]?.remove(user) }
            }
        } catch TravelError.notFound(.user(user)) where flaw == .strangersMayLike {
        } catch TravelError.notFound(.travel(id)) where flaw == .hiddenTravelsMayBeLiked && author(of: id) != nil {
        } catch TravelError.notFound(.travel(id)) where flaw == .likesOfMissingTravelsAreIgnored {}
    }

    func search(_ query: TravelQuery) async throws -> TravelPage {
        if flaw == .cursorIsAnOffset { return try await searchByOffset(query) }
        if flaw == .searchesFindOldContent { return try await searchOldContent(query) }
        let viewer = flaw == .blocksDoNotReachSearches ? nil : query.viewer
        let asked = try TravelQuery(query.criteria, viewer: viewer, after: query.cursor, limit: query.limit)
        let page = try await soundly { try await $0.search(asked) }
        var travels: [Travel] = []
        for travel in page.travels { travels.append(try await seen(travel)) }
        if flaw == .hiddenTravelsAreFound, query.cursor == nil {
            for (id, author) in memory.authors where !travels.contains(where: { $0.id == id }) {
                guard case .success(let travel) = await result({ try await self.sound.travel(id, viewer: author) }),
                    query.criteria.matches(travel.content), query.criteria.likedBy == nil,
                    query.criteria.author ?? author == author
                else { continue }
                travels.append(travel)
            }
        }
        return TravelPage(travels: travels, next: page.next)
    }

    func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel {
        do {
            if flaw == .ownHiddenTravelsAreGone { _ = try await sound.travel(id, viewer: nil) }
            return try await seen(try await soundly { try await $0.travel(id, viewer: viewer) })
        } catch TravelError.notFound where flaw == .hiddenTravelsAreShown {
            return try await sound.travel(id, viewer: author(of: id))
        } catch TravelError.notFound(.travel(id)) where flaw == .missingTravelsAreOthers {
            guard let other = memory.authors.first else { throw TravelError.notFound(.travel(id)) }
            return try await sound.travel(other.key, viewer: other.value)
        }
    }

    func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        let viewer = flaw == .hiddenTimelinesAreShown ? author(of: id) : viewer
        return try await soundly { try await $0.timeline(of: id, viewer: viewer) }
    }

    func track(of id: Travel.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await soundly { try await $0.track(of: id, viewer: viewer) }
    }

    func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        let viewer = flaw == .hiddenTitlesAreSuggested ? nil : viewer
        let titles = try await soundly { try await $0.titles(containing: text, viewer: viewer, limit: limit) }
        guard flaw == .oldTitlesStay else { return titles }
        return Array((titles + memory.titles.filter { text.matches($0) && !titles.contains($0) }).prefix(limit))
    }

    /// Returns a page by offset, which is incorrect during concurrent writes.
    private func searchByOffset(_ query: TravelQuery) async throws -> TravelPage {
        var offset = query.cursor.flatMap { memory.offsets[$0] } ?? 0
        let end = offset + query.limit
        var cursor: TravelCursor?
        while offset > 0 {
            let limit = min(offset, 100)
            let page = try await sound.search(
                TravelQuery(query.criteria, viewer: query.viewer, after: cursor, limit: limit))
            guard page.next != nil else { return TravelPage(travels: [], next: nil) }
            (cursor, offset) = (page.next, offset - limit)
        }
        let page = try await sound.search(
            TravelQuery(query.criteria, viewer: query.viewer, after: cursor, limit: query.limit))
        if let next = page.next { remember { $0.offsets[next] = end } }
        return page
    }

    private func searchOldContent(_ query: TravelQuery) async throws -> TravelPage {
        let all = try await sound.search(
            TravelQuery(
                TravelCriteria(
                    author: query.criteria.author, likedBy: query.criteria.likedBy, sort: query.criteria.sort),
                viewer: query.viewer, limit: 100))
        let old = memory.content
        return TravelPage(travels: all.travels.filter { query.criteria.matches(old[$0.id] ?? $0.content) }, next: nil)
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
        var (version, updatedAt) = (travel.version, travel.updatedAt)
        switch flaw {
        case .versionsStay: version = .first
        case .timesOfChangeStay: updatedAt = travel.createdAt
        case .likesRaiseVersions:
            version = TravelVersion(number: version.number + memory.likes[travel.id, default: 0]) ?? version
        case .everyEditRaisesVersions:
            version = TravelVersion(number: 1 + memory.edits[travel.id, default: 0]) ?? version
        default: break
        }
        return try Travel(
            id: travel.id, author: travel.author, content: travel.content, createdAt: travel.createdAt,
            updatedAt: updatedAt, version: version, likeCount: travel.likeCount, isLiked: travel.isLiked,
            isMine: travel.isMine, thumbnail: thumbnail)
    }

    func result<Value: Sendable>(_ body: () async throws -> Value) async -> Result<Value, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}

extension FlawedStore.Memory {
    mutating func keep(_ new: [TravelImage]) { for image in new { images[image.id] = image } }
}

extension RecordedTravel {
    /// A copy of the travel without images.
    var withoutImages: RecordedTravel {
        get throws {
            var content = content
            content.thumbnail = nil
            return try RecordedTravel(
                id: id, author: author, createdAt: createdAt, updatedAt: updatedAt, version: version, content: content,
                timeline: timeline.map { entry in
                    try TimelineEntry(
                        id: entry.id, day: entry.day, time: entry.time, title: entry.title, text: entry.text,
                        place: entry.place)
                }, track: track)
        }
    }
}

extension FlawedStore {
    func report(_ travel: Travel.ID, by user: User.ID) async throws -> Bool {
        do {
            let isNew: Bool
            if flaw == .oneReportIsLost, memory.reporters[travel] == nil {
                _ = try await sound.user(user)
                guard try await !sound.travel(travel, viewer: user).isMine else {
                    throw TravelError.forbidden(.travel(travel))
                }
                isNew = true
            } else if flaw == .oneReportIsLost, memory.reporters[travel]?.contains(user) == true {
                isNew = false
            } else {
                isNew = try await soundly { try await $0.report(travel, by: user) }
            }
            let isFirst = memory.reporters[travel] == nil
            remember { $0.reporters[travel, default: []].insert(user) }
            if flaw == .oneReportCountsTwice, isFirst { try await sound.report(travel, by: await ghost()) }
            if flaw == .reportsAddUp, !isNew { try await sound.report(travel, by: await ghost()) }
            return isNew || flaw == .repeatedReportsAreNew
        } catch TravelError.forbidden where flaw == .authorsMayReport {
            return try await sound.report(travel, by: await ghost())
        } catch TravelError.notFound(.user) where flaw == .strangersMayReport {
        } catch TravelError.notFound(.travel(travel))
            where flaw == .hiddenTravelsMayBeReported && author(of: travel) != nil
        {
        } catch TravelError.notFound(.travel(travel))
            where flaw == .missingTravelsMayBeReported && author(of: travel) == nil
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
        guard flaw == .withdrawalKeepsBlocks else { return }
        for block in memory.blocks where block.author == user.id || block.person == user.id {
            _ = await result { try await self.sound.block(block.author, by: block.person) }
        }
    }

    func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        if flaw == .renamingIsForgotten { return }
        let editor = flaw == .anyoneMayRename ? id : user
        if let old = memory.nicknames[id], old != nickname { remember { $0.oldNicknames.insert(old.folded) } }
        do {
            try await soundly { try await $0.rename(id, to: nickname, by: editor) }
            if flaw == .renamingLosesAvatars { try await sound.setAvatar(nil, of: id, by: id) }
        } catch TravelError.conflict where flaw == .takenNicknamesAreGiven {
        } catch TravelError.notFound where flaw == .missingPeopleMayLeave {}
    }

    func setAvatar(_ image: TravelImage?, of id: User.ID, by user: User.ID) async throws {
        if flaw == .avatarsAreForgotten { return }
        let editor = flaw == .anyoneMaySetAvatars ? id : user
        try await soundly { try await $0.setAvatar(image, of: id, by: editor) }
        if flaw == .formerAvatarsStay, let image { remember { $0.keep([image]) } }
    }

    func removeUser(_ id: User.ID, by user: User.ID) async throws {
        if flaw == .withdrawalKeepsTravels { return }
        let editor = flaw == .anyoneMayRemove ? id : user
        try await forgiving(.missingPeopleMayLeave, { if case .notFound = $0 { true } else { false } }) {
            try await soundly { try await $0.removeUser(id, by: editor) }
        }
        if let old = memory.nicknames[id] { remember { $0.oldNicknames.insert(old.folded) } }
        if flaw == .withdrawalKeepsLikes {
            for (travel, likers) in memory.likers where likers.contains(id) {
                let ghost = try await ghost()
                _ = await result { try await self.sound.setLiked(true, travel: travel, by: ghost) }
            }
        }
        if flaw == .withdrawalKeepsReports {
            for (travel, reporters) in memory.reporters where reporters.contains(id) {
                let ghost = try await ghost()
                _ = await result { try await self.sound.report(travel, by: ghost) }
            }
        }
    }

    /// Likes, reports or blocks again what a person did before their removal.
    func bringBack(_ person: User.ID) async throws {
        let memory = memory
        if flaw == .returnBringsLikesBack {
            for (travel, likers) in memory.likers where likers.contains(person) {
                _ = await result { try await self.sound.setLiked(true, travel: travel, by: person) }
            }
        }
        if flaw == .returnBringsReportsBack {
            for (travel, reporters) in memory.reporters where reporters.contains(person) {
                _ = await result { try await self.sound.report(travel, by: person) }
            }
        }
        if flaw == .returnBringsBlocksBack {
            for block in memory.blocks where block.author == person || block.person == person {
                _ = await result { try await self.sound.block(block.author, by: block.person) }
            }
        }
    }

    /// Adds a person whom no test refers to.
    private func ghost() async throws -> User.ID {
        let id = User.ID()
        try await sound.add(User(id: id, nickname: Nickname(String(id.description.prefix(8)))))
        return id
    }
}
