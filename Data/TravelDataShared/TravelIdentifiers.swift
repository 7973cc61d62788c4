package import TravelDomain

/// Finds trips by the first characters of their IDs, and what belongs to a trip besides its content; regardless of
/// visibility.
package protocol TravelIdentifiers: Sendable {
    /// The IDs of trips in a range, in order, at most `limit`.
    func travelIDs(in range: ClosedRange<Travel.ID>, limit: Int) async throws -> [Travel.ID]

    /// For each of the IDs, the ones before and after it in the order of all trips. They determine how many leading
    /// characters identify a trip.
    func neighbors(of ids: [Travel.ID]) async throws -> [Travel.ID: [Travel.ID]]

    /// The people who like a trip, and those who have reported it, in the order of their IDs.
    func people(of id: Travel.ID) async throws -> (likedBy: [User.ID], reportedBy: [User.ID])
}
