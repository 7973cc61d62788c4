import Foundation

/// Books a room between two times of a clock, if no other booking of the room overlaps.
package nonisolated struct BookRoom {
    private let bookings: any BookingRepository
    private let calendar: Calendar

    package init(in bookings: any BookingRepository, _ calendar: Calendar) {
        (self.bookings, self.calendar) = (bookings, calendar)
    }

    /// From the first moment of the day at which clocks show the one time, to the next at which they show the other, which
    /// may be on the next day.
    ///
    /// - Throws: ``BookingProblem``; the errors of the repository.
    package func callAsFunction(
        _ room: Room, for title: String, on day: Date, from: String, to: String, id: Booking.ID
    ) async throws {
        let (from, to) = (try ClockTime(from), try ClockTime(to))
        let start = try from.next(after: calendar.day(of: day).lowerBound - 1, calendar)
        let booking = try Booking(title, in: room, start..<to.next(after: start, calendar), id: id)
        try await bookings.save(booking) { others in
            if let other = others.first(where: booking.conflicts) { throw BookingProblem.taken(by: other.title) }
        }
    }
}
