import Foundation
import RoomsDomain
import ViewModels

/// The form of a new booking: three fields and a button, which do not depend on each other.
package struct BookingForm: ViewModel {
    package typealias Input = (
        title: Observable<String>, from: Observable<String>, to: Observable<String>, bookTapped: Observable<Void>
    )

    package struct Output {
        /// The problems to show beside the fields.
        package let titleProblem, fromProblem, toProblem: Driver<BookingProblem?>
        package let canBook: Driver<Bool>
        package let booked: Signal<Void>
        /// Why texts that are valid did not lead to a booking.
        package let failure: Signal<BookingProblem>
    }

    private let room: Room, day: Date, book: BookRoom
    @Dependency(\.uuid) private var uuid

    package init(_ room: Room, on day: Date, _ book: BookRoom) { (self.room, self.day, self.book) = (room, day, book) }

    package func transform(_ input: Input) -> Output {
        let title = FormField<String, BookingProblem>(ValidationRule(trying: Booking.title))
        let time = FormField<String, BookingProblem>(ValidationRule(trying: ClockTime.init))
        let form = FormFields(
            submitted: input.bookTapped,
            title.filled(by: input.title), time.filled(by: input.from), time.filled(by: input.to))
        // The error of a store becomes a value where the work is; outside, it would end the form.
        let outcomes = form.submissions.flatMapFirst { [room, day, book, uuid] title, from, to in
            Observable.task { try await book(room, for: title, on: day, from: from, to: to, id: uuid()) }.materialize()
        }.share()
        return Output(
            titleProblem: form.fields.0.problem, fromProblem: form.fields.1.problem, toProblem: form.fields.2.problem,
            canBook: form.canSubmit, booked: outcomes.elements().asSignal(),
            failure: outcomes.errors().map { $0 as? BookingProblem ?? .storage("\($0)") }.asSignal())
    }
}
