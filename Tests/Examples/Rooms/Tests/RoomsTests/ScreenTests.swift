import Foundation
import RoomsDomain
import RoomsInMemory
import RoomsScreens
import Testing
import ViewModelsTesting

@Suite("The screens of bookings", .nothingSurvives, .timeLimit(.minutes(1)))
struct ScreenTests {
    let bookings = InMemoryBookingRepository()

    @Test("the calendar shows the bookings of the next day, which has 23 hours when clocks are put forward")
    func days() async throws {
        let choir = try await book("2026-03-29", "22:00", "23:30", in: bookings)
        let flow = withDependencies {
            $0.calendar = .berlin
            $0.date = .constant(choir.time.lowerBound - 86_400)
        } operation: {
            DayCalendar(bookings)
        }
        let tester = FlowTester(flow)
        tester.send(.appeared, starts: .watch(tester.state.day))
        tester.receive(.arrived([])) { $0.bookings = [] }

        let saturday = tester.state.day
        let sunday = saturday.upperBound..<saturday.upperBound + 23 * 3600
        tester.send(.nextTapped, starts: .watch(sunday)) { ($0.day, $0.bookings) = (sunday, nil) }
        tester.receive(.arrived([choir])) { $0.bookings = [choir] }
        tester.send(.deleteTapped(choir.id), starts: .delete(choir.id))
        tester.receive(.arrived([])) { $0.bookings = [] }
        tester.send(.previousTapped, starts: .watch(saturday)) { ($0.day, $0.bookings) = (saturday, nil) }
        tester.receive(.arrived([])) { $0.bookings = [] }
        tester.dismiss()
    }

    @Test("the form shows the problem of a field, then that the room is taken, and then books another time")
    func form() async throws {
        let choir = try await book("2026-06-01", "9:00", "10:00", in: bookings)
        let scheduler = TestScheduler()
        let from = scheduler.createHotObservable([.next(210, "9:30"), .next(600, "10:00")])
        let to = scheduler.createHotObservable([.next(210, "noon"), .next(400, "11:00")])
        let taps = scheduler.createHotObservable([.next(300, ()), .next(500, ()), .next(700, ())])
        let shown = withDependencies {
            $0.useVirtualTime(of: scheduler)
            $0.uuid = .incrementing
        } operation: {
            scheduler.start { [bookings] in
                let form = BookingForm(.attic, on: choir.time.lowerBound, BookRoom(in: bookings, .berlin))
                let output = form.transform(
                    (
                        title: .just("chess"), from: from.asObservable(), to: to.asObservable(),
                        bookTapped: taps.asObservable()
                    ))
                return Observable.merge(
                    output.toProblem.asObservable().compactMap { $0.map { "\($0)" } },
                    output.failure.asObservable().map { "\($0)" }, output.booked.asObservable().map { "booked" })
            }
        }
        #expect(shown.events.map(\.value) == [.next("noTime"), .next(#"taken(by: "choir")"#), .next("booked")])
    }

    @Test("a reminder comes ten minutes before, in the hour that comes twice, too, and once after a change")
    func reminders() throws {
        let midnight = try Date("2026-10-25T00:00:00Z", strategy: .iso8601)
        func booking(_ title: String, at minute: Double, id: UUID = UUID()) throws -> Booking {
            try Booking(title, in: .attic, midnight + minute * 60..<midnight + minute * 60 + 60, id: id)
        }
        let start = Int(midnight.timeIntervalSince1970 / 60)
        let scheduler = TestScheduler(initialClock: start, resolution: 60)  // a tick is a minute
        // In Berlin, it is 2:00 at minute 0, and again at minute 60.
        let (choir, chess) = (try booking("choir", at: 65), try booking("chess", at: 120))
        let moved = try booking("chess", at: 180, id: chess.id)
        func save(_ changed: Booking...) throws {
            try scheduler.run { [bookings] in
                for booking in changed { try await bookings.save(booking) { _ in } }
            }
        }
        let due = scheduler.createObserver(Booking.self)
        let subscription = withDependencies {
            $0.useVirtualTime(of: scheduler)
        } operation: {
            scheduler.perform { Reminders(bookings).transform().due.asObservable().subscribe(due) }
        }
        try save(choir, chess)
        scheduler.advance(to: start + 60)
        try save(moved)
        scheduler.advance(to: start + 300)
        subscription.dispose()
        #expect(due.events == [.next(start + 55, choir), .next(start + 170, moved)])
        scheduler.run()
        scheduler.expectIdle()
    }
}
