public import TravelDomain

extension InMemoryTravelRepository: TravelEditingRepository {
    /// Replaces a trip by what `change` makes of it, or removes it.
    public func update(
        _ id: Travel.ID, by user: User.ID,
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws {
        try Task.checkCancellation()
        var travel = try stored(id)
        let recorded = travel.recorded
        guard recorded.author.id == user else { throw TravelError.forbidden(.travel(id)) }
        guard let changed = try change(recorded) else {
            remove(travel)
            return changes.send()
        }
        var all = entries.subtracting(recorded.timeline.lazy.map(\.id))
        for entry in changed.timeline {
            guard all.insert(entry.id).inserted else { throw TravelError.conflict(.entry(entry.id)) }
        }
        try travel.replace(with: changed)
        travels[id] = travel
        entries = all
        changes.send()
    }

    /// Removes a travel with its timeline, likes and reports.
    func remove(_ travel: StoredTravel) {
        let recorded = travel.recorded
        travels[recorded.id] = nil
        entries.subtract(recorded.timeline.lazy.map(\.id))
        newest.remove(recorded.id, at: recorded.createdAt)
        mostLiked.remove(recorded.id, at: travel.likers.count)
    }
}
