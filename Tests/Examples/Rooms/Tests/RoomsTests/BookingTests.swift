import ContractTesting
import Foundation
import RoomsContract
import RoomsDomain
import RoomsInMemory
import Testing

@Suite("Bookings", .timeLimit(.minutes(1)))
struct BookingTests {
    @Test("bookings in memory keep the contract", arguments: BookingContract.checks)
    func keepsContract(check: ContractCheck<any BookingRepository>) async throws {
        try await check.run { InMemoryBookingRepository() }
    }

    @Test(
        "a booking lasts as long as clocks need from one time to the other, also when they change meanwhile",
        arguments: [
            ("2026-06-01", "1:30", "3:30", 120.0), ("2026-06-01", "23:00", "1:00", 120),
            // In Berlin, 2:00 to 3:00 is missing in spring, and comes twice in autumn.
            ("2026-03-29", "1:30", "3:30", 60), ("2026-10-25", "1:30", "3:30", 180),
            ("2026-10-25", "2:15", "2:45", 30), ("2026-10-25", "2:45", "2:15", 30),
        ])
    func lasts(day: String, from: String, to: String, minutes: Double) async throws {
        let time = try await book(day, from, to).time
        #expect(time.upperBound == time.lowerBound + minutes * 60)
    }

    @Test(
        "a time that clocks skip, a text that is no time, and more than twelve hours are refused",
        arguments: [
            ("2:30", "4:00", BookingProblem.skippedTime), ("1:00", "2:30", .skippedTime), ("24:00", "3:00", .noTime),
            ("noon", "3:00", .noTime), ("6:00", "18:01", .tooLong), ("6:00", "6:00", .tooLong),
        ])
    func refuses(from: String, to: String, problem: BookingProblem) async {
        await #expect(throws: problem) { try await book("2026-03-29", from, to) }
    }

    @Test("a room has one booking at a time; the next may begin when it ends")
    func overlaps() async throws {
        let bookings = InMemoryBookingRepository()
        try await book("2026-06-01", "9:00", "10:00", in: bookings)
        await #expect(throws: BookingProblem.taken(by: "choir")) {
            try await book("2026-06-01", "9:59", "11:00", in: bookings)
        }
        try await book("2026-06-01", "10:00", "11:00", in: bookings)
        try await book("2026-06-01", "9:30", "10:30", room: .garden, in: bookings)
    }
}

nonisolated extension Calendar {
    static let berlin = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
        return calendar
    }()
}

/// Books a room for the choir by the clocks of Berlin, and returns what is stored.
@discardableResult
func book(
    _ day: String, _ from: String, _ to: String, room: Room = .attic, in bookings: InMemoryBookingRepository = .init()
) async throws -> Booking {
    let (day, id) = (try Date("\(day)T11:00:00Z", strategy: .iso8601), UUID())
    try await BookRoom(in: bookings, .berlin)(room, for: "choir", on: day, from: from, to: to, id: id)
    for try await all in bookings.watch(.distantPast ..< .distantFuture) {
        return try #require(all.first { $0.id == id })
    }
    throw CancellationError()
}
