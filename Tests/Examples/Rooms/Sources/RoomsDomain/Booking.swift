import Foundation

package nonisolated enum Room: String, CaseIterable { case attic, garden, library }

/// A room that is reserved for some time, without the last moment: another booking may begin then.
package nonisolated struct Booking: Identifiable, Equatable {
    package static let longest: TimeInterval = 12 * 3600

    package let id: UUID
    package let room: Room
    package let title: String
    package let time: Range<Date>

    package init(_ title: String, in room: Room, _ time: Range<Date>, id: UUID) throws(BookingProblem) {
        self.title = try Booking.title(title)
        if time.upperBound.timeIntervalSince(time.lowerBound) > Booking.longest { throw .tooLong }
        (self.id, self.room, self.time) = (id, room, time)
    }

    /// `text` without spaces at its ends, if something remains.
    package static func title(_ text: String) throws(BookingProblem) -> String {
        let title = text.trimmingCharacters(in: .whitespaces)
        if title.isEmpty { throw .emptyTitle }
        return title
    }

    /// Whether only one of the two can stand: a room has one booking at a time.
    package func conflicts(with other: Booking) -> Bool {
        id != other.id && room == other.room && time.overlaps(other.time)
    }
}

/// Why a room is not booked.
package enum BookingProblem: Error, Equatable {
    case emptyTitle, tooLong
    /// The text is no time of a clock.
    case noTime
    /// Clocks are put forward, and do not show the time on that day.
    case skippedTime
    /// Another booking, with this title, has the room.
    case taken(by: String)
    case storage(String)
}
