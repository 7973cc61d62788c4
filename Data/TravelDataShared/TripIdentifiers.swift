package import TravelDomain

/// Finds trips by the first characters of their IDs, and what belongs to a trip besides its content; regardless of
/// visibility.
package protocol TripIdentifiers: Sendable {
    /// The IDs of trips in a range, in order, at most `limit`.
    func tripIDs(in range: ClosedRange<Trip.ID>, limit: Int) async throws -> [Trip.ID]

    /// For each of the IDs, the ones before and after it in the order of all trips. They determine how many leading
    /// characters identify a trip.
    func neighbors(of ids: [Trip.ID]) async throws -> [Trip.ID: [Trip.ID]]

    /// The people who like a trip, and those who have reported it, in the order of their IDs.
    func users(of id: Trip.ID) async throws -> (likedBy: [User.ID], reportedBy: [User.ID])
}
