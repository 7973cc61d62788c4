import Foundation

/// Stores bookings. `BookingContract` states what each implementation promises.
package nonisolated protocol BookingRepository: Sendable {
    /// The bookings of all rooms that overlap `time`, by their beginning: those of now, and again after changes.
    func watch(_ time: Range<Date>) -> any AsyncSequence<[Booking], any Error> & Sendable

    /// Stores a booking, in place of an earlier one with the same id, unless `rule` throws.
    ///
    /// No booking is stored between the rule and this one: of two people who book a room at once, one is refused.
    ///
    /// - Parameter rule: Receives the bookings of all rooms that overlap the new one. It calls nothing of the repository.
    func save(_ booking: Booking, rule: @escaping @Sendable ([Booking]) throws -> Void) async throws

    /// Does nothing if there is no such booking.
    func delete(_ id: Booking.ID) async throws
}
