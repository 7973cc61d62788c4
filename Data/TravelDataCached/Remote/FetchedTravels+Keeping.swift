internal import TravelDomain

extension FetchedTravels {
    /// This answer, with the values of the local store for everything that `subjects` change, because the answer may
    /// not include those writes.
    ///
    /// - Returns: The answer, and whether it was left unchanged.
    func keeping(
        _ subjects: WriteSubjects, of local: any TravelStore & TravelCache
    ) async throws -> (fetched: FetchedTravels, isWhole: Bool) {
        // A withdrawal changes the likes of any travel.
        guard subjects.withdrawn.isEmpty else { return (FetchedTravels(viewer: viewer), false) }
        var kept = self
        var isWhole = true
        kept.travels = []
        let hidden = try await Self.authors(blockedBy: viewer, subjects, local)
        for travel in travels {
            // The answer may lack the block, which a travel that is seen would end.
            if hidden.contains(travel.author.id) {
                isWhole = false
                kept.timelines[travel.id] = nil
                continue
            }
            let isAffected =
                subjects.contents.contains(travel.id) || subjects.liked.contains(travel.id)
                || subjects.reported.contains(travel.id) || subjects.people.contains(travel.author.id)
            guard isAffected else {
                kept.travels.append(travel)
                continue
            }
            isWhole = false
            // The timeline belongs to a content that is not kept.
            if subjects.contents.contains(travel.id) { kept.timelines[travel.id] = nil }
            if let travel = try await Self.merge(travel, subjects, local, viewer: viewer) {
                kept.travels.append(travel)
            }
        }
        kept.missingTravels = []
        for id in missingTravels {
            // A travel that the remote store hides may be one that the viewer has unblocked.
            if viewer.map(subjects.blockers.contains) ?? false || subjects.contents.contains(id)
                || subjects.liked.contains(id) || subjects.reported.contains(id)
            {
                isWhole = false
            } else if try await Self.isSeen(id, by: viewer, in: local) {
                kept.missingTravels.insert(id)
            }
        }
        for person in subjects.people {
            kept.people.removeAll { $0.id == person }
            kept.missingPeople.remove(person)
        }
        for person in subjects.blockers { kept.blocked[person] = nil }
        for (person, authors) in kept.blocked {
            var current: [User] = []
            for author in authors {
                if let author = try await Self.current(author, subjects, local) { current.append(author) }
            }
            kept.blocked[person] = current
        }
        isWhole =
            isWhole && kept.people == people && kept.missingPeople == missingPeople && kept.blocked == blocked
        return (kept, isWhole)
    }

    /// The authors whom the viewer has blocked here, if a write that the answer may lack has changed them.
    static func authors(
        blockedBy viewer: User.ID?, _ subjects: WriteSubjects, _ local: any TravelStore
    ) async throws -> Set<User.ID> {
        guard let viewer, subjects.blockers.contains(viewer) else { return [] }
        return Set(try await local.blocked(by: viewer).map(\.id))
    }

    /// A travel that hides from the viewer anyway stays: others may see it.
    private static func isSeen(_ id: Travel.ID, by viewer: User.ID?, in local: any TravelStore) async throws -> Bool {
        do {
            _ = try await local.travel(id, viewer: viewer)
            return true
        } catch TravelError.notFound {
            return false
        }
    }

    /// The person of an answer, as in `local` if a write has changed them; nil if they have been removed there.
    private static func current(
        _ person: User, _ subjects: WriteSubjects, _ local: any TravelStore
    ) async throws -> User? {
        guard subjects.people.contains(person.id) else { return person }
        do { return try await local.user(person.id) } catch TravelError.notFound { return nil }
    }

    /// The travel with the parts of the local one that `subjects` change; `nil` if the local one is removed or hidden.
    private static func merge(
        _ travel: Travel, _ subjects: WriteSubjects, _ local: any TravelStore & TravelCache, viewer: User.ID?
    ) async throws -> Travel? {
        if subjects.removed.contains(travel.id) || subjects.reported.contains(travel.id) { return nil }
        guard let author = try await current(travel.author, subjects, local) else { return nil }
        var mine = travel
        if subjects.contents.contains(travel.id) || subjects.liked.contains(travel.id) {
            do {
                mine = try await local.travel(travel.id, viewer: viewer)
            } catch TravelError.notFound {
                guard try await local.knowledge(of: travel.id) == .unknown else { return nil }
            }
        }
        let content = subjects.contents.contains(travel.id) ? mine : travel
        let likes = subjects.liked.contains(travel.id) ? mine : travel
        return try Travel(
            id: travel.id, author: author, content: content.content, createdAt: content.createdAt,
            updatedAt: content.updatedAt, version: content.version, likeCount: likes.likeCount, isLiked: likes.isLiked,
            isMine: travel.isMine, thumbnail: content.thumbnail)
    }
}
