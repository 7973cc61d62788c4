import Foundation
import RoomsDomain
import SQLiteStore

/// Bookings in a SQLite database.
package struct SQLiteBookingRepository: BookingRepository {
    package static let migrations = [
        Migration(
            "bookings",
            script: """
                CREATE TABLE bookings (
                    id TEXT PRIMARY KEY, room TEXT NOT NULL, title TEXT NOT NULL, start TEXT NOT NULL, stop TEXT NOT NULL,
                    CHECK (start <= stop)
                ) STRICT;
                CREATE INDEX bookings_by_stop ON bookings (stop);
                """)
    ]

    private let database: Database

    /// - Parameter database: A database that was opened with ``migrations``.
    package init(_ database: Database) { self.database = database }

    package func watch(_ time: Range<Date>) -> any AsyncSequence<[Booking], any Error> & Sendable {
        database.observe { db in try Self.bookings(during: time, db) }
    }

    /// The rule and the write are one transaction.
    package func save(_ booking: Booking, rule: @escaping @Sendable ([Booking]) throws -> Void) async throws {
        try await database.write { db in
            try rule(Self.bookings(during: booking.time, db))
            try db.upsert(BookingRecord(booking))
        }
    }

    package func delete(_ id: Booking.ID) async throws {
        try await database.write { db in _ = try db.delete(BookingRecord.self, key: id) }
    }

    private static func bookings(during time: Range<Date>, _ db: Connection) throws -> [Booking] {
        let (start, stop) = (time.lowerBound, time.upperBound)
        return try db.fetchAll(
            decoding: BookingRecord.self,
            "SELECT * FROM bookings WHERE start < \(stop) AND stop > \(start) ORDER BY start, room"
        ).map { try $0.booking }
    }
}

/// A row of the table, whose columns are the properties.
private struct BookingRecord: Record, Codable {
    static let table = "bookings"

    let id: UUID, room, title: String, start, stop: Date

    init(_ booking: Booking) {
        (id, room, title) = (booking.id, booking.room.rawValue, booking.title)
        (start, stop) = (booking.time.lowerBound, booking.time.upperBound)
    }

    var booking: Booking {
        get throws {
            guard let room = Room(rawValue: room) else { throw BookingProblem.storage("there is no room \(room)") }
            return try Booking(title, in: room, start..<stop, id: id)
        }
    }
}
