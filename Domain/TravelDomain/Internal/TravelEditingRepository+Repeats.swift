extension TravelEditingRepository {
    /// Changes a travel, and returns it as it is stored now.
    ///
    /// If the travel has another version than the expected one, but already has the content that the person wants,
    /// returns it: the call repeats an edit whose answer was lost.
    ///
    /// - Throws: The errors of ``update(_:expecting:by:adding:_:)``.
    func edit(
        _ id: Travel.ID, expecting version: TravelVersion?, by user: User.ID, adding image: TravelImage? = nil,
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel,
        isDone: (RecordedTravel) -> Bool
    ) async throws -> RecordedTravel {
        do {
            let changed = try await update(id, expecting: version, by: user, adding: image.map { [$0] } ?? []) {
                travel throws(TravelError) in
                try travel.requireAuthor(user)
                return try change(travel)
            }
            guard let changed else { throw TravelError.notFound(.travel(id)) }
            return changed
        } catch TravelError.outdated(let travel) where isDone(travel) {
            return travel
        }
    }
}
