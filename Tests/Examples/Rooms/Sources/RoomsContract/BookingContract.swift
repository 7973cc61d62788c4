import ContractTesting
import Foundation
import RoomsDomain

/// What every implementation of `BookingRepository` promises. The tests of each store run it.
package nonisolated enum BookingContract {
    package static let checks: [ContractCheck<any BookingRepository>] = [
        ContractCheck("saving", "bookings are read as they were saved, by their beginning") { bookings in
            let saved = [try booking("late", 11, 12), try booking("early", 9, 10)]
            for booking in saved { try await bookings.save(booking) { _ in } }
            try await found(8, 13, in: bookings, equals: saved.reversed())
        },
        ContractCheck("saving", "saving again replaces the booking") { bookings in
            let choir = try booking("choir", 9, 10)
            let changed = try Booking("choirs", in: .garden, hours(10, 12), id: choir.id)
            for booking in [choir, changed] { try await bookings.save(booking) { _ in } }
            try await found(8, 13, in: bookings, equals: [changed])
        },
        ContractCheck("saving", "a deleted booking is gone, and deleting it again does nothing") { bookings in
            let choir = try booking("choir", 9, 10)
            try await bookings.save(choir) { _ in }
            for _ in 1...2 { try await bookings.delete(choir.id) }
            try await found(8, 13, in: bookings, equals: [])
        },
        ContractCheck("watching", "a time has the bookings that overlap it, not those that touch it") { bookings in
            let choir = try booking("choir", 9, 11)
            try await bookings.save(choir) { _ in }
            for (from, to) in [(8, 10), (10, 12), (8, 12)] { try await found(from, to, in: bookings, equals: [choir]) }
            for (from, to) in [(8, 9), (11, 12)] { try await found(from, to, in: bookings, equals: []) }
        },
        ContractCheck("watching", "an observer receives the bookings of now, and again after a change") { bookings in
            let choir = try booking("choir", 9, 11)
            try await watch(bookings.watch(hours(8, 13))) { values in
                try expect(await values.next(), equals: [], "the first value")
                try await bookings.save(choir) { _ in }
                try expect(await values.next(), equals: [choir], "the value after the change")
            }
        },
        ContractCheck("rule", "the rule receives what overlaps; if it throws, nothing is stored") { bookings in
            let choir = try booking("choir", 9, 11)
            for booking in [choir, try booking("chess", 11, 12)] { try await bookings.save(booking) { _ in } }
            let refused = BookingProblem.taken(by: "choir")
            try await expect(refused, from: "saving") {
                try await bookings.save(booking("cards", 10, 11)) { if $0 == [choir] { throw refused } }
            }
            try await found(8, 11, in: bookings, equals: [choir])
        },
        ContractCheck("rule", "of five people who book a room at once, one succeeds, on each of 200 days") { bookings in
            let book = BookRoom(in: bookings, .current)
            let booked = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<1000 {
                    let day = hours(0, number / 5 * 48).upperBound
                    group.addTask {
                        do {
                            try await book(.attic, for: "choir", on: day, from: "9:00", to: "10:00", id: UUID())
                            return 1
                        } catch is BookingProblem { return 0 }
                    }
                }
                return try await group.reduce(0, +)
            }
            try expect(booked, equals: 200, "the number of bookings")
        },
    ]

    private static func found(
        _ from: Int, _ to: Int, in bookings: any BookingRepository, equals expected: [Booking]
    ) async throws {
        try await watch(bookings.watch(hours(from, to))) { values in
            try expect(await values.next(), equals: expected, "the bookings from \(from) to \(to)")
        }
    }

    private static func booking(_ title: String, _ from: Int, _ to: Int) throws -> Booking {
        try Booking(title, in: .attic, hours(from, to), id: UUID())
    }

    private static func hours(_ from: Int, _ to: Int) -> Range<Date> {
        let first = Date(timeIntervalSinceReferenceDate: 0)
        return first + TimeInterval(from * 3600)..<first + TimeInterval(to * 3600)
    }
}
