#if PostgreSQL
    internal import PostgreSQLStore
    public import TravelDomain

    extension PostgreSQLTravelRepository: TravelObservingRepository {
        /// Observes the page of a query; each change by any process that concerns it is a new page.
        public func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable {
            TravelObservation(base: database.observe([travelTopic]) { db in try page(of: query, db) })
        }

        /// Observes a travel as the viewer sees it.
        public func observeTravel(
            _ id: Travel.ID, viewer: User.ID?
        ) -> any AsyncSequence<Travel, any Error> & Sendable {
            TravelObservation(base: database.observe([travelTopic]) { db in try travel(id, viewer: viewer, db) })
        }

        /// Observes the entries of a travel.
        public func observeTimeline(
            of id: Travel.ID, viewer: User.ID?
        ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
            TravelObservation(base: database.observe([travelTopic]) { db in try timeline(of: id, viewer: viewer, db) })
        }

        /// Observes the entries of one day of a travel.
        public func observeTimeline(
            of id: Travel.ID, day: Int, viewer: User.ID?
        ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
            TravelObservation(
                base: database.observe([travelTopic]) { db in try timeline(of: id, day: day, viewer: viewer, db) })
        }
    }

    /// An observation whose errors are those of the domain.
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
                } catch let error as PostgreSQLError {
                    throw TravelError.unavailable(error.outage)
                }
            }
        }
    }
#endif
