import Foundation
import StreamsTesting
import Synchronization
import TravelDomainTesting
import TravelPresentation

/// The world around the editors: a stored travel of three days with two entries, whose answers take 100 ms each.
final class EditorWorld: Sendable {
    let scheduler = TestScheduler(resolution: 0.001)
    let id = Travel.ID(seed: 1)
    private let state: Mutex<State>

    private struct State {
        var travel: RecordedTravel?
        var failures: [String: TravelError] = [:]
        var calls: [String] = []
        var cancelled: [String] = []
        var images: [TravelImage] = []
    }

    /// Stores a travel by Mina; `isStored` is `false` for a world without it.
    init(isStored: Bool = true) throws {
        let travel = try TravelBuilder(seed: 1, author: Person.mina).with {
            $0.title = "부산"
            $0.region = .busan
            $0.numberOfDays = 3
            $0.timeline = [.sample(1, day: 1, hour: 9, place: true), .sample(2, day: 2, hour: 14)]
        }.build()
        state = Mutex(State(travel: isStored ? travel : nil))
    }

    var calls: [String] { state.withLock { $0.calls } }
    var cancelled: [String] { state.withLock { $0.cancelled } }
    var travel: RecordedTravel? { state.withLock { $0.travel } }
    var images: [TravelImage] { state.withLock { $0.images } }

    func fail(_ call: String, with error: TravelError? = .busy) { state.withLock { $0.failures[call] = error } }

    /// Changes the travel elsewhere.
    func change(_ body: (RecordedTravel) throws -> RecordedTravel) rethrows {
        guard let travel else { return }
        let changed = try body(travel)
        state.withLock { $0.travel = changed }
    }

    /// Deletes the travel elsewhere.
    func delete() { state.withLock { $0.travel = nil } }

    /// A picture that was taken at that time.
    static func picture(
        day: String? = "2024-05-03", time: String? = "17:45", coordinate: Coordinate? = nil
    ) throws -> PickedImage {
        PickedImage(
            try TravelImage(id: .init(seed: 9), bytes: .init([0xFF, 0xD8, 0xFF, 0x00])),
            day: try day.map { try CalendarDay($0) },
            time: try time.map { try TimeOfDay($0) }, coordinate: coordinate)
    }

    /// The position of the picture at the path `here.jpg`.
    static var here: Coordinate { get throws { try Coordinate(latitude: 35.1, longitude: 129.1) } }

    var travelUseCases: TravelEditorFlow.UseCases {
        .init(
            load: { [self] in try await load($0) },
            record: { [self] content, id, image in
                try await call("record") { state in
                    let travel = try RecordedTravel(
                        id: id, author: Person.mina, createdAt: .init(timeIntervalSinceReferenceDate: 0),
                        content: content,
                        timeline: [])
                    if state.travel?.id == id, state.travel?.content != content {
                        throw TravelError.conflict(.travel(id))
                    }
                    state.travel = travel
                    state.images += image.map { [$0] } ?? []
                    if let lost = state.failures["answer"] { throw lost }
                    return travel
                }
            },
            edit: { [self] content, base, image in
                try await update("edit", base) { state, travel in
                    state.images += image.map { [$0] } ?? []
                    return try travel.with(content)
                }
            },
            readImage: { [self] in try await read($0) })
    }

    var entryUseCases: EntryEditorFlow.UseCases {
        .init(
            load: { [self] in try await load($0) },
            save: { [self] entry, base, image in
                try await update("save", base) { state, travel in
                    state.images += image.map { [$0] } ?? []
                    return try travel.saving(entry)
                }
            },
            searchPlaces: { [self] text in
                try await call("places '\(text)'") { _ in
                    [
                        try KnownPlace(
                            place: Place(name: "\(text)해수욕장", coordinate: Coordinate(latitude: 35, longitude: 129)),
                            englishName: text, region: .busan)
                    ]
                }
            },
            nearestPlace: { [self] coordinate in
                try await call("near \(coordinate.latitude)") { _ in
                    try KnownPlace(
                        place: Place(name: "광안리", coordinate: Coordinate(latitude: 35.15, longitude: 129.12)),
                        englishName: "Gwangalli", region: .busan)
                }
            },
            readImage: { [self] in try await read($0) })
    }

    private func load(_ id: Travel.ID) async throws -> RecordedTravel {
        try await call("load") { state in
            guard let travel = state.travel else { throw TravelError.notFound(.travel(id)) }
            return travel
        }
    }

    private func read(_ path: String) async throws -> PickedImage {
        try await call("read \(path)") { _ in try Self.picture(coordinate: path == "here.jpg" ? Self.here : nil) }
    }

    private func update(
        _ name: String, _ base: RecordedTravel, _ body: (inout State, RecordedTravel) throws -> RecordedTravel
    ) async throws -> RecordedTravel {
        try await call(name) { state in
            guard let travel = state.travel else { throw TravelError.notFound(.travel(base.id)) }
            guard travel == base else { throw TravelError.outdated(travel) }
            let changed = try body(&state, travel)
            state.travel = changed
            return changed
        }
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
