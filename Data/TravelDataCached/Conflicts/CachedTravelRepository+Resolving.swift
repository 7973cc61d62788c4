internal import TravelDomain

extension CachedTravelRepository {
    /// Resolves a conflict. Does nothing if there is no such conflict any more.
    ///
    /// A write that follows from the decision goes through the outbox, like every other. If the remote store has
    /// another version again by then, it becomes a new conflict.
    ///
    /// ```swift
    /// for conflict in await travels.conflicts() {
    ///     try await travels.resolve(conflict.id, with: .keepMine)
    /// }
    /// ```
    ///
    /// A travel that has been removed since is added again.
    ///
    /// - Throws: The errors of the local store, such as `TravelError.invalid` for a timeline that does not fit the
    ///   dates, or `TravelError.notFound` for an image that has been removed with its travel; `TravelError.unavailable`
    ///   when the outbox does not answer; `CancellationError`. The conflict stays then.
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
        let edition = try RecordedTravel(
            id: mine.id, author: theirs?.author ?? mine.author, createdAt: theirs?.createdAt ?? mine.createdAt,
            updatedAt: edited == nil ? mine.updatedAt : now(), version: theirs?.version.next ?? mine.version,
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
