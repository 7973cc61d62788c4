import StreamsTesting
import Synchronization
import TravelDomainTesting
import TravelPresentation

/// The world around a timeline: a travel of three days by Jun, seen by the person who is signed in, in a store whose
/// answers take 100 ms each.
final class TimelineWorld: Sendable {
    let scheduler = TestScheduler(resolution: 0.001)
    let person: BehaviorRelay<User?>
    let id = Travel.ID(seed: 1)
    private let state: Mutex<State>
    private let changes = PublishSubject<Result<TravelDetails, TravelError>>()

    private struct State {
        var travel: Travel
        var timeline: [TimelineEntry]
        var isReported = false
        var failures: [String: TravelError] = [:]
        var calls: [String] = []
        var cancelled: [String] = []
    }

    init(viewer: User? = Person.mina) {
        person = BehaviorRelay(value: viewer)
        let entries: [TimelineEntry] = [
            .sample(1, day: 1, hour: 9, place: true), .sample(2, day: 1, hour: 11),
            .sample(3, day: 1, hour: 15, place: true), .sample(4, day: 3, hour: 8),
        ]
        state = Mutex(State(travel: .sample(1, likes: 3, days: 3, viewer: viewer), timeline: entries))
    }

    var calls: [String] { state.withLock { $0.calls } }
    var cancelled: [String] { state.withLock { $0.cancelled } }

    func fail(_ call: String, with error: TravelError? = .busy) { state.withLock { $0.failures[call] = error } }

    /// Changes the travel elsewhere and notifies its observers.
    func change(_ body: (inout Travel, inout [TimelineEntry]) -> Void) {
        let details = state.withLock { state in
            body(&state.travel, &state.timeline)
            return TravelDetails(travel: state.travel, timeline: state.timeline)
        }
        tell(.success(details))
    }

    /// Tells who follows the travel that it is gone, or another failure.
    func tell(_ result: Result<TravelDetails, TravelError>) {
        scheduler.perform { changes.onNext(result) }
    }

    var useCases: TimelineFlow.UseCases {
        .init(
            show: { [self] _ in
                Observable.task { [self] in
                    try await call("show") { TravelDetails(travel: $0.travel, timeline: $0.timeline) }
                }.concat(changes.map { try $0.get() })
            },
            setLiked: { [self] isLiked, _ in try await call(isLiked ? "like" : "unlike") { _ in } },
            report: { [self] _ in
                try await call("report") { state in
                    defer { state.isReported = true }
                    return !state.isReported
                }
            },
            block: { [self] _ in try await call("block") { _ in } },
            deleteTravel: { [self] id in
                try await call("delete") { _ in }
                tell(.failure(.notFound(.travel(id))))
            },
            deleteEntry: { [self] entry, _ in
                try await call("delete entry") { _ in }
                change { _, timeline in timeline.removeAll { $0.id == entry } }
            })
    }

    private func call<Value>(_ name: String, _ body: (inout State) throws -> Value) async throws -> Value {
        state.withLock { $0.calls.append(name) }
        do {
            try await scheduler.virtualClock.sleep(for: .milliseconds(100))
        } catch {
            state.withLock { $0.cancelled.append(name) }
            throw error
        }
        return try state.withLock { state in
            if let failure = state.failures[name] { throw failure }
            return try body(&state)
        }
    }
}

extension TimelineEntry {
    /// The entry of a number.
    static func sample(
        _ number: UInt64, day: Int = 1, hour: Int = 9, text: String = "Text", place: Bool = false
    ) -> TimelineEntry {
        do {
            return try TimelineEntry(
                id: .init(seed: number), day: day, time: TimeOfDay(hour: hour), title: Title("Entry \(number)"),
                text: EntryText(text),
                place: place
                    ? Place(name: "Place \(number)", coordinate: Coordinate(latitude: 35, longitude: 129)) : nil)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
