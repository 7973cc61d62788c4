public import TravelDomain

extension InMemoryTravelRepository: TravelEditingRepository {
    /// Replaces a travel with the result of `change`, or removes it when the result is `nil`.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel, or when it would show an image that it neither
    ///   has nor finds in `images`; `TravelError.forbidden` when `user` is not its author; `TravelError.outdated` when
    ///   it does not have the version `version`; `TravelError.conflict` when a new entry or image has the ID of one in
    ///   another travel; any error that `change` throws; `CancellationError`. Nothing changes then.
    @discardableResult
    public func update(
        _ id: Travel.ID, expecting version: TravelVersion?, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws -> RecordedTravel? {
        try Task.checkCancellation()
        let stored = try stored(id)
        let current = try current(stored.recorded)
        guard current.author.id == user else { throw TravelError.forbidden(.travel(id)) }
        try current.requireVersion(version)
        guard let changed = try change(current) else {
            travels[id] = nil
            changes.notify()
            return nil
        }
        var new = try NewImages(images)
        let added = try new.take(for: changed, besides: current.images)
        try requireNew(added)
        var entries = entries(except: id)
        try Self.insert(changed.timeline, into: &entries)
        let revision = try changed.revision(of: current)
        travels[id]?.recorded = revision
        travels[id]?.images = (stored.images + added).filter { revision.images.contains($0.id) }
        changes.notify()
        return revision
    }
}
