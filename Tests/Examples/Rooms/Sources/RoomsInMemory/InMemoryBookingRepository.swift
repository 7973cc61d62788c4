import Foundation
import RoomsDomain
import Synchronization

/// Bookings that live as long as this object: for tests and previews.
package final class InMemoryBookingRepository: BookingRepository {
    private struct State {
        /// Sent under the lock, so that observers receive the changes in their order; `yield` only stores the value.
        var bookings: [Booking] { didSet { for send in observers.values { send(bookings) } } }
        var observers: [UUID: @Sendable ([Booking]) -> Void] = [:]
    }

    private let state: Mutex<State>

    package init(_ bookings: [Booking] = []) { state = Mutex(State(bookings: bookings)) }

    package func watch(_ time: Range<Date>) -> any AsyncSequence<[Booking], any Error> & Sendable {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let observer = UUID()
            let send = { @Sendable (bookings: [Booking]) in _ = continuation.yield(bookings.during(time)) }
            state.withLock { state in
                state.observers[observer] = send
                send(state.bookings)
            }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.observers.removeValue(forKey: observer) }
            }
        }
    }

    package func save(_ booking: Booking, rule: @escaping @Sendable ([Booking]) throws -> Void) async throws {
        try state.withLock { state in
            try rule(state.bookings.during(booking.time))
            state.bookings = state.bookings.filter { $0.id != booking.id } + [booking]
        }
    }

    package func delete(_ id: Booking.ID) async throws { state.withLock { $0.bookings.removeAll { $0.id == id } } }
}

nonisolated extension [Booking] {
    fileprivate func during(_ time: Range<Date>) -> [Booking] {
        filter { $0.time.overlaps(time) }
            .sorted { ($0.time.lowerBound, $0.room.rawValue) < ($1.time.lowerBound, $1.room.rawValue) }
    }
}
