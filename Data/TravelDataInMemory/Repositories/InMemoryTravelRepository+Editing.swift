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
        let others = entries.subtracting(recorded.timeline.lazy.map(\.id))
        guard let changed = try change(recorded) else {
            travels[id] = nil
            entries = others
            newest.remove(id, at: recorded.createdAt)
            mostLiked.remove(id, at: travel.likers.count)
            return
        }
        var all = others
        for entry in changed.timeline {
            guard all.insert(entry.id).inserted else { throw TravelError.conflict(.entry(entry.id)) }
        }
        try travel.replace(with: changed)
        travels[id] = travel
        entries = all
    }
}
