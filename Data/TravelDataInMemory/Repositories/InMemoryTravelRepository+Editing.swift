public import TravelDomain

extension InMemoryTravelRepository: TravelEditingRepository {
    /// Replaces a travel with the result of `change`, or removes it when the result is `nil`.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel, or when it would show an image that it neither
    ///   has nor finds in `images`; `TravelError.forbidden` when `user` is not its author; `TravelError.outdated` when it
    ///   does not have the version `version`; `TravelError.conflict` when a new entry or image has the ID of one in
    ///   another travel; any error that `change` throws; `CancellationError`. Nothing changes then.
    @discardableResult
    public func update(
        _ id: Travel.ID, expecting version: TravelVersion?, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws -> RecordedTravel? {
        try Task.checkCancellation()
        var new = try NewImages(images)
        var travel = try stored(id)
        let recorded = travel.recorded
        guard recorded.author.id == user else { throw TravelError.forbidden(.travel(id)) }
        let current = try travel.recorded(authors: authors)
        try current.requireVersion(version)
        guard let changed = try change(current) else {
            remove(travel)
            changes.notify()
            return nil
        }
        let added = try new.take(for: changed, besides: recorded.images)
        try requireNew(added)
        let before = Set(recorded.timeline.map(\.id))
        var after: Set<TimelineEntry.ID> = []
        for entry in changed.timeline {
            let isFree = before.contains(entry.id) || !entries.contains(entry.id)
            guard isFree, after.insert(entry.id).inserted else { throw TravelError.conflict(.entry(entry.id)) }
        }
        try travel.replace(with: changed)
        travels[id] = travel
        index.replace(travel.number, with: changed.content)
        entries.subtract(before)
        entries.formUnion(after)
        for image in Set(recorded.images).subtracting(changed.images) { self.images[image] = nil }
        for image in added { self.images[image.id] = StoredImage(image: image, travel: id) }
        changes.notify()
        return try travel.recorded(authors: authors)
    }

    /// Removes a travel with its timeline, images, likes and reports.
    func remove(_ travel: StoredTravel) {
        let recorded = travel.recorded
        travels[recorded.id] = nil
        entries.subtract(recorded.timeline.lazy.map(\.id))
        for image in recorded.images { images[image] = nil }
        index.remove(travel.number, likes: travel.likeCount)
    }
}
