import Foundation
internal import TravelDomain
internal import TravelJSON

extension RemoteTravelStore: TripObservingRepository {
    public func observe(_ query: TripQuery) -> any AsyncSequence<TripPage, any Error> & Sendable {
        observe(ServerRequest(.trips, query: query.text), viewer: query.viewer) { data throws(TravelError) in
            try ServerConnection.value(PageRecord.self, in: data).page
        }
    }

    public func observeTrip(_ id: Trip.ID, viewer: User.ID?) -> any AsyncSequence<Trip, any Error> & Sendable {
        observe(lookup(.summary, id), viewer: viewer) { data throws(TravelError) in
            try ServerConnection.value(ViewedTripRecord.self, in: data).trip
        }
    }

    public func observeTimeline(
        of id: Trip.ID, day: Int?, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        let query = day.map { Self.days.contains($0) ? "day=\($0)" : "" } ?? ""
        return observe(lookup(.timeline, id, query: query), viewer: viewer) { data throws(TravelError) in
            try Self.timeline(in: data).filter { day == nil || $0.day == day }
        }
    }

    /// The days of which a server observes one.
    private static let days = 1...1_000_000

    private static func timeline(in data: Data) throws(TravelError) -> [TimelineEntry] {
        try ServerConnection.value([EntryRecord].self, in: data).map(\.entry)
    }

    private func observe<Value: Equatable & Sendable>(
        _ request: ServerRequest, viewer: User.ID?, _ value: @escaping @Sendable (Data) throws(TravelError) -> Value
    ) -> any AsyncSequence<Value, any Error> & Sendable {
        let request = request.with { $0.headers["Accept"] = InterfaceHeader.eventStream }
        return DeferredSequence<Data, Value>(
            make: {
                if let viewer { try await require(viewer) }
                return ServerValues(session: session, request: request, needsToken: viewer != nil)
            },
            complete: { data, _ in try value(data) })
    }
}

/// The values that a server sends for one request, each as JSON, over as many connections as necessary.
///
/// Once the server has accepted the request, a lost connection is opened again until the task is cancelled. The server is
/// told the last value that has arrived, and sends the current one if it is another.
private struct ServerValues: AsyncSequence, Sendable {
    let session: RemoteSession
    let request: ServerRequest
    let needsToken: Bool

    func makeAsyncIterator() -> Iterator { Iterator(values: self) }

    struct Iterator: AsyncIteratorProtocol {
        let values: ServerValues
        private var parts: AsyncThrowingStream<StreamPart, any Error>.AsyncIterator?
        private var token: Token?
        private var lastID = ""
        private var failures = 0
        private var hasBeenOpen = false
        /// Whether the token is new, and has not been accepted yet.
        private var hasRenewed = false

        /// The number of attempts before the first one that the server accepts.
        private static let attempts = 3

        init(values: ServerValues) { self.values = values }

        mutating func next() async throws -> Data? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            while true {
                do {
                    if let value = try await nextPart(isolation: actor) { return value }
                } catch {
                    try Task.checkCancellation()
                    parts = nil
                    try await recover(from: error as? ServerConnection.Failure ?? ServerConnection.failure(error))
                }
            }
        }

        /// Opens a connection if there is none, and returns the value in the next part of the answer, if it has one.
        private mutating func nextPart(isolation actor: isolated (any Actor)?) async throws -> Data? {
            if parts == nil { try await open() }
            guard let part = try await parts?.next(isolation: actor) else {
                throw ServerConnection.Failure(error: .unreachable, isTransient: true)
            }
            switch part {
            case .opened(let headers):
                try ServerConnection.check(headers, status: 200)
                accept()
            case .event(let event, let headers):
                try ServerConnection.check(headers, status: 200)
                accept()
                switch event.type {
                case "value":
                    lastID = event.id
                    return event.data
                case "problem": throw try failure(of: event)
                // A later version may send others.
                default: break
                }
            case .answer(let answer):
                try ServerConnection.check(answer)
                throw ServerConnection.Failure(error: .unreadable)
            }
            return nil
        }

        private mutating func open() async throws {
            var request = values.request
            if values.needsToken {
                do {
                    token = try await values.session.accessToken()
                } catch let error as TravelError {
                    throw ServerConnection.Failure(error: error)
                }
                request.token = token
            }
            if !lastID.isEmpty { request.headers["Last-Event-ID"] = lastID }
            do {
                parts = try values.session.connection.events(of: request).makeAsyncIterator()
            } catch {
                throw ServerConnection.Failure(error: error)
            }
        }

        private mutating func accept() {
            (failures, hasBeenOpen, hasRenewed) = (0, true, false)
        }

        private func failure(of event: ServerEvent) throws -> ServerConnection.Failure {
            let problem = try ServerConnection.value(Problem.self, in: event.data)
            guard case .unavailable(let outage) = problem.error else { return .init(error: problem.error) }
            return .init(error: problem.error, isTransient: outage.canRetry)
        }

        /// Prepares another attempt.
        ///
        /// - Throws: The error when another attempt cannot help; `CancellationError`.
        private mutating func recover(from failure: ServerConnection.Failure) async throws {
            if failure.error == .signedOut, let token, !hasRenewed {
                _ = try await values.session.renewed(after: token)
                hasRenewed = true
                return
            }
            failures += 1
            guard failure.isTransient, hasBeenOpen || failures < Self.attempts else { throw failure.error }
            try await values.session.connection.pauses.sleep(after: failures, atLeast: failure.wait)
        }
    }
}
