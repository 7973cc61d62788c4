import Foundation
import RoomsDomain
import ViewModels

/// The bookings of one day, whose watch ends when another day is shown, so that it is a flow.
package struct DayCalendar: Flow {
    package struct State: Equatable {
        package var day: Range<Date>
        /// `nil` until they are known.
        package var bookings: [Booking]?
        package var problem: String?
    }

    package enum Action: Equatable {
        case appeared, previousTapped, nextTapped, deleteTapped(Booking.ID), arrived([Booking]), failed(String)
    }

    package enum SideEffect: Equatable { case watch(Range<Date>), delete(Booking.ID) }

    private let bookings: any BookingRepository
    @Dependency(\.calendar) private var calendar
    @Dependency(\.date) private var date

    package init(_ bookings: any BookingRepository) { self.bookings = bookings }

    package var initialState: State { State(day: calendar.day(of: date.now)) }

    package func reduce(_ state: inout State, _ action: Action) -> Next<SideEffect, Never> {
        switch action {
        case .appeared: return .latest(.watch(state.day))
        case .previousTapped: return show(calendar.day(of: state.day.lowerBound - 1), in: &state)
        case .nextTapped: return show(calendar.day(of: state.day.upperBound), in: &state)
        case .deleteTapped(let id): return .run(.delete(id))
        case .arrived(let bookings): (state.bookings, state.problem) = (bookings, nil)
        case .failed(let problem): state.problem = problem
        }
        return .none
    }

    private func show(_ day: Range<Date>, in state: inout State) -> Next<SideEffect, Never> {
        state = State(day: day)
        return .latest(.watch(day))
    }

    package func perform(_ sideEffect: SideEffect) -> Observable<Action> {
        let actions: Observable<Action> =
            switch sideEffect {
            case .watch(let day): bookings.watch(day).asObservable().map { .arrived($0) }
            case .delete(let id): Observable.task { [bookings] in try await bookings.delete(id) }.compactMap { nil }
            }
        return actions.catch { .just(.failed("\($0)")) }
    }
}
