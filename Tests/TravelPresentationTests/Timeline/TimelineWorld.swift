import Foundation
import StreamsTesting
import Synchronization
import TravelDomainTesting
import TravelPresentation

/// The world around a timeline: a travel of three days by Jun, seen by the person who is signed in, in a store whose
/// answers take 100 ms each.
final class TimelineWorld: StoreStub {
    let scheduler = TestScheduler(resolution: 0.001)
    let person: BehaviorRelay<User?>
    let id = Travel.ID(seed: 1)
    private let state: Mutex<State>
    private let changes = PublishSubject<Result<Travel, TravelError>>()

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
        tell(.success(changed(body)))
    }

    private func changed(_ body: (inout Travel, inout [TimelineEntry]) -> Void) -> Travel {
        state.withLock { state in
            let before = state.travel
            body(&state.travel, &state.timeline)
            state.travel = state.travel.updated(after: before)
            return state.travel
        }
    }

    /// Tells who follows the travel that it is gone, or another failure.
    func tell(_ result: Result<Travel, TravelError>) {
        scheduler.perform { changes.onNext(result) }
        scheduler.advance(by: .zero)
    }

    var useCases: ScreenUseCases { ScreenUseCases(self, user: person.value?.id) }

    func observeTravel(_ id: Travel.ID, viewer: User.ID?) -> any AsyncSequence<Travel, any Error> & Sendable {
        Observable.task { [self] in try await call("show") { $0.travel } }.concat(changes.map { try $0.get() }).values
    }

    func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel { state.withLock { $0.travel } }

    func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        state.withLock { $0.timeline }
    }

    func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        try await call(isLiked ? "like" : "unlike") { _ in }
    }

    func report(_ travel: Travel.ID, by user: User.ID) async throws -> Bool {
        try await call("report") { state in
            defer { state.isReported = true }
            return !state.isReported
        }
    }

    func block(_ author: User.ID, by user: User.ID) async throws -> Bool {
        try await call("block") { _ in true }
    }

    func update(
        _ id: Travel.ID, expecting version: TravelVersion?, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws -> RecordedTravel? {
        let recorded = try state.withLock { try TravelDetails(travel: $0.travel, timeline: $0.timeline).recorded }
        guard let changed = try change(recorded) else {
            try await call("delete") { _ in }
            try await tellObservers(.failure(.notFound(.travel(id))))
            return nil
        }
        try await call("delete entry") { _ in }
        try await tellObservers(.success(self.changed { _, timeline in timeline = changed.timeline }))
        return changed
    }

    /// The observers know of a change before the call that makes it returns.
    private func tellObservers(_ result: Result<Travel, TravelError>) async throws {
        changes.onNext(result)
        try await scheduler.virtualClock.sleep(for: .milliseconds(1))
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

extension Travel {
    /// The same travel, changed later than an earlier state of it.
    fileprivate func updated(after before: Travel) -> Travel {
        do {
            return try Travel(
                id: id, author: author, content: content, createdAt: createdAt,
                updatedAt: before.updatedAt.addingTimeInterval(1), version: version,
                likeCount: likeCount, isLiked: isLiked, isMine: isMine)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
