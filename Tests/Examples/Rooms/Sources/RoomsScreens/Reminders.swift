import Foundation
import RoomsDomain
import ViewModels

/// Reminds of each booking ten minutes before it begins, also when clocks change meanwhile. A booking that is made later
/// than that has no reminder.
package struct Reminders: ViewModel {
    package struct Output { package let due: Signal<Booking> }

    private let bookings: any BookingRepository
    @Dependency(\.mainScheduler) private var scheduler

    package init(_ bookings: any BookingRepository) { self.bookings = bookings }

    package func transform(_: Void) -> Output {
        let due = Observable<Booking>.deferred { [bookings, scheduler] in
            bookings.watch(scheduler.now..<Date.distantFuture).asObservable().flatMapLatest { bookings in
                // A change ends the timers: those of the bookings as they are now follow.
                Observable.merge(
                    bookings.map { booking in
                        let delay = booking.time.lowerBound.timeIntervalSince(scheduler.now) - 600
                        guard delay > 0 else { return .empty() }
                        return Observable<Int>.timer(.milliseconds(Int(delay * 1000)), scheduler: scheduler)
                            .map { _ in booking }
                    })
            }
        }
        // A store that cannot be read is read again after a minute.
        .retry(when: { [scheduler] (errors: Observable<any Error>) in
            errors.flatMap { _ in Observable<Int>.timer(.seconds(60), scheduler: scheduler) }
        })
        return Output(due: due.asSignal(onErrorSignalWith: .empty()))
    }
}
