internal import SQLiteStore
public import TravelDomain

extension SQLiteTravelRepository: TravelObservingRepository {
    /// Observes one page of a search, across commits of all processes. The sequence throws the errors of
    /// ``search(_:)``.
    public func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable {
        TravelObservation(base: database.observe { db in try page(of: query, db) })
    }

    /// Observes one travel, across commits of all processes. The sequence throws the errors of ``travel(_:viewer:)``.
    public func observeTravel(
        _ id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<Travel, any Error> & Sendable {
        TravelObservation(base: database.observe { db in try travel(id, viewer: viewer, db) })
    }

    /// Observes the timeline of a travel, across commits of all processes. The sequence throws the errors of
    /// ``timeline(of:viewer:)``.
    public func observeTimeline(
        of id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        TravelObservation(base: database.observe { db in try timeline(of: id, viewer: viewer, db) })
    }

    /// Observes one day of a timeline, across commits of all processes. The sequence throws the errors of
    /// ``timeline(of:viewer:)``.
    public func observeTimeline(
        of id: Travel.ID, day: Int, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        TravelObservation(base: database.observe { db in try timeline(of: id, day: day, viewer: viewer, db) })
    }
}

/// A database observation whose errors are converted to errors of the domain.
struct TravelObservation<Value: Sendable>: AsyncSequence, Sendable {
    typealias Element = Value
    typealias Failure = any Error

    let base: DatabaseObservation<Value>

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: DatabaseObservation<Value>.Iterator

        mutating func next() async throws -> Value? {
            do {
                return try await base.next()
            } catch let error as SQLiteError {
                throw TravelError.unavailable(error.outage)
            }
        }
    }
}
