import Foundation
import RoomsDomain
import RoomsSQLite
import RoomsScreens
import SQLiteStore
import ViewModels

/// The composition root: `rooms-terminal FILE` opens the database, and runs the screens until the input ends.
@main @MainActor
struct RoomsApp {
    static func main() async throws {
        let location = CommandLine.arguments.dropFirst().first.map { Database.Location.file($0) } ?? .inMemory
        let database = try await Database.open(location, migrations: SQLiteBookingRepository.migrations)
        // The terminal watches the bookings until the end of the block, before the database closes.
        do {
            let terminal = Terminal(SQLiteBookingRepository(database))
            let reading = SerialDispatchQueueScheduler(qos: .userInitiated)
            print("n and p show the next and the previous day, -1 deletes; attic 9:30 11:00 Choir books a room.")
            for try await line in Observable.from(Lines(), scheduler: reading).values { terminal.receive(line) }
        }
        await database.close()
    }
}

/// The lines of standard input. Reading one blocks its thread, so they are read on a queue of their own.
nonisolated struct Lines: Sequence, IteratorProtocol { func next() -> String? { readLine() } }

/// The edge: the only place where streams are subscribed.
@MainActor
final class Terminal {
    private let bookings: any BookingRepository, calendar: DayCalendar.Store, bag = DisposeBag()

    init(_ bookings: any BookingRepository) {
        self.bookings = bookings
        calendar = DayCalendar.Store(DayCalendar(bookings))
        calendar.state.drive(with: self) { $0.show($1) }.disposed(by: bag)
        let due = Reminders(bookings).transform().due
        due.emit(onNext: { print("\($0.title) begins in ten minutes: \($0.room)") }).disposed(by: bag)
        calendar.send(.appeared)
    }

    func receive(_ line: String) {
        let shown = calendar.currentState.bookings ?? []
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        switch (line, Int(line), words.first.flatMap(Room.init)) {
        case ("n", _, _): calendar.send(.nextTapped)
        case ("p", _, _): calendar.send(.previousTapped)
        case (_, let number?, _) where shown.indices.contains(~number):
            calendar.send(.deleteTapped(shown[~number].id))
        case (_, _, let room?) where words.count == 4: book(room, words[3], words[1], words[2])
        default: print("rooms: \(Room.allCases.map(\.rawValue))")
        }
    }

    private func book(_ room: Room, _ title: String, _ from: String, _ to: String) {
        let bookTapped = PublishSubject<Void>()
        let form = BookingForm(room, on: calendar.currentState.day.lowerBound, BookRoom(in: bookings, .current))
        let output = form.transform(
            (title: .just(title), from: .just(from), to: .just(to), bookTapped: bookTapped.asObservable()))
        for problem in [output.titleProblem, output.fromProblem, output.toProblem] {
            problem.drive(onNext: { if let problem = $0 { print("not booked: \(problem)") } }).disposed(by: bag)
        }
        output.failure.emit(onNext: { print("not booked: \($0)") }).disposed(by: bag)
        bookTapped.onNext(())
    }

    private func show(_ state: DayCalendar.State) {
        if let problem = state.problem { print("problem: \(problem)") }
        guard let bookings = state.bookings else { return }
        print(state.day.lowerBound.formatted(.dateTime.weekday().day().month()))
        for (number, booking) in zip(1..., bookings) {
            // With the time zone, by which the two hours of a night that repeats one differ.
            let times = [booking.time.lowerBound, booking.time.upperBound].map {
                $0.formatted(.dateTime.hour().minute().timeZone())
            }
            print("\(number) \(booking.room), \(times[0]) to \(times[1]): \(booking.title)")
        }
    }
}
