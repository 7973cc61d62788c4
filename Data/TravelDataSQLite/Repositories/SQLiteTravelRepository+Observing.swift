internal import SQLiteStore
public import TravelDomain

extension SQLiteTravelRepository: TravelObservingRepository {
    /// One page of a search, whenever a commit, of another process too, changes it.
    public func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable {
        TravelObservation(base: database.observe { db in try page(of: query, db) })
    }

    /// One travel, whenever a commit changes it.
    public func observeTravel(
        _ id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<Travel, any Error> & Sendable {
        TravelObservation(base: database.observe { db in try travel(id, viewer: viewer, db) })
    }

    /// The timeline of a travel, whenever a commit changes it.
    public func observeTimeline(
        of id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        TravelObservation(base: database.observe { db in try timeline(of: id, viewer: viewer, db) })
    }

    /// One day of a timeline, whenever a commit changes it.
    public func observeTimeline(
        of id: Travel.ID, day: Int, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        TravelObservation(base: database.observe { db in try timeline(of: id, day: day, viewer: viewer, db) })
    }
}

/// An observation whose database errors are the domain's.
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
